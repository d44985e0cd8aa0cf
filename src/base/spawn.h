// Child processes: another program, run and waited for, with a limit of time.
#ifndef VIVA_BASE_SPAWN_H
#define VIVA_BASE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum SpawnStatus {
  spawn_done,       // it ended; see code
  spawn_missing,    // there is no such program
  spawn_failed,     // it cannot be started
  spawn_late,       // it was killed at the limit
  spawn_interrupted // it was killed because `interrupted` said so
} SpawnStatus;

typedef struct SpawnResult {
  SpawnStatus status;
  int code;          // exit status; 128 and the signal when it was killed by one
  char output[1024]; // the beginning of what it printed, as a string
} SpawnResult;

// Runs argv[0] (found along PATH) with no input, in a process group of its own, which is killed at the limit. `folder`:
// where it is to have its own files (its TMPDIR); NULL: where it likes.
SpawnResult spawn_wait(const char *const *argv, const char *folder, double limit, bool (*interrupted)(void *self),
                       void *self);

#endif
