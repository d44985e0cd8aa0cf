// Long lists of names with indices: of a stretch the first and the last are shown.
#ifndef VIVA_SYSTEM_LISTED_H
#define VIVA_SYSTEM_LISTED_H

#include "base/text.h"

typedef struct ListedName {
  const char *name;
  const char *unit, *value; // what must be the same along a stretch; NULL: none
} ListedName;

// The stretch of neighbours from `at` on that are shown as the first and the last: T[1] .. T[200], or with several
// names in turn x[1], y[1] .. x[9], y[9]. Returns how many, and how many names there are in turn; 1: none.
uint32_t listed_stretch(const ListedName *list, uint32_t count, uint32_t at, uint32_t most_period, uint32_t *period);
// All of them, with their units: T[1] .. T[200] [K], x [m].
void listed_write(const ListedName *list, uint32_t count, Text *out);

#endif
