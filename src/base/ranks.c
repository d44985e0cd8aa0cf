// MPI ranks: which processes mpirun started with this one, and the module that exchanges messages with them.
#include "base/ranks.h"

#include "base/trust.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// As Open MPI's and MPICH's starters say it.
static int from_environment(const char *const *names, int otherwise) {
  for (int i = 0; i < 2; i++) {
    const char *text = getenv(names[i]);
    if (text && *text) return (int)strtol(text, NULL, 10);
  }
  return otherwise;
}

int ranks_announced(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  int count = from_environment(names, 1);
  return count > 1 ? count : 1;
}

int ranks_own(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};
  return from_environment(names, 0);
}

const Ranks *ranks_join(Arena *arena, const char **why, const char **hint) {
  char path[4096];
  *hint = "Debian has it in the packages libopenmpi-dev and openmpi-bin: install them, then build again; or start it "
          "without `mpirun`, on all processors of one machine";
  if (!trust_find("viva-mpi.so", path, sizeof path)) {
    *why = "this program was built without MPI: it cannot share its work with other processes";
    return NULL;
  }
  // what Open MPI loads itself looks for its symbols among all others
  void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE), *symbol;
  if (!module) {
    const char *text = dlerror();
    *why = arena_printf(arena, "the module for MPI cannot be loaded: %s", text ? text : path);
    return NULL;
  }
  symbol = dlsym(module, RANKS_ENTRY);
  RanksEntry *entry = NULL;
  if (symbol) memcpy(&entry, &symbol, sizeof entry); // an object pointer may not be cast to a function's
  const Ranks *ranks = entry ? entry() : NULL;
  if (ranks && ranks->version == ranks_version) return ranks;
  *why = !entry || ranks ? "viva-mpi.so belongs to another version" : "MPI does not start";
  return NULL;
}
