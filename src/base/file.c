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

// -1: it cannot be opened, or is no file.
static int open_ordinary(const char *path, const char **why) {
  struct stat st;
  // a pipe would keep us waiting for its writer, a device never ends
  int fd = open_or_say(path, O_NONBLOCK, why);
  if (fd < 0) return -1;
  bool ordinary = fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
  if (ordinary) return fd;
  *why = "it is a device or a pipe, not a file";
  close(fd);
  return -1;
}

// All of a file, which may have `most` bytes, or (head) at most its first `most` bytes.
static char *read_open(Arena *arena, int fd, size_t most, bool head, size_t *length, const char **why);

static char *read_ordinary(Arena *arena, const char *path, size_t most, bool head, size_t *length, const char **why) {
  int fd = open_ordinary(path, why);
  char *data = fd >= 0 ? read_open(arena, fd, most, head, length, why) : NULL;
  if (fd >= 0) close(fd);
  return data;
}

char *file_read_ordinary(Arena *arena, const char *path, size_t most, size_t *length, const char **why) {
  return read_ordinary(arena, path, most, false, length, why);
}

char *file_head_ordinary(Arena *arena, const char *path, size_t most, size_t *length, const char **why) {
  return read_ordinary(arena, path, most, true, length, why);
}

char *file_read(Arena *arena, const char *path, size_t most, size_t *length, const char **why) {
  if (!is_open_already(path)) return file_read_ordinary(arena, path, most, length, why);
  int fd = open_or_say(path, 0, why);
  char *data = fd >= 0 ? file_read_open(arena, fd, most, length, why) : NULL;
  if (fd >= 0) close(fd);
  return data;
}

// The size that a file claims to have is only a guess of how much room it takes: a sparse one claims anything.
static char *read_open(Arena *arena, int fd, size_t most, bool head, size_t *length, const char **why) {
  struct stat st;
  char *data = NULL;
  size_t used = 0, cap = 0, guess = 65536;
  *why = NULL;
  if (fstat(fd, &st) != 0) *why = "it cannot be read";
  else if (S_ISDIR(st.st_mode)) *why = "it is a folder";
  else if (S_ISREG(st.st_mode) && !head && (uintmax_t)st.st_size > most) *why = "it is too large";
  else if (S_ISREG(st.st_mode)) guess = ((uintmax_t)st.st_size > most ? most : (size_t)st.st_size) + 8192;
  while (!*why) {
    if (cap - used < 4096) {
      size_t more = cap ? cap * 2 : guess;
      char *p = arena_grow(arena, data, cap, more);
      if (!p) {
        *why = "out of memory";
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
    if (used <= most) continue;
    if (!head) *why = "it is too large";
    used = most;
    break;
  }
  if (*why) return NULL;
  data[used] = '\0';
  *length = used;
  return data;
}

char *file_read_open(Arena *arena, int fd, size_t most, size_t *length, const char **why) {
  return read_open(arena, fd, most, false, length, why);
}

static char *read_below(Arena *arena, const char *folder, const char *path, size_t most, bool head, size_t *length,
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
  if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) data = read_open(arena, fd, most, head, length, why);
  else if (fd >= 0) *why = "it is no ordinary file, and the model is confined to those";
  if (fd >= 0) close(fd);
  return data;
}

char *file_read_below(Arena *arena, const char *folder, const char *path, size_t most, size_t *length,
                      const char **why) {
  return read_below(arena, folder, path, most, false, length, why);
}

char *file_head_below(Arena *arena, const char *folder, const char *path, size_t most, size_t *length,
                      const char **why) {
  return read_below(arena, folder, path, most, true, length, why);
}

bool file_stream_open(FileStream *s, const char *path, const char **why) {
  struct stat st;
  *s = (FileStream){.fd = open_ordinary(path, why)};
  if (s->fd < 0) return false;
  if (fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode)) return true;
  *why = "it is a folder";
  file_stream_close(s);
  return false;
}

size_t file_stream_read(FileStream *s, char *into, size_t most) {
  size_t used = 0;
  while (used < most && !s->failed) {
    ssize_t n = read(s->fd, into + used, most - used);
    if (n < 0 && errno == EINTR) continue;
    s->failed = n < 0;
    if (n <= 0) break;
    used += (size_t)n;
  }
  return used;
}

void file_stream_close(FileStream *s) {
  if (s->fd >= 0) close(s->fd);
  s->fd = -1;
}

bool file_write_all(int fd, const char *data, size_t length) {
  while (length > 0) {
    ssize_t n = write(fd, data, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    length -= (size_t)n;
  }
  return true;
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
