#!/bin/bash
# Runs the tests that drive the real agents, in a network namespace whose only interface is loopback:
# an agent under test can reach the scripted model server and nothing else.
#
#   test/agents/run.sh [--newest] [vitest arguments…]
#
# --newest: the newest agents at hand in place of the pinned ones.
# OBSTAT_TESTS_ISOLATED=1 says that the caller has cut the network off already (a container without one, a
# firewall): then no namespace is made.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$PWD/node_modules/.bin:$PATH"

if [ "${1:-}" = --newest ]; then
  shift
  export OBSTAT_TESTS_NEWEST=1
  npm install --prefix test/agents/newest
elif [ ! -x test/agents/node_modules/.bin/claude ]; then
  npm ci --prefix test/agents
fi

run=(vitest run -c test/agents/vitest.config.ts "$@")
if [ "${OBSTAT_TESTS_ISOLATED:-}" = 1 ]; then
  exec "${run[@]}"
fi

# Root makes a network namespace as it is; anyone else needs a user namespace around it.
namespace=(unshare --net)
if [ "$(id -u)" != 0 ]; then
  namespace=(unshare --user --map-root-user --net)
fi
if ! "${namespace[@]}" ip link set lo up 2>/dev/null; then
  echo "The agent tests need a network namespace (unshare and ip, from util-linux and iproute2), and none can be" >&2
  echo "made here. Cut the network off in another way and set OBSTAT_TESTS_ISOLATED=1, or run them elsewhere." >&2
  exit 1
fi
exec "${namespace[@]}" bash -c 'ip link set lo up && exec "$@"' bash "${run[@]}"
