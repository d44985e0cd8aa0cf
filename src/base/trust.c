// See the header.
//
// A path is only as safe as its weakest folder: who may write in a folder may rename what lies in it, whoever that
// belongs to. So the path is gone down from the root, name by name, each folder looked at through the descriptor that
// the next one is opened from. No folder that was looked at can be swapped afterwards by others.
#define _GNU_SOURCE // O_PATH, dladdr
#include "base/trust.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef VIVA_LIBEXEC
#define VIVA_LIBEXEC "../libexec" // from the folder of libraries to that of helper programs
#endif
#ifndef VIVA_LIBDIR
#define VIVA_LIBDIR "/usr/local/lib" // where the library is to be installed
#endif

// A group that has the number of its user is his own by the custom of many systems: whom he lets in is his affair.
static bool is_private_group(const struct stat *st) {
  return st->st_uid == geteuid() && st->st_gid == (gid_t)geteuid();
}

static bool is_safe(int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISDIR(st.st_mode)) return false;
  if (st.st_uid != 0 && st.st_uid != geteuid()) return false;
  if (st.st_mode & S_ISVTX) return true;
  if ((st.st_mode & S_IWGRP) && st.st_gid != 0 && !is_private_group(&st)) return false;
  return !(st.st_mode & S_IWOTH);
}

static bool is_own(int fd) {
  struct stat st;
  return fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & S_ISVTX) && is_safe(fd);
}

static int go_down(const char *path, bool (*last)(int fd)) {
  char full[PATH_MAX], *rest = NULL;
  if (!realpath(path, full)) return -1;
  int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  char *name = strtok_r(full, "/", &rest);
  while (fd >= 0 && name && is_safe(fd)) {
    char *next = strtok_r(NULL, "/", &rest);
    int how = next ? O_PATH : O_RDONLY; // the last one is read
    int below = openat(fd, name, how | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(fd);
    fd = below;
    if (!next && fd >= 0 && last(fd)) return fd;
    if (!next) break;
    name = next;
  }
  if (fd >= 0) close(fd);
  return -1;
}

int trust_open(const char *path) { return go_down(path, is_safe); }
int trust_open_own(const char *path) { return go_down(path, is_own); }

// The system's list of what is mapped where. dladdr gives a library the name that it was asked for by, and a program
// that was found along PATH a name without a folder, which would lead to the current one.
static bool find_mapped(uintptr_t address, char *path, size_t size) {
  char line[PATH_MAX + 128];
  bool found = false;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (maps && !found && fgets(line, sizeof line, maps)) {
    char *end;
    unsigned long long first = strtoull(line, &end, 16), last = *end == '-' ? strtoull(end + 1, &end, 16) : 0;
    if (address < first || address >= last) continue;
    char *slash = strchr(end, '/');
    if (!slash) break;
    size_t n = strcspn(slash, "\n");
    static const char gone[] = " (deleted)"; // replaced by a newer one
    if (n > sizeof gone && memcmp(slash + n - (sizeof gone - 1), gone, sizeof gone - 1) == 0) n -= sizeof gone - 1;
    found = n < size;
    if (found) snprintf(path, size, "%.*s", (int)n, slash);
    break;
  }
  if (maps) fclose(maps);
  return found;
}

bool trust_home(const void *address, char *path, size_t size, bool *program) {
  char self[PATH_MAX];
  Dl_info info;
  bool found = find_mapped((uintptr_t)address, path, size);
  if (!found && dladdr(address, &info) && info.dli_fname && info.dli_fname[0] == '/' && strlen(info.dli_fname) < size) {
    snprintf(path, size, "%s", info.dli_fname);
    found = true;
  }
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n > 0) self[n] = '\0';
  *program = n > 0 && found && strcmp(self, path) == 0;
  return found;
}

bool trust_find(const char *name, char *path, size_t size) {
  char home[PATH_MAX];
  bool program = false;
  static const char here = 0; // an address in this library
  bool known = trust_home(&here, home, sizeof home, &program);
  char *slash = known ? strrchr(home, '/') : NULL;
  if (slash) *slash = '\0';
  const struct {
    const char *folder, *below;
    bool looked; // whether it counts
  } places[] = {
      {home, "/viva/", slash},
      {home, "/",
       slash && !program}, // who puts a program somewhere trusts what is below it, not all that lies beside it
      {home, "/" VIVA_LIBEXEC "/viva/", slash && !program},
      {VIVA_LIBDIR, "/viva/", !slash || program},
      {VIVA_LIBDIR, "/", !slash || program},
      {VIVA_LIBDIR, "/" VIVA_LIBEXEC "/viva/", !slash || program},
  };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (!places[i].looked) continue;
    int n = snprintf(path, size, "%s%s%s", places[i].folder, places[i].below, name);
    if (n > 0 && (size_t)n < size && access(path, R_OK) == 0) return true;
  }
  return false;
}
