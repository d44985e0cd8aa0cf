// MPI ranks: processes that mpirun started together, on one machine or on many, and the messages between them. MPI
// itself stands behind a module (src/ranks/), which is there where it was found when the program was built.
#ifndef VIVA_BASE_RANKS_H
#define VIVA_BASE_RANKS_H

#include "base/arena.h"

typedef struct Ranks Ranks;

enum { ranks_version = 1 };

struct Ranks {
  int version;
  int rank, count; // this one, and all
  int local;       // of them on this machine
  // A message to one of them; it is copied. False: it cannot be sent.
  bool (*send)(const Ranks *ranks, int to, const void *bytes, size_t length);
  // The next message, if one comes within `seconds`. *bytes: owned by the caller (free). False: none, or
  // *broken.
  bool (*receive)(const Ranks *ranks, double seconds, int *from, char **bytes, size_t *length, bool *broken);
  void (*leave)(const Ranks *ranks); // all of them have to; what was sent has arrived then
};

typedef const Ranks *RanksEntry(void);
#define RANKS_ENTRY "viva_ranks_entry"

int ranks_announced(void); // how many processes the environment tells of; 1: this one is alone
int ranks_own(void);       // which of them this one is
// Joins the others, once a process. NULL: *why, an English sentence, and *hint, both from the arena.
const Ranks *ranks_join(Arena *arena, const char **why, const char **hint);

#endif
