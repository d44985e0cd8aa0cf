// The edit distance of Damerau and Levenshtein (optimal string alignment) by dynamic programming: d[i][j] is the
// distance from the first i letters of a to the first j of b.
#include "base/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

unsigned word_distance(const char *a, const char *b) {
  enum { longest = 40 };
  size_t na = strlen(a), nb = strlen(b);
  if (na > longest || nb > longest) return 1000;
  unsigned d[longest + 1][longest + 1];
  for (size_t i = 0; i <= na; i++) d[i][0] = (unsigned)i;
  for (size_t j = 0; j <= nb; j++) d[0][j] = (unsigned)j;
  for (size_t i = 1; i <= na; i++) {
    for (size_t j = 1; j <= nb; j++) {
      unsigned best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && d[i - 2][j - 2] + 1 < best) best = d[i - 2][j - 2] + 1;
      d[i][j] = best;
    }
  }
  return d[na][nb];
}
