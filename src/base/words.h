// How near two words are, for hints: "did you mean ...?". Stands alone: the command links it, too.
#ifndef VIVA_BASE_WORDS_H
#define VIVA_BASE_WORDS_H

// Insertions, deletions, changes and swaps of neighbours that lead from one to the other; 1000: a word is too long.
unsigned word_distance(const char *a, const char *b);

#endif
