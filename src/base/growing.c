// Files that grow. A buffer of 64 kB holds whole lines; what a failed write left of it is cut off again.
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "base/growing.h"

#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { buffer_size = 1 << 16, longest_line = 64 << 20 };

struct Growing {
  int fd;
  char *path;  // of a file
  bool plain;  // a regular file: it has an offset, and can be cut
  bool made;   // it was not there
  bool empty;  // when it was opened
  off_t whole; // the end of the last whole line that is in the file
  char *text;  // reading: what was read and not given; writing: what waits
  size_t length, size, at;
  bool ended, writing; // there is no more to read; what waits is to be written
  double written;      // when it was last handed to the system
  int error;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Growing *refuse(Growing *g, int *error) {
  *error = errno;
  if (g && g->fd >= 0) close(g->fd);
  if (g) free(g->text);
  if (g) free(g->path);
  free(g);
  return NULL;
}

// A program that was just killed may hold it for a moment yet.
static bool lock(int fd) {
  enum { tries = 20, pause_ms = 50 };
  for (int i = 0; i < tries; i++) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    nanosleep(&(struct timespec){.tv_nsec = pause_ms * 1000000L}, NULL);
  }
  errno = EWOULDBLOCK;
  return false;
}

static Growing *open_growing(const char *path, int how, int *error) {
  struct stat st;
  Growing *g = calloc(1, sizeof *g);
  if (!g) return refuse(NULL, error);
  g->size = buffer_size;
  g->text = malloc(g->size);
  g->path = strdup(path);
  g->fd = -1;
  if (!g->text || !g->path) return refuse(g, error);
  int stream = outfile_descriptor(path);
  if (stream < 0) g->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | how, 0666);
  else g->fd = fcntl(stream, F_DUPFD_CLOEXEC, 3);
  g->made = stream < 0 && g->fd >= 0;
  // a link that leads to nothing yet is there for O_EXCL
  if (stream < 0 && g->fd < 0 && errno == EEXIST) g->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | how, 0666);
  if (g->fd < 0 || fstat(g->fd, &st) != 0) return refuse(g, error);
  bool folder = stream < 0 && S_ISDIR(st.st_mode);
  if (folder) errno = EISDIR;
  if (folder) return refuse(g, error);
  g->plain = stream < 0 && S_ISREG(st.st_mode);
  if (g->plain && !lock(g->fd)) return refuse(g, error);
  g->empty = !g->plain || st.st_size == 0;
  g->written = now();
  return g;
}

Growing *growing_open(const char *path, int *error) { return open_growing(path, 0, error); }
Growing *growing_open_part(const char *path, int *error) { return open_growing(path, O_NOFOLLOW, error); }
bool growing_is_empty(const Growing *g) { return g->empty; }

// More of the file behind what is there. False: there is no more.
static bool fill(Growing *g) {
  if (g->ended || !g->plain) return false;
  if (g->at) {
    memmove(g->text, g->text + g->at, g->length - g->at);
    g->length -= g->at;
    g->at = 0;
  }
  if (g->length == g->size) {
    char *more = g->size < longest_line ? realloc(g->text, 2 * g->size) : NULL;
    if (!more) return false;
    g->text = more;
    g->size *= 2;
  }
  ssize_t n = read(g->fd, g->text + g->length, g->size - g->length);
  g->ended = n <= 0;
  if (n > 0) g->length += (size_t)n;
  return n > 0;
}

const char *growing_line(Growing *g, size_t *length) {
  for (size_t from = g->at;;) {
    char *end = memchr(g->text + from, '\n', g->length - from);
    if (end) {
      char *line = g->text + g->at;
      *length = (size_t)(end - line);
      *end = '\0';
      g->at += *length + 1;
      g->whole += (off_t)(*length + 1);
      return line;
    }
    size_t seen = g->length - g->at;
    if (!fill(g)) return NULL;
    from = g->at + seen;
  }
}

int growing_append(Growing *g) {
  g->length = g->at = 0;
  g->writing = true;
  if (!g->plain) return 0;
  if (ftruncate(g->fd, g->whole) != 0 || lseek(g->fd, g->whole, SEEK_SET) < 0) return errno;
  return 0;
}

int growing_clear(Growing *g) {
  g->whole = 0;
  return growing_append(g);
}

// What waits goes to the file.
static bool hand_over(Growing *g) {
  size_t done = 0;
  while (done < g->length) {
    ssize_t n = write(g->fd, g->text + done, g->length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      g->error = n < 0 ? errno : ENOSPC;
      // lines that are whole stay
      while (done > 0 && g->text[done - 1] != '\n') done--;
      g->whole += (off_t)done;
      if (g->plain && ftruncate(g->fd, g->whole) != 0) g->error = errno;
      g->length = 0;
      return false;
    }
    done += (size_t)n;
  }
  g->whole += (off_t)done;
  g->length = 0;
  g->written = now();
  return true;
}

bool growing_write(Growing *g, const char *text, size_t length) {
  if (g->error) return false;
  if (g->length + length > g->size && !hand_over(g)) return false;
  if (length > g->size) {
    char *more = realloc(g->text, length);
    if (!more) {
      g->error = ENOMEM;
      return false;
    }
    g->text = more;
    g->size = length;
  }
  memcpy(g->text + g->length, text, length);
  g->length += length;
  return now() - g->written < 1 || hand_over(g);
}

int growing_error(const Growing *g) { return g->error; }

static void flush_last(Growing *g) {
  if (!g->error && g->writing && g->length) hand_over(g);
}

int growing_close(Growing *g) {
  if (!g) return 0;
  flush_last(g);
  int error = g->error;
  if (g->made && g->whole == 0) unlink(g->path);
  if (close(g->fd) != 0 && !error) error = errno;
  free(g->text);
  free(g->path);
  free(g);
  return error;
}

int growing_replace(Growing *part, const char *path) {
  struct stat old;
  flush_last(part);
  if (!part->error && stat(path, &old) == 0) {
    // whose it is, as far as we may give it; then what they may do with it
    if (fchown(part->fd, old.st_uid, old.st_gid) != 0) errno = 0;
    if (fchmod(part->fd, old.st_mode & 0777) != 0 && errno != EPERM && errno != ENOTSUP) part->error = errno;
  }
  if (!part->error && fsync(part->fd) != 0 && errno != EINVAL) part->error = errno;
  if (!part->error && rename(part->path, path) != 0) part->error = errno;
  if (!part->error) part->made = false;
  return growing_close(part);
}
