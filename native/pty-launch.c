// Starts a program with the three standard descriptors and nothing else: `pty-launch FILE [ARGUMENT]...`.
//
// On Linux a host with several pseudo-terminals hands every new child the controlling ends of all the others,
// because they are opened without close-on-exec; with one, a child could read another agent's screen and type
// into its terminal. This closes what the child must not have, between the fork and the program.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

static void close_others(void) {
#if defined(SYS_close_range)
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  long limit = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < limit; fd++) close(fd);
}

int main(int argc, char **argv) {
  if (argc < 2) return 127;
  close_others();
  execvp(argv[1], argv + 1);
  fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
  return errno == ENOENT ? 127 : 126;
}
