// Calls a fuzz target with each file, or file of a folder, in the arguments: the corpus is replayed in every test run.
#define _POSIX_C_SOURCE 200809L
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>

static int replay(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return -1;
  size_t cap = 1 << 22, size;
  uint8_t *data = malloc(cap);
  size = data ? fread(data, 1, cap, f) : 0;
  fclose(f);
  // no byte more than the input, so that reading beyond it is noticed
  uint8_t *exact = malloc(size ? size : 1);
  if (data && exact) {
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
  }
  free(data);
  free(exact);
  return 0;
}

int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++) {
    DIR *folder = opendir(argv[i]);
    if (!folder && replay(argv[i]) == 0) count++;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
      if (entry->d_name[0] == '.') continue;
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
      if (replay(path) == 0) count++;
    }
    if (folder) closedir(folder);
  }
  printf("%d inputs\n", count);
  return count > 0 ? 0 : 1;
}
