// Options of a sweep. See sweep_request.h.
#include "cli/sweep_request.h"

#include "cli/message.h"

#include <math.h>

SweepRequest sweep_request_none(void) { return (SweepRequest){.samples = NAN, .seed = NAN, .threads = NAN}; }

const char *sweep_request_said(const SweepRequest *w) {
  const struct {
    bool said;
    const char *name;
  } all[] = {{w->vary.count > 0, "--vary"},
             {w->random.count > 0, "--random"},
             {!isnan(w->samples), "--samples"},
             {w->where.count > 0, "--where"},
             {w->measures.count > 0, "--measure"},
             {w->correlation != NULL, "--correlation"},
             {w->sampling != NULL, "--sampling"},
             {!isnan(w->seed), "--seed"},
             {w->indices, "--indices"},
             {!isnan(w->threads), "--threads"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i].said) return all[i].name;
  }
  return NULL;
}

// Whole numbers out of their range; NAN: not said. -1: they are in it.
static int read_counts(const SweepRequest *w, viva_sweep_options *o) {
  const struct {
    const char *option;
    double value, least;
  } counts[] = {{"--samples", w->samples, 1}, {"--seed", w->seed, 0}, {"--threads", w->threads, 1}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    double v = counts[i].value;
    if (isnan(v) || (v >= counts[i].least && v <= 1e15 && v == floor(v))) continue;
    complain("`%s` needs a whole number from %.0f on", counts[i].option, counts[i].least);
    return exit_input;
  }
  if (!isnan(w->samples)) o->samples = (uint64_t)w->samples;
  if (!isnan(w->seed)) o->seed = (uint64_t)w->seed;
  if (!isnan(w->threads)) o->threads = w->threads > 1024 ? 1024 : (unsigned)w->threads;
  return -1;
}

int sweep_request_read(const SweepRequest *w, viva_sweep_options *o) {
  static const char *const kinds[] = {"random", "latin", "sobol"};
  int kind = 0, status = read_counts(w, o);
  if (status < 0 && w->sampling) status = choose("--sampling", w->sampling, &(Choice){kinds, 3, NULL, 0}, &kind);
  if (status >= 0) return status;
  o->sampling = (viva_sampling)kind;
  o->correlation = w->correlation;
  o->indices = w->indices;
  o->vary = w->vary.items;
  o->vary_count = w->vary.count;
  o->random = w->random.items;
  o->random_count = w->random.count;
  o->where = w->where.items;
  o->where_count = w->where.count;
  o->run.measures = w->measures.items;
  o->run.measure_count = w->measures.count;
  return -1;
}

void sweep_request_free(SweepRequest *w) {
  TextList *lists[] = {&w->vary, &w->random, &w->where, &w->measures};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free_list(lists[i]);
}
