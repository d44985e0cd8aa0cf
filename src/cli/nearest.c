// Spelling correction by edit distance.
//
// in    a word, and known ones, one after another
// out   the one of at most three changes, fewer than the word has letters; of equally near ones the one that starts
//       alike, for one knows how a word begins
#include "cli/nearest.h"

#include "base/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { most_changes = 3 }; // more is another word, not a slip

static size_t common_start(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] && a[n] == b[n]) n++;
  return n;
}

void nearest_try(Nearest *n, const char *known) {
  unsigned d = word_distance(n->word, known);
  if (d > most_changes || d >= strlen(n->word)) return;
  bool nearer = !n->best || d < n->distance ||
                (d == n->distance && common_start(n->word, known) > common_start(n->word, n->best));
  if (!nearer) return;
  n->best = known;
  n->distance = d;
}
