/*
 * The hook client (S5.7): what an agent starts for each hook event.
 *
 *   hook-client DIRECTORY SECONDS < event > reply
 *
 * DIRECTORY holds `hook.sock` and `token`, and must belong to this user alone. The event from stdin goes to
 * the socket, the reply to stdout.
 *
 * Exit 0 only after one complete valid reply was printed; otherwise 1, nothing on stdout before the reply is
 * complete, and one line without content on stderr. Never any other code of its own.
 *
 *   request   "OBH1"  token (32)  length (4, big endian)  event
 *   reply     "OBR1"  kind (1: 0 silent, 1 output)  length (4, big endian)  output, then end of file
 *
 * No memory but one fixed buffer, of which only what an event or a reply fills is ever touched.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
  TOKEN_SIZE = 32,
  REQUEST_HEADER = 4 + TOKEN_SIZE + 4,
  REPLY_HEADER = 4 + 1 + 4,
  ENVELOPE_LIMIT = 8 * 1024 * 1024,
  /* A shell between us and the agent can die alone: then nobody reads the reply, and the ask must go. */
  PARENT_CHECK_MS = 2000,
  /* The host's queue of connections is full: it lives, so try again. */
  CONNECT_RETRY_MS = 10,
  /* Digits of SECONDS: some eleven days, and far from any overflow. */
  SECONDS_DIGITS = 6
};

/* One byte more than the longest valid frame, so that anything longer is seen to be. */
static unsigned char buffer[REQUEST_HEADER + ENVELOPE_LIMIT + 1];

static int64_t deadline;
static pid_t parent;
static int watched_stdout = STDOUT_FILENO;

static void fail(const char *why) {
  char line[96] = "obstat hook: ";
  size_t length = strlen(line);
  while (*why != '\0' && length < sizeof line - 1) line[length++] = *why++;
  line[length++] = '\n';
  ssize_t ignored = write(STDERR_FILENO, line, length);
  (void)ignored;
  _exit(1);
}

static int64_t now(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) fail("no clock");
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/*
 * Waits until `fd` is ready for `events`, or for `limit` ms (-1: no limit but the deadline), and returns
 * whether it is ready. Does not return once the deadline has passed or the agent is gone.
 */
static int wait_for(int fd, short events, int limit) {
  int64_t until = limit < 0 ? deadline : now() + limit;
  for (;;) {
    int64_t time = now();
    if (time >= deadline) fail("no reply in time");
    if (getppid() != parent) fail("the agent is gone");
    if (time >= until) return 0;
    int64_t left = until - time;
    struct pollfd fds[2] = {{.fd = fd, .events = events}, {.fd = watched_stdout, .events = 0}};
    if (poll(fds, 2, left < PARENT_CHECK_MS ? (int)left : PARENT_CHECK_MS) < 0) {
      if (errno != EINTR && errno != EAGAIN) fail("poll failed");
      continue;
    }
    /* Some systems cannot poll a device; every other event of a descriptor asked for none is its end. */
    if ((fds[1].revents & POLLNVAL) != 0) watched_stdout = -1;
    else if (fds[1].revents != 0) fail("the agent is gone");
    if (fds[0].revents != 0) return 1;
  }
}

static int again(void) { return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK; }

/* Reads until end of file or `limit` bytes, and returns how many came. */
static size_t read_all(int fd, unsigned char *into, size_t limit, const char *why) {
  size_t size = 0;
  while (size < limit) {
    wait_for(fd, POLLIN, -1);
    ssize_t count = read(fd, into + size, limit - size);
    if (count == 0) break;
    if (count > 0) size += (size_t)count;
    else if (!again()) fail(why);
  }
  return size;
}

static void write_all(int fd, const unsigned char *from, size_t size, const char *why) {
  while (size > 0) {
    wait_for(fd, POLLOUT, -1);
    ssize_t count = write(fd, from, size);
    if (count > 0) {
      from += count;
      size -= (size_t)count;
    } else if (count == 0 || !again()) {
      fail(why);
    }
  }
}

static int64_t seconds(const char *text) {
  int64_t value = 0;
  size_t length = strlen(text);
  if (length == 0 || length > SECONDS_DIGITS) return 0;
  for (; *text != '\0'; text++) {
    if (*text < '0' || *text > '9') return 0;
    value = value * 10 + (*text - '0');
  }
  return value;
}

/* An inherited disposition or mask must neither keep us alive nor kill us without a word. */
static void reset_signals(void) {
  static const int ends[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = SIG_DFL;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) sigaction(ends[i], &action, NULL);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
  sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
}

/*
 * Makes the directory the current one before it looks at it, so that what was checked is what is used, and
 * the socket's path is short. After the host is gone another user could set up the name again, not the owner.
 */
static void enter(const char *directory) {
  struct stat status;
  if (chdir(directory) != 0 || stat(".", &status) != 0) fail("no such directory: the host is gone");
  if (status.st_uid != geteuid() || (status.st_mode & 077) != 0) fail("the directory is not ours alone");
}

static void read_token(unsigned char *token) {
  unsigned char bytes[TOKEN_SIZE + 1];
  int file = open("token", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) fail("no token");
  if (read_all(file, bytes, sizeof bytes, "no token") != TOKEN_SIZE) fail("no valid token");
  close(file);
  memcpy(token, bytes, TOKEN_SIZE);
}

static int connect_host(void) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, "hook.sock", sizeof "hook.sock");
  for (;;) {
    int host = socket(AF_UNIX, SOCK_STREAM, 0);
    if (host < 0 || fcntl(host, F_SETFL, O_NONBLOCK) != 0) fail("no socket");
    if (connect(host, (struct sockaddr *)&address, sizeof address) == 0) return host;
    if (!again()) fail("the host is gone");
    close(host);
    wait_for(-1, 0, CONNECT_RETRY_MS);
  }
}

static void put_length(unsigned char *at, size_t length) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(length >> (8 * (3 - i)));
}

static size_t get_length(const unsigned char *at) {
  size_t length = 0;
  for (int i = 0; i < 4; i++) length = length << 8 | at[i];
  return length;
}

int main(int argc, char **argv) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) < 0) fail("a standard stream is closed");
  }
  reset_signals();
  parent = getppid();
  if (argc != 3 || seconds(argv[2]) == 0) fail("usage: hook-client DIRECTORY SECONDS");
  deadline = now() + seconds(argv[2]) * 1000;

  size_t size = read_all(STDIN_FILENO, buffer + REQUEST_HEADER, ENVELOPE_LIMIT + 1, "no event");
  /* The rest of an event over the limit: an agent that is still writing it must not meet a broken pipe. */
  unsigned char rest[4096];
  while (size > ENVELOPE_LIMIT && read_all(STDIN_FILENO, rest, sizeof rest, "no event") > 0) continue;
  enter(argv[1]);
  memcpy(buffer, "OBH1", 4);
  read_token(buffer + 4);
  put_length(buffer + 4 + TOKEN_SIZE, size);

  int host = connect_host();
  /* Of an event over the limit only the length is sent: the host has to hear of it (S5.3). */
  size_t sent = size > ENVELOPE_LIMIT ? 0 : size;
  write_all(host, buffer, REQUEST_HEADER + sent, "the host closed the connection");

  size_t got = read_all(host, buffer, REPLY_HEADER + ENVELOPE_LIMIT + 1, "the host closed the connection");
  if (got == 0) fail("the host gave no decision");
  if (got < REPLY_HEADER || memcmp(buffer, "OBR1", 4) != 0) fail("no valid reply");
  size_t length = get_length(buffer + 5);
  if (buffer[4] > 1 || length > ENVELOPE_LIMIT || got != REPLY_HEADER + length) fail("no valid reply");
  if ((buffer[4] == 0) != (length == 0)) fail("no valid reply");

  write_all(STDOUT_FILENO, buffer + REPLY_HEADER, length, "the agent does not take the reply");
  _exit(0);
}
