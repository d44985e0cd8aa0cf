// Files read whole, and questions about paths.
#define _XOPEN_SOURCE 700
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A descriptor that is open already: the shell's `<(command)` is one, and has its writer.
static bool is_open_already(const char *path) {
  return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
         strncmp(path, "/proc/self/fd/", 14) == 0;
}

static int open_or_say(const char *path, int how, const char **why) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | how);
  if (fd >= 0) return fd;
  *why = errno == ENOENT    ? "there is no such file"
         : errno == EACCES  ? "no permission to read it"
         : errno == ENOTDIR ? "a part of its path is not a folder"
                            : "it cannot be opened";
  return -1;
}

char *file_read_ordinary(Arena *arena, const char *path, size_t most, size_t *length, const char **why) {
  struct stat st;
  // a pipe would keep us waiting for its writer, a device never ends
  int fd = open_or_say(path, O_NONBLOCK, why);
  if (fd < 0) return NULL;
  bool ordinary = fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
  *why = "it is a device or a pipe, not a file";
  char *data = ordinary ? file_read_open(arena, fd, most, length, why) : NULL;
  close(fd);
  return data;
}

char *file_read(Arena *arena, const char *path, size_t most, size_t *length, const char **why) {
  if (!is_open_already(path)) return file_read_ordinary(arena, path, most, length, why);
  int fd = open_or_say(path, 0, why);
  char *data = fd >= 0 ? file_read_open(arena, fd, most, length, why) : NULL;
  if (fd >= 0) close(fd);
  return data;
}

// The size that a file claims to have is only a guess of how much room it takes: a sparse one claims anything.
char *file_read_open(Arena *arena, int fd, size_t most, size_t *length, const char **why) {
  struct stat st;
  char *data = NULL;
  size_t used = 0, cap = 0, guess = 65536;
  *why = NULL;
  if (fstat(fd, &st) != 0) *why = "it cannot be read";
  else if (S_ISDIR(st.st_mode)) *why = "it is a folder";
  else if (S_ISREG(st.st_mode) && (uintmax_t)st.st_size > most) *why = "it is too large";
  else if (S_ISREG(st.st_mode)) guess = (size_t)st.st_size + 8192;
  while (!*why) {
    if (cap - used < 4096) {
      size_t more = cap ? cap * 2 : guess;
      char *p = arena_grow(arena, data, cap, more);
      if (!p) {
        *why = "memory is out";
        break;
      }
      data = p;
      cap = more;
    }
    ssize_t n = read(fd, data + used, cap - used - 1);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) *why = "it cannot be read";
    if (n <= 0) break;
    used += (size_t)n;
    if (used > most) *why = "it is too large";
  }
  if (*why) return NULL;
  data[used] = '\0';
  *length = used;
  return data;
}

char *file_read_below(Arena *arena, const char *folder, const char *path, size_t most, size_t *length,
                      const char **why) {
  char home[PATH_MAX], target[PATH_MAX];
  struct stat st;
  if (!realpath(path, target)) return file_read(arena, path, most, length, why); // it says why not
  *why = "it lies outside of the model's folder, and the model is confined to that";
  size_t n = realpath(folder, home) ? strlen(home) : 0;
  bool below = n > 0 && strncmp(home, target, n) == 0 && (home[n - 1] == '/' || target[n] == '/');
  int fd = below ? open(target, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  if (below && fd < 0) *why = "it cannot be opened";
  char *data = NULL;
  if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) data = file_read_open(arena, fd, most, length, why);
  else if (fd >= 0) *why = "it is no ordinary file, and the model is confined to those";
  if (fd >= 0) close(fd);
  return data;
}

bool file_same(const char *a, const char *b) {
  struct stat s, t;
  return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

bool file_is_ordinary(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int file_make_folder(const char *path) {
  struct stat st;
  if (mkdir(path, 0777) == 0) return 0;
  int error = errno;
  if (error == EEXIST && stat(path, &st) == 0) return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
  return error;
}
