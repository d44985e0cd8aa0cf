// Spelling correction: the known word that a mistyped one was meant to be.
#ifndef VIVA_CLI_NEAREST_H
#define VIVA_CLI_NEAREST_H

typedef struct Nearest {
  const char *word; // as it was typed
  const char *best; // NULL: none is near
  unsigned distance;
} Nearest;

void nearest_try(Nearest *n, const char *known);

#endif
