// The cache of compiled code.
//
// in    a compiled file and the name it gets: a hash of what was compiled and how
// out   the same file in a folder that only its owner may write (a new one: enter), with a checksum behind its end
//
// Entries are written under another name and renamed, so that two processes that fill at once leave a whole file. The
// folder is opened once, and only if nobody else may change it or a folder above it (base/trust.h); an entry is opened
// once, and what is handed out are the bytes that were checked, not a path. A file of somebody else, or whose checksum
// is wrong, is never loaded.
#define _XOPEN_SOURCE 700
#include "base/file.h"
#include "base/trust.h"
#include "tape/native.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { trailer_size = 48 }; // "viva", 32 digits of the checksum, 12 of the size

// 128 bits by two multiplicative hashes of different shape.
static void hash_bytes(uint64_t h[2], const char *data, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)data[i];
    h[0] = (h[0] ^ c) * 0x100000001B3u;
    h[1] = ((h[1] << 23 | h[1] >> 41) + c) * 0x9E3779B97F4A7C15u;
  }
}

static void hash_print(uint64_t h[2], char out[33]) {
  for (int i = 0; i < 2; i++) {
    h[i] = (h[i] ^ (h[i] >> 30)) * 0xBF58476D1CE4E5B9u;
    h[i] = (h[i] ^ (h[i] >> 27)) * 0x94D049BB133111EBu;
    h[i] ^= h[i] >> 31;
  }
  snprintf(out, 33, "%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
}

CacheKey cache_key(const char *text, const char *how) {
  CacheKey key;
  uint64_t h[2] = {0xCBF29CE484222325u, 0x6A09E667F3BCC909u};
  hash_bytes(h, how, strlen(how) + 1);
  hash_bytes(h, text, strlen(text));
  hash_print(h, key.name);
  return key;
}

static void trailer_of(const char *data, size_t length, char out[trailer_size + 1]) {
  uint64_t h[2] = {0x243F6A8885A308D3u, 0x13198A2E03707344u};
  char digits[33];
  hash_bytes(h, data, length);
  hash_print(h, digits);
  snprintf(out, trailer_size + 1, "viva%s%012llx", digits, (unsigned long long)length & 0xFFFFFFFFFFFF);
}

// ---- the folder

// Makes every missing part of a path.
static void make_folders(Arena *arena, const char *path) {
  char *part = arena_printf(arena, "%s", path);
  for (char *s = part; s && *s; s++) {
    if (*s != '/' || s == part) continue;
    *s = '\0';
    mkdir(part, 0700);
    *s = '/';
  }
  mkdir(path, 0700);
}

// Only a folder of our own that nobody else may write.
static int open_own(const char *path) {
  int fd = trust_open_own(path);
  if (fd >= 0 && faccessat(fd, ".", W_OK | X_OK, 0) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

int cache_open(Arena *arena, const char *given) {
  const char *path = given;
  if (!path) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/') path = arena_printf(arena, "%s/viva", base);
    else if (home && home[0] == '/') path = arena_printf(arena, "%s/.cache/viva", home);
  }
  if (!path) return -1;
  int fd = open_own(path);
  if (fd >= 0) return fd;
  make_folders(arena, path);
  return open_own(path);
}

// ---- entries

static const char *name_of(Arena *arena, const CacheKey *key) { return arena_printf(arena, "%s.so", key->name); }

const char *cache_find(Arena *arena, int folder, const CacheKey *key, size_t *length) {
  const char *name = name_of(arena, key), *why;
  int fd = name ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
  if (fd < 0) return NULL;
  struct stat st;
  char trailer[trailer_size + 1];
  bool ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 022) == 0;
  char *data = ours ? file_read_open(arena, fd, cache_most, length, &why) : NULL;
  bool sound = data && *length > trailer_size;
  if (sound) {
    *length -= trailer_size;
    trailer_of(data, *length, trailer);
    sound = memcmp(data + *length, trailer, trailer_size) == 0;
  }
  if (sound) futimens(fd, NULL); // the oldest go first: this one is young again
  close(fd);
  if (sound) return data;
  unlinkat(folder, name, 0);
  return NULL;
}

// A name that is not there yet. The folder is ours alone, so that nobody guesses along.
static int make_part(int folder, char name[16]) {
  for (unsigned i = 0; i < 1000; i++) {
    snprintf(name, 16, "part-%06x", ((unsigned)getpid() * 1000 + i) & 0xFFFFFF);
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

bool cache_put(Arena *arena, int folder, const CacheKey *key, const char *data, size_t length) {
  char part[16], trailer[trailer_size + 1];
  const char *final = name_of(arena, key);
  if (!final) return false;
  trailer_of(data, length, trailer);
  int fd = make_part(folder, part);
  if (fd < 0) return false;
  bool ok = file_write_all(fd, data, length) && file_write_all(fd, trailer, trailer_size);
  ok = close(fd) == 0 && ok;
  if (ok && renameat(folder, part, folder, final) == 0) return true;
  unlinkat(folder, part, 0);
  return false;
}

// ---- keeping it small

typedef struct CacheEntry {
  char name[48];
  uint64_t size;
  struct timespec used;
} CacheEntry;

static bool is_entry(const char *name) {
  size_t n = strlen(name);
  bool compiled = n == 35 && strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, ".so") == 0;
  return compiled || (n == 11 && strncmp(name, "part-", 5) == 0);
}

static int by_age(const void *a, const void *b) {
  const struct timespec *x = &((const CacheEntry *)a)->used, *y = &((const CacheEntry *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

// A second descriptor: reading a folder moves along in it, and closing the list closes it.
static DIR *list_folder(int folder) {
  int fd = folder >= 0 ? openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
  if (!dir && fd >= 0) close(fd);
  return dir;
}

void cache_trim(Arena *arena, int folder, uint64_t most) {
  DIR *dir = list_folder(folder);
  if (!dir) return;
  VEC(CacheEntry) list = {0};
  uint64_t total = 0;
  struct stat st;
  for (struct dirent *d; (d = readdir(dir));) {
    if (!is_entry(d->d_name) || fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    CacheEntry e = {.size = (uint64_t)st.st_size, .used = st.st_mtim};
    memcpy(e.name, d->d_name, strlen(d->d_name) + 1); // is_entry knows its length
    // a part that nobody finished
    if (d->d_name[0] == 'p' && time(NULL) - st.st_mtim.tv_sec > 3600) unlinkat(dirfd(dir), d->d_name, 0);
    else if (vec_push(arena, &list, e)) total += e.size;
  }
  if (total > most) {
    qsort(list.items, list.count, sizeof *list.items, by_age);
    for (uint32_t i = 0; i + 1 < list.count && total > most; i++) {
      if (unlinkat(dirfd(dir), list.items[i].name, 0) == 0) total -= list.items[i].size;
    }
  }
  closedir(dir);
}

bool cache_clear(int folder, uint64_t *files, uint64_t *bytes) {
  *files = *bytes = 0;
  DIR *dir = list_folder(folder);
  if (!dir) return false;
  bool ok = true;
  struct stat st;
  for (struct dirent *d; (d = readdir(dir));) {
    if (!is_entry(d->d_name) || fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (unlinkat(dirfd(dir), d->d_name, 0) != 0) {
      ok = false;
      continue;
    }
    ++*files;
    *bytes += (uint64_t)st.st_size;
  }
  closedir(dir);
  return ok;
}
