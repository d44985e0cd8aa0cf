// Statistics of a parameter study: mean and deviation in one pass (Welford 1962), quantiles by linear interpolation.
#include "sim/tally.h"

#include <math.h>
#include <stdlib.h>

bool tally_init(Tally *t, Arena *arena, uint32_t measures, uint32_t wheres) {
  *t = (Tally){.measures = measures, .wheres = wheres};
  t->of = arena_array(arena, (size_t)measures + 1, sizeof *t->of);
  for (uint32_t i = 0; t->of && i < measures; i++) t->of[i] = (TallyMeasure){.low = INFINITY, .high = -INFINITY};
  return t->of != NULL;
}

void tally_clear(Tally *t) {
  for (uint32_t i = 0; t->of && i < t->measures; i++) free(t->of[i].values);
  t->of = NULL;
}

static void keep(Tally *t, TallyMeasure *m, double value) {
  if (t->cut || m->count * t->measures > tally_most_values) {
    t->cut = true;
    return;
  }
  if (m->count > m->room) {
    size_t room = m->room ? 2 * m->room : 1024;
    double *more = realloc(m->values, room * sizeof *more);
    if (!more) {
      t->cut = true;
      return;
    }
    m->values = more;
    m->room = room;
  }
  m->values[m->count - 1] = value;
}

void tally_take(Tally *t, uint64_t sample, const double *values) {
  t->done++;
  if (!values) {
    if (t->failed < tally_listed) t->failures[t->failed] = sample;
    t->failed++;
    return;
  }
  bool passes = t->wheres > 0;
  for (uint32_t i = 0; i < t->measures; i++) {
    TallyMeasure *m = &t->of[i];
    if (i >= t->measures - t->wheres) passes = passes && values[i] == 1;
    if (isnan(values[i])) continue;
    m->count++;
    if (isfinite(values[i])) {
      double apart = values[i] - m->mean;
      m->mean += apart / (double)m->count;
      m->square += apart * (values[i] - m->mean);
    } else {
      m->infinite += values[i];
    }
    m->low = fmin(m->low, values[i]);
    m->high = fmax(m->high, values[i]);
    keep(t, m, values[i]);
  }
  if (!passes) return;
  if (t->passed < tally_listed) t->listed[t->passed] = sample;
  t->passed++;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Of sorted values.
static double quantile(const TallyMeasure *m, double part) {
  double at = part * (double)(m->count - 1), below = floor(at);
  size_t i = (size_t)below;
  if (at == below || m->values[i] == m->values[i + 1]) return m->values[i];
  return m->values[i] + (at - below) * (m->values[i + 1] - m->values[i]);
}

TallyStatistics tally_statistics(Tally *t, uint32_t measure) {
  TallyMeasure *m = &t->of[measure];
  TallyStatistics s = {m->count, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  if (!m->count) return s;
  s.mean = m->infinite == 0 ? m->mean : isnan(m->infinite) ? NAN : m->infinite;
  s.sd = m->infinite == 0 && m->count > 1 ? sqrt(m->square / (double)(m->count - 1)) : NAN;
  s.min = m->low;
  s.max = m->high;
  if (t->cut) return s;
  qsort(m->values, m->count, sizeof *m->values, compare);
  s.low = quantile(m, 0.05);
  s.median = quantile(m, 0.5);
  s.high = quantile(m, 0.95);
  return s;
}
