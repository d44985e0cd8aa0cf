// Signals where a channel enters or a loop is opened: `let`s and outputs become inputs when the model is read.
#ifndef VIVA_CLI_TAPS_H
#define VIVA_CLI_TAPS_H

#include <stddef.h>

enum { most_taps = 3 };
typedef struct Taps {
  const char *names[most_taps];
  size_t count;
  char *from; // of the path; for free_taps
} Taps;

// Of "u:y", a cut and a signal that is described; each may be NULL.
void find_taps(const char *path, const char *open, const char *describe, Taps *out);
void free_taps(Taps *taps);

#endif
