// Child processes: other programs, started with a list of arguments, never through a shell; fed and heard through
// pipes, with a limit of time, after which they are killed.
#define _POSIX_C_SOURCE 200809L
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The environment with another TMPDIR; to be freed, with the text in it, which is its last entry. NULL: out of memory.
static char **surroundings(const char *folder) {
  size_t n = 0, kept = 0;
  while (environ && environ[n]) n++;
  char **list = calloc(n + 2, sizeof *list), *own = malloc(strlen(folder) + sizeof "TMPDIR=");
  if (!list || !own) {
    free(list);
    free(own);
    return NULL;
  }
  for (size_t i = 0; i < n; i++) {
    if (strncmp(environ[i], "TMPDIR=", 7) != 0) list[kept++] = environ[i];
  }
  memcpy(own, "TMPDIR=", 7);
  memcpy(own + 7, folder, strlen(folder) + 1);
  list[kept] = own;
  return list;
}

static void free_surroundings(char **list) {
  size_t n = 0;
  while (list && list[n]) n++;
  if (n) free(list[n - 1]);
  free(list);
}

static int start(const char *const *argv, char **surround, int output, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&files);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&files);
    return error;
  }
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGXFSZ);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGTERM);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  error = posix_spawnp(pid, argv[0], &files, &attributes, (char *const *)(void *)argv, surround ? surround : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

SpawnResult spawn_wait(const char *const *argv, const char *folder, double limit, bool (*interrupted)(void *self),
                       void *self) {
  SpawnResult r = {.status = spawn_failed};
  int ends[2];
  if (pipe(ends) != 0) return r;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t pid;
  char **surround = folder ? surroundings(folder) : NULL;
  int error = folder && !surround ? ENOMEM : start(argv, surround, ends[1], &pid);
  free_surroundings(surround);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    r.status = error == ENOENT || error == EACCES || error == ENOTDIR ? spawn_missing : spawn_failed;
    return r;
  }
  // its output first, then its end; both before the limit
  double until = seconds() + limit;
  size_t used = 0;
  bool open = true, ended = false;
  int state = 0;
  r.status = spawn_done;
  while (!ended && r.status == spawn_done) {
    struct pollfd wait = {.fd = open ? ends[0] : -1, .events = POLLIN};
    int ready = poll(&wait, 1, open ? 50 : 2);
    if (ready > 0) {
      char buffer[512];
      ssize_t n = read(ends[0], buffer, sizeof buffer);
      size_t room = sizeof r.output - 1 - used, take = n > 0 ? (size_t)n < room ? (size_t)n : room : 0;
      memcpy(r.output + used, buffer, take);
      used += take;
      if (n == 0 || (n < 0 && errno != EINTR)) open = false;
    }
    pid_t got = waitpid(pid, &state, WNOHANG);
    ended = got == pid || (got < 0 && errno != EINTR);
    if (ended) break;
    if (seconds() > until) r.status = spawn_late;
    else if (interrupted && interrupted(self)) r.status = spawn_interrupted;
  }
  close(ends[0]);
  kill(-pid, SIGKILL); // the whole group, also what the program left behind
  if (!ended) {
    while (waitpid(pid, &state, 0) < 0 && errno == EINTR) continue;
  }
  r.code = WIFEXITED(state) ? WEXITSTATUS(state) : WIFSIGNALED(state) ? 128 + WTERMSIG(state) : 1;
  return r;
}
