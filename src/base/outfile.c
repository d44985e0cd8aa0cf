// Files that appear whole or not at all: see the header.
//
// The folder is opened once, and all names are taken in it: neither a change of the current folder nor a folder that
// somebody swaps leads elsewhere. The file on the disk is [0, base + what the system took of the buffer); `whole` says
// how much of it is whole rows, so that a handler of signals can cut it there without asking where the program was.
#define _GNU_SOURCE // O_PATH, getrandom
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  random_letters = 10, // of 32: 50 bits
  longest_base = 200,  // of the name inside the name of the part: a file name has at most 255 bytes
  attempts = 64
};

struct OutFile {
  int fd, folder;
  int error;   // first errno of a write
  bool direct; // no other name, no rename
  char *name;  // in the folder
  char part[longest_base + random_letters + 8];
  struct timespec flushed;    // when
  volatile size_t used;       // of the buffer
  volatile off_t base, whole; // where the buffer starts in the file; where its last whole row ends
  volatile bool named;        // the part has its final name
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
  if (out->fd >= 0) close(out->fd);
  if (out->folder >= 0) close(out->folder);
  free(out->name);
  free(out);
}

// ---- where to

bool outfile_resolve(const char *path, char *target, size_t size) {
  enum { most_links = 40 }; // as Linux has it
  struct stat link;
  char to[PATH_MAX];
  if (snprintf(target, size, "%s", path) >= (int)size) return false;
  for (int i = 0; i < most_links; i++) {
    if (lstat(target, &link) != 0 || !S_ISLNK(link.st_mode)) return true;
    ssize_t n = readlink(target, to, sizeof to - 1);
    if (n <= 0) return false;
    to[n] = '\0';
    char *slash = to[0] == '/' ? NULL : strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    if (folder + (size_t)n >= size) return false;
    memcpy(target + folder, to, (size_t)n + 1);
  }
  return false;
}

int outfile_descriptor(const char *path) {
  static const struct {
    const char *path;
    int fd;
  } streams[] = {{"-", STDOUT_FILENO}, {"/dev/stdout", STDOUT_FILENO}, {"/dev/stderr", STDERR_FILENO}};
  for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
    if (strcmp(path, streams[i].path) == 0) return streams[i].fd;
  }
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  for (size_t i = 0; i < 2; i++) {
    size_t n = strlen(folders[i]), digits;
    if (strncmp(path, folders[i], n) != 0) continue;
    digits = strspn(path + n, "0123456789");
    if (digits > 0 && digits < 8 && !path[n + digits]) return atoi(path + n);
  }
  struct stat st, stream;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return -1;
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fstat(fd, &stream) == 0 && stream.st_dev == st.st_dev && stream.st_ino == st.st_ino) return fd;
  }
  return -1;
}

// Which file a path is.
typedef struct Identity {
  dev_t device;
  ino_t number;
  int descriptor; // -1: none
  bool known;     // the numbers are those of a file, or of the folder where it will be
  char name[256]; // in that folder; "": the file itself
} Identity;

static Identity identify(const char *path) {
  struct stat st;
  char file[PATH_MAX];
  Identity id = {.descriptor = outfile_descriptor(path)};
  bool there = id.descriptor >= 0 ? fstat(id.descriptor, &st) == 0 : stat(path, &st) == 0;
  if (there) {
    id.known = S_ISREG(st.st_mode);
  } else if (id.descriptor < 0 && outfile_resolve(path, file, sizeof file)) {
    char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    if (!*base || strlen(base) >= sizeof id.name) return id;
    memcpy(id.name, base, strlen(base) + 1);
    if (slash) slash[1] = '\0';
    id.known = stat(slash ? file : ".", &st) == 0;
  }
  if (id.known) id.device = st.st_dev;
  if (id.known) id.number = st.st_ino;
  return id;
}

bool outfile_same(const char *a, const char *b) {
  Identity x = identify(a), y = identify(b);
  if (x.descriptor >= 0 && x.descriptor == y.descriptor) return true;
  // another case may be another file, but nobody means that
  return x.known && y.known && x.device == y.device && x.number == y.number && strcasecmp(x.name, y.name) == 0;
}

// Opens the folder of a path, and says what the file is called in it. 0 or errno.
static int open_folder(OutFile *out, const char *path) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  size_t n = slash ? (size_t)(slash - path) + 1 : 0;
  const char *base = path + n;
  if (!*base) return *path ? EISDIR : ENOENT;
  if (n >= sizeof folder) return ENAMETOOLONG;
  memcpy(folder, path, n);
  folder[n] = '\0';
  out->folder = open(n ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (out->folder < 0) return errno;
  out->name = strdup(base);
  return out->name ? 0 : ENOMEM;
}

static bool random_bytes(unsigned char *bytes, size_t count) {
  ssize_t n = getrandom(bytes, count, 0);
  return n == (ssize_t)count;
}

// Makes the part: new, through no link. `old`: the file that it will replace, or NULL. 0 or errno.
static int make_part(OutFile *out, const struct stat *old) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
  mode_t mode = old ? old->st_mode & 0777 : 0666;
  for (int i = 0; i < attempts; i++) {
    unsigned char bytes[random_letters];
    char word[random_letters + 1];
    if (!random_bytes(bytes, sizeof bytes)) return EIO;
    for (int k = 0; k < random_letters; k++) word[k] = letters[bytes[k] % 32];
    word[random_letters] = '\0';
    // a long name is cut, not inside a character of UTF-8
    int length = (int)strlen(out->name);
    if (length > longest_base) {
      length = longest_base;
      while (length > 0 && ((unsigned char)out->name[length] & 0xC0) == 0x80) length--;
    }
    snprintf(out->part, sizeof out->part, "%.*s.%s.part", length, out->name, word);
    out->fd = openat(out->folder, out->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (out->fd >= 0) break;
    if (errno != EEXIST) return errno;
  }
  if (out->fd < 0) return EEXIST;
  if (!old) return 0;
  // whose it is, as far as we may give it; then what they may do with it
  if (fchown(out->fd, old->st_uid, old->st_gid) != 0) errno = 0;
  return fchmod(out->fd, mode) == 0 || errno == EPERM || errno == ENOTSUP ? 0 : errno;
}

static int reopen(OutFile *out, const char *path) {
  struct stat st;
  char target[PATH_MAX];
  bool there = stat(path, &st) == 0;
  if (there && S_ISDIR(st.st_mode)) return EISDIR;
  if (there && !S_ISREG(st.st_mode)) {
    out->direct = true;
    out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return out->fd < 0 ? errno : 0;
  }
  if (there && access(path, W_OK) != 0) return errno;
  // a link keeps standing: what it leads to is replaced, or made where it is not there yet
  if (!outfile_resolve(path, target, sizeof target)) return ELOOP;
  int error = open_folder(out, target);
  return error ? error : make_part(out, there ? &st : NULL);
}

OutFile *outfile_open(const char *path, int *error) {
  OutFile *out = calloc(1, sizeof *out);
  *error = ENOMEM;
  if (!out) return NULL;
  out->fd = out->folder = -1;
  int stream = outfile_descriptor(path);
  if (stream >= 0) {
    out->direct = true;
    out->fd = fcntl(stream, F_DUPFD_CLOEXEC, 3);
    *error = out->fd < 0 ? errno : 0;
  } else {
    *error = reopen(out, path);
  }
  if (*error) {
    outfile_free(out);
    return NULL;
  }
  out->flushed = ticks();
  return out;
}

// ---- writing

static void outfile_flush(OutFile *out) {
  size_t done = 0;
  while (done < out->used && !out->error) {
    ssize_t n = write(out->fd, out->buffer + done, out->used - done);
    if (n > 0) done += (size_t)n;
    else if (n < 0 && errno != EINTR) out->error = errno;
  }
  out->used = 0; // first: a handler in between finds all of it on the disk
  out->base += (off_t)done;
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
  out->whole = out->base + (off_t)out->used;
  if (since >= 0.5) {
    outfile_flush(out);
    out->flushed = now;
  }
  return !out->error;
}

// ---- the end

// The folder of the path is synced too, so that the new name survives a power cut.
static void sync_folder(const OutFile *out) {
  int fd = openat(out->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

static int give_name(OutFile *out) { return renameat(out->folder, out->part, out->folder, out->name) == 0 ? 0 : errno; }

int outfile_finish(OutFile *out) {
  outfile_flush(out);
  out->whole = out->base; // nothing comes behind it any more
  if (out->direct) {
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0 && !out->error) out->error = errno;
    return out->error;
  }
  int synced = 0;
  while (!out->error && (synced = fsync(out->fd)) != 0 && errno == EINTR) continue;
  if (synced != 0 && errno != EINVAL) out->error = errno;
  if (!out->error) out->error = give_name(out);
  if (out->error) return out->error;
  out->named = true;
  sync_folder(out);
  return 0;
}

void outfile_discard(OutFile *out) {
  if (!out) return;
  if (!out->direct && !out->named) unlinkat(out->folder, out->part, 0);
  outfile_free(out);
}

int outfile_commit(OutFile *out) {
  int error = outfile_finish(out);
  outfile_discard(out);
  return error;
}

// ---- from a handler of signals: only calls that are safe there

void outfile_rescue(OutFile *out) {
  if (!out || out->direct || out->named || out->fd < 0) return;
  off_t at = lseek(out->fd, 0, SEEK_CUR);
  off_t whole = out->whole, base = out->base;
  bool good = at >= 0 && whole > 0 && !out->error;
  if (good && at > whole) good = ftruncate(out->fd, whole) == 0;
  while (good && at < whole) {
    ssize_t n = write(out->fd, out->buffer + (at - base), (size_t)(whole - at));
    good = n > 0;
    at += n;
  }
  if (!good || give_name(out) != 0) unlinkat(out->folder, out->part, 0);
}

void outfile_abandon(OutFile *out) {
  if (out && !out->direct && !out->named) unlinkat(out->folder, out->part, 0);
}
