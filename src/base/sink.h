// A sink takes the rows of a study. Studies open no files; show/ implements sinks that do.
#ifndef VIVA_BASE_SINK_H
#define VIVA_BASE_SINK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Sink {
  void *self;
  bool (*header)(void *self, const char *const *names, size_t count); // false: stop, cannot go on
  bool (*row)(void *self, const double *values, size_t count);
  bool (*between)(void *self, const double *values, size_t count); // a row more, where something jumps; NULL: as `row`
} Sink;

#endif
