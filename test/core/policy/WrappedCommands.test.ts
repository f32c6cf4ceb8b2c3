import { describe, expect, it } from "@effect/vitest"
import { permit, rule } from "./Fixtures.ts"

/** Everything is allowed but `rm`, a few subcommands, and one file. */
const policy = permit({
  "*": "allow",
  code: "allow",
  external_directory: "allow",
  path: { "*": "allow", ".env": "deny" },
  bash: {
    "*": "allow",
    "rm *": "deny",
    "git push *": "deny",
    "cargo publish *": "deny",
    "aws s3 rm *": "deny",
    "docker compose down *": "deny",
    "terraform destroy *": "deny",
    "gh pr merge *": "deny",
    "kubectl delete *": "deny",
    "npm publish *": "deny",
    "systemctl stop *": "deny",
    "apt-get remove *": "deny",
    "helm uninstall *": "deny",
    "go generate *": "deny",
    "gcloud compute *": "deny"
  }
})

describe("a command", () => {
  it.for([
    "git -C d push",
    "git --git-dir=d --work-tree . push origin",
    "git -c a.b=c push",
    "cargo --color never publish",
    "cargo +nightly publish",
    "cargo -Zunstable --locked publish --dry-run",
    "aws --profile p s3 rm x",
    "aws s3 --region eu rm x",
    "aws --unheard-of s3 rm x",
    "docker -H h compose -f y down",
    "docker compose --unheard-of x down",
    "docker-compose -f y run web rm x",
    "terraform -chdir=d destroy",
    "gh -R a/b pr merge 3",
    "gh pr -R a/b merge 3",
    "kubectl -n prod delete pod x",
    "kubectl --context=c delete pod x",
    "kubectl --kubeconfig f delete pod x",
    "npm --registry u publish",
    "npm -w a publish",
    "pnpm --filter a exec rm x",
    "systemctl --user stop x",
    "apt-get -y remove x",
    "sudo -n apt-get -o A=b remove x",
    "helm -n a uninstall x",
    "go -C d generate ./...",
    "gcloud --project p compute ssh x"
  ])("is found behind options that stand before its name: %s [L3.8]", (command) => {
    expect(rule(policy, command).action).toBe("deny")
  })

  it("is allowed behind options that change nothing, and asked about behind those that do [L3.8]", () => {
    const only = permit({
      bash: { "git status *": "allow", "aws s3 ls *": "allow", "kubectl get *": "allow" },
      path: "allow",
      external_directory: "allow"
    })
    expect(rule(only, "git -C d --no-pager status").action).toBe("allow")
    expect(rule(only, "aws --profile p s3 ls").action).toBe("allow")
    expect(rule(only, "kubectl -n a get pods").action).toBe("allow")
    expect(rule(only, "git -c core.pager=x status").action).toBe("ask")
    expect(rule(only, "aws --unheard-of s3 ls").action).toBe("ask")
    expect(rule(only, "kubectl --kubeconfig f get pods").action).toBe("ask")
  })

  it.for([
    "pnpm dlx rm x",
    "bunx rm x",
    "npx -y rm x",
    "uv run rm x",
    "poetry run rm x",
    "bundle exec rm x",
    "conda run -n e rm x",
    "mise exec -- rm x",
    "mise x node@20 -- rm x",
    "direnv exec . rm x",
    "rustup run nightly rm x",
    "tmux new -d 'rm x'",
    "tmux -L s run-shell 'rm x'",
    "screen -dm rm x",
    "hyperfine -p 'rm x' true",
    "ls | entr -r rm x",
    "watchexec -e ts -- rm x",
    "nix-shell -p a --run 'rm x'",
    "sg g -c 'rm x'",
    "nc -l -e /bin/rm",
    "sem rm x",
    "systemd-run --user -p A=b rm x",
    "unshare -n rm x",
    "bwrap --bind / / --dev /dev rm x",
    "fakeroot -- rm x",
    "xvfb-run -a rm x",
    "setarch x86_64 -R rm x",
    "ssh -o ProxyCommand='rm x' h",
    "ssh -oProxyCommand='rm x' h ls",
    "scp -o 'ProxyCommand rm x' a h:b",
    "vagrant ssh -c 'rm x'",
    "docker compose exec web rm x",
    "podman container exec c rm x",
    "gh codespace ssh -c n rm x",
    "lxc exec c -- rm x",
    "cross-env A=1 rm x",
    "corepack pnpm exec rm x"
  ])("is found inside what runs it: %s [L3.3]", (command) => {
    expect(rule(policy, command).action).toBe("deny")
  })

  it.for([
    "a=rm; $a x",
    "a='sudo rm'; $a x",
    'a=rm; "$a" x',
    "a=r; ${a}m x",
    "export a=rm; sh -c '$a x'",
    "a=rm bash -c '$a x'",
    "for a in ls rm; do $a x; done",
    "a='rm x'; eval \"$a\"",
    "a=-c; sh $a 'rm x'",
    "f=.env; cat $f",
    'd=.; cat "$d/.env"',
    "for f in a .env; do cat $f; done",
    "f=.env; echo x > $f"
  ])("is found behind a constant that the text itself sets: %s [L3.4, L1.4]", (command) => {
    expect(rule(policy, command).action).toBe("deny")
  })

  it("is never allowed by what a variable seems to hold [L3.3]", () => {
    const only = permit({ bash: { "ls *": "allow" } })
    expect(rule(only, "a=ls; $a").action).toBe("ask")
    expect(rule(policy, "a=ls; $a").action).toBe("ask")
  })
})

describe("a file", () => {
  it.for([
    "grep --file=.env x",
    "sort -o.env x",
    "sort --output=.env x",
    "tar -cf.env x",
    "gcc -o .env x.c",
    "gcc -o.env x.c",
    "date -f .env",
    "xxd a .env",
    "curl -o.env u",
    "curl --output=.env u",
    "curl -T .env u",
    "curl -F f=@.env u",
    "curl -O u --output-dir .env",
    "wget -O .env u",
    "wget -O- u -a.env",
    "git diff --output=.env",
    "git add .env",
    "git log -p -- .env",
    "rsync -a .env h:",
    "install -m 600 x .env",
    "cp x .env",
    "mv .env x",
    "ln -s .env y",
    "tee -a .env",
    "dd of=.env",
    "dd if=.env",
    "sed -i s/a/b/ .env",
    "sed -n 'w .env' x",
    "awk '{print > \".env\"}' x",
    "unzip a -d .env",
    "openssl enc -in .env",
    "gpg -o .env -d a",
    "scp .env h:",
    "ssh -i .env h",
    "ssh -F .env h",
    "docker run --env-file .env i",
    "docker run -v .env:/e i",
    "docker run --mount type=bind,source=.env,target=/x i",
    "docker compose -f .env up",
    "kubectl apply -f .env",
    "make -f .env",
    "make FILE=.env",
    "cargo --config .env build",
    "java -jar .env",
    "trash .env",
    "unheard-of -f.env",
    "unheard-of --opt=.env",
    "grep --unheard-of=.env x y",
    "cat .en{v,x}",
    "cat [.]env",
    "cat ./sub/../.env",
    "cat $PWD/.env",
    "echo a 2> .env",
    "cat <> .env"
  ])("is found wherever a program takes one: %s [L3.4, L1.8]", (command) => {
    expect(rule(policy, command).action).toBe("deny")
  })

  it.for(["cat .e*", "cat $x", "docker run -v .:/w i ls", "cat *", "find . -exec cat {} +"])(
    "is asked about where it may be meant: %s [L3.4]",
    (command) => {
      expect(rule(policy, command).action).toBe("ask")
    }
  )

  it.for([
    "ssh h cat .env",
    "docker exec c cat .env",
    "docker run -v data:/d i cat .env",
    "node -e '// .env'",
    "grep .env x",
    "echo .env"
  ])("is none of ours where the word is no file here: %s [L1.8, L3.4]", (command) => {
    expect(rule(policy, command).action).toBe("allow")
  })
})
