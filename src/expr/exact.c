// Loading what needs FLINT, and talking with the helper program.
//
// in    a request for the functions of a module, or for a gcd or factors
// out   the table of functions; the helper's answer, or why there is none
//
// A module is found beside the library by its trusted path and loaded once. The helper is a process of its own with
// limits of memory and time; request and answer go through two pairs of sockets at once, so that neither side waits.
#define _GNU_SOURCE // SOCK_CLOEXEC
#include "expr/exact.h"

#include "base/text.h"
#include "base/trust.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// A file that belongs to this library.
static const char *beside(Arena *arena, const char *name) {
  char path[4096];
  return trust_find(name, path, sizeof path) ? arena_printf(arena, "%s", path) : NULL;
}

// A symbol of a module, which is loaded on first use.
static void *module_symbol(Arena *arena, const char *name, const char *symbol, const char **why) {
  const char *path = beside(arena, name);
  if (!path) {
    *why = arena_printf(arena, "the module %s is not beside the library: install it again", name);
    return NULL;
  }
  // never unloaded: FLINT keeps data of threads. Functions are bound when they are called: most never are.
  void *module = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!module) {
    const char *text = dlerror();
    *why = arena_printf(arena, "the module for exact algebra cannot be loaded: %s", text ? text : path);
    return NULL;
  }
  void *found = dlsym(module, symbol);
  if (!found) *why = arena_printf(arena, "%s belongs to another version", path);
  return found;
}

const RingApi *exact_ring(Arena *arena, const char **why) {
  // through a union: C has no cast from an object pointer to a function pointer
  union {
    void *object;
    RingEntry *function;
  } entry = {.object = module_symbol(arena, "viva-exact.so", RING_ENTRY, why)};
  const RingApi *api = entry.object ? entry.function() : NULL;
  if (api && api->version == ring_version) return api;
  if (api) *why = "viva-exact.so belongs to another version";
  return NULL;
}

const BallApi *exact_balls(Arena *arena, const char **why) {
  union {
    void *object;
    BallEntry *function;
  } entry = {.object = module_symbol(arena, "viva-balls.so", BALL_ENTRY, why)};
  const BallApi *api = entry.object ? entry.function() : NULL;
  if (api && api->version == ring_version) return api;
  if (api) *why = "viva-balls.so belongs to another version";
  return NULL;
}

bool exact_ask(Arena *arena, uint64_t *granted, uint64_t bytes) {
  if (bytes <= *granted) {
    *granted -= bytes;
    return true;
  }
  uint64_t portion = bytes + exact_portion;
  void *room = portion <= SIZE_MAX / 4 ? malloc((size_t)portion) : NULL;
  if (!room) return arena_array(arena, SIZE_MAX, 1) != NULL; // no arena has room for that: it notes the failure
  *(volatile char *)room = 0;                                // so that no compiler leaves the question out
  free(room);
  *granted = exact_portion;
  return true;
}

// ---- the helper program

// A pair of sockets, not a pipe: writing to a helper that has gone must not raise a signal in the caller's program.
static bool make_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0; }

// Writes the request and reads the answer at once, so that neither side waits for the other.
static bool converse(int to, int from, const char *request, Text *answer) {
  size_t left = strlen(request);
  bool ok = fcntl(to, F_SETFL, O_NONBLOCK) == 0;
  while (ok) {
    struct pollfd p[2] = {{.fd = from, .events = POLLIN}, {.fd = left ? to : -1, .events = POLLOUT}};
    if (poll(p, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (left && p[1].revents) {
      ssize_t n = send(to, request, left, MSG_NOSIGNAL);
      if (n < 0 && errno != EAGAIN && errno != EINTR) {
        left = 0; // the helper has gone: its answer or silence says the rest
        close(to);
        to = -1;
      } else if (n > 0) {
        request += n;
        left -= (size_t)n;
        if (!left) {
          close(to);
          to = -1;
        }
      }
    }
    if (p[0].revents) {
      char buffer[16384];
      ssize_t n = read(from, buffer, sizeof buffer);
      if (n == 0) break;
      if (n > 0) text_putn(answer, buffer, (size_t)n);
      else if (errno != EINTR) ok = false;
    }
  }
  if (to >= 0) close(to);
  return ok;
}

const char *exact_helper(Arena *arena, const char *request, const char **why) {
  const char *path = beside(arena, "viva-algebra");
  int in[2], out[2];
  if (!path) {
    *why = "the helper program viva-algebra is not there";
    return NULL;
  }
  *why = "the helper program viva-algebra cannot be started";
  if (!make_pair(in)) return NULL;
  if (!make_pair(out)) {
    close(in[0]);
    close(in[1]);
    return NULL;
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  char *arguments[] = {(char[]){"viva-algebra"}, NULL}, *environment[] = {NULL};
  pid_t child = 0;
  bool ok = posix_spawn(&child, path, &actions, &attributes, arguments, environment) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(in[0]);
  close(out[1]);
  Text answer = text_in(arena);
  if (ok) ok = converse(in[1], out[0], request, &answer);
  else close(in[1]);
  close(out[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (ok && child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !arena_failed(arena)) {
    *why = NULL;
    return text_str(&answer);
  }
  if (child > 0) *why = "the common factors were not found within the limits of memory and time";
  return NULL;
}
