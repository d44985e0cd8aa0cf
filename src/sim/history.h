// The past of delayed signals, as delays.c keeps it.
#ifndef VIVA_SIM_HISTORY_H
#define VIVA_SIM_HISTORY_H

#include "sim/hybrid.h"

enum { history_degree = 8 };

typedef struct Mark {
  double t;
  uint64_t segment; // the first one behind it
  int generation;
  int source; // the delay that passed it on; -1: it concerns all
} Mark;

struct History {
  VEC(double) start, end; // of the segments
  VEC(double) c;          // coefficients: segment, input, power
  uint32_t width;         // different inputs
  uint32_t *input;        // by delay: its input among them
  uint32_t *first;        // by input: the first delay that has it
  uint32_t *cursor;       // by delay: the segment that was read last
  uint64_t dropped;       // segments that nobody needs any more
  VEC(Mark) marks;
  uint32_t *next;  // by delay: the first mark that concerns it and whose image lies ahead
  int64_t *from;   // by delay: the segment behind the last such mark whose image was passed; -1: none
  uint32_t words;  // of a set of delays
  uint64_t *feeds; // by delay: bits of the delays whose outputs its input depends on; NULL: any of them
  double node[history_degree + 1], cosine[history_degree + 1][history_degree + 1];
  bool *passes; // by delay: some delay's input depends on it
  double *values, *y;
  double longest;
};

// After a record was read: `from` follows from the marks.
void history_restore(Hybrid *h);

#endif
