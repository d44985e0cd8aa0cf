// The past of delayed signals, as delays.c keeps it.
#ifndef VIVA_STUDY_HISTORY_H
#define VIVA_STUDY_HISTORY_H

#include "study/hybrid.h"

enum { history_degree = 8 };

typedef struct Mark {
  double t;
  uint64_t segment; // the first one behind it
  int generation;
} Mark;

struct History {
  VEC(double) start, end; // of the segments
  VEC(double) c;          // coefficients: segment, delay, power
  uint64_t dropped;       // segments that nobody needs any more
  VEC(Mark) marks;
  uint32_t *next; // by delay: the first mark whose image lies ahead
  double node[history_degree + 1], cosine[history_degree + 1][history_degree + 1];
  double *values, *y;
  double longest;
  int passing; // the least generation of marks whose images were passed last; -1: none
};

#endif
