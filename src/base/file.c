#define _XOPEN_SOURCE 700
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *file_read(Arena *arena, const char *path, size_t most, size_t *length, const char **why) {
  // a pipe would keep us waiting for its writer
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    *why = errno == ENOENT    ? "there is no such file"
           : errno == EACCES  ? "no permission to read it"
           : errno == ENOTDIR ? "a part of its path is not a folder"
                              : "it cannot be opened";
    return NULL;
  }
  struct stat st;
  char *data = NULL;
  size_t used = 0, cap = 0;
  *why = NULL;
  if (fstat(fd, &st) != 0) {
    *why = "it cannot be read";
  } else if (S_ISDIR(st.st_mode)) {
    *why = "it is a folder";
  } else if (!S_ISREG(st.st_mode)) {
    *why = "it is a device or a pipe, not a file";
  } else if ((uintmax_t)st.st_size > most) {
    *why = "it is too large";
  } else {
    for (;;) {
      if (cap - used < 4096) {
        size_t more = cap ? cap * 2 : (st.st_size > 0 ? (size_t)st.st_size + 8192 : 65536);
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
      if (used > most) {
        *why = "it is too large";
        break;
      }
    }
  }
  close(fd);
  if (*why) return NULL;
  data[used] = '\0';
  *length = used;
  return data;
}

bool file_same(const char *a, const char *b) {
  struct stat s, t;
  return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

struct OutFile {
  int fd;
  int error;   // first errno of a write
  bool direct; // no .part, no rename
  char *path, *part;
  size_t used;
  struct timespec flushed; // when
  char buffer[64 * 1024];
};

// The time of the last tick of the kernel: a few nanoseconds to ask, far less than a row costs to print.
static struct timespec ticks(void) {
  struct timespec now = {0};
#ifdef CLOCK_MONOTONIC_COARSE
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return now;
}

static void outfile_free(OutFile *out) {
  free(out->path);
  free(out->part);
  free(out);
}

// A link keeps standing: what it points to is replaced, or made where it is not there yet.
static bool follow_link(const char *path, char target[PATH_MAX]) {
  struct stat link;
  if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode)) return false;
  if (realpath(path, target)) return true;
  char to[PATH_MAX];
  ssize_t n = readlink(path, to, sizeof to - 1);
  if (n <= 0) return false;
  to[n] = '\0';
  const char *slash = strrchr(path, '/');
  int folder = to[0] != '/' && slash ? (int)(slash - path) + 1 : 0;
  int length = snprintf(target, PATH_MAX, "%.*s%s", folder, path, to);
  return length > 0 && length < PATH_MAX;
}

OutFile *outfile_open(const char *path, int *error) {
  OutFile *out = calloc(1, sizeof *out);
  char target[PATH_MAX];
  if (follow_link(path, target)) path = target;
  size_t n = strlen(path);
  if (out) {
    out->path = malloc(n + 1);
    out->part = malloc(n + 6);
  }
  if (!out || !out->path || !out->part) {
    if (out) outfile_free(out);
    *error = ENOMEM;
    return NULL;
  }
  memcpy(out->path, path, n + 1);
  memcpy(out->part, path, n);
  memcpy(out->part + n, ".part", 6);
  struct stat st;
  if (strcmp(path, "-") == 0) {
    out->direct = true;
    out->fd = dup(STDOUT_FILENO);
  } else {
    out->direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    out->fd = open(out->direct ? out->path : out->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (out->fd < 0) {
    *error = errno;
    outfile_free(out);
    return NULL;
  }
  out->flushed = ticks();
  return out;
}

static void outfile_flush(OutFile *out) {
  size_t done = 0;
  while (done < out->used && !out->error) {
    ssize_t n = write(out->fd, out->buffer + done, out->used - done);
    if (n > 0) done += (size_t)n;
    else if (n < 0 && errno != EINTR) out->error = errno;
  }
  out->used = 0;
}

bool outfile_write(OutFile *out, const char *data, size_t length) {
  while (length > 0 && !out->error) {
    size_t room = sizeof out->buffer - out->used;
    size_t take = length < room ? length : room;
    memcpy(out->buffer + out->used, data, take);
    out->used += take;
    data += take;
    length -= take;
    if (out->used == sizeof out->buffer) outfile_flush(out);
  }
  return !out->error;
}

bool outfile_end_row(OutFile *out) {
  struct timespec now = ticks();
  double since = (double)(now.tv_sec - out->flushed.tv_sec) + 1e-9 * (double)(now.tv_nsec - out->flushed.tv_nsec);
  if (since >= 0.5) {
    outfile_flush(out);
    out->flushed = now;
  }
  return !out->error;
}

// The folder of the path is synced too, so that the new name survives a power cut.
static void sync_folder(const char *path) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  size_t n = slash ? (size_t)(slash - path) : 0;
  if (n >= sizeof folder) return;
  memcpy(folder, path, n);
  folder[n] = '\0';
  int fd = open(slash ? (n ? folder : "/") : ".", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

int outfile_commit(OutFile *out) {
  outfile_flush(out);
  if (!out->direct && !out->error && fsync(out->fd) != 0 && errno != EINVAL) out->error = errno;
  if (close(out->fd) != 0 && !out->error) out->error = errno;
  if (!out->direct) {
    if (!out->error && rename(out->part, out->path) != 0) out->error = errno;
    if (out->error) unlink(out->part);
    else sync_folder(out->path);
  }
  int error = out->error;
  outfile_free(out);
  return error;
}

void outfile_discard(OutFile *out) {
  if (!out) return;
  close(out->fd);
  if (!out->direct) unlink(out->part);
  outfile_free(out);
}

int file_make_folder(const char *path) {
  struct stat st;
  if (mkdir(path, 0777) == 0) return 0;
  int error = errno;
  if (error == EEXIST && stat(path, &st) == 0) return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
  return error;
}
