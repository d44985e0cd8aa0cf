// Linear relations between velocities (or states) while guards are held at zero, by Gaussian elimination. A part of
// holding.h.
//
// What is held does not move against itself, not even by rounding: of velocities (or states) that held guards tie
// together with constant factors, some follow from the others. The largest factor that is left leads its row (pivot).
#include "hybrid/holding.h"

#include "hybrid/stick.h"

#include <math.h>
#include <string.h>

// One row for each held guard that is linear; returns how many. terms: the most columns there can be.
static uint32_t put_rows(Hybrid *h, uint32_t terms) {
  const LinearGuards *g = &h->plan->linear;
  EventState *s = h->state;
  Ties *x = &h->ties;
  uint32_t rows = 0;
  for (uint32_t k = 0; k < s->held_count; k++) {
    uint32_t first = g->first[h->held[k]], end = g->first[h->held[k] + 1];
    for (uint32_t i = first; i < end; i++) {
      uint32_t c = 0;
      while (c < s->tie_columns && x->at[c] != g->at[i]) c++;
      if (c == s->tie_columns) x->at[s->tie_columns++] = g->at[i];
      x->factor[(size_t)rows * terms + c] = g->factor[i];
    }
    rows += end > first;
  }
  return rows;
}

// row -= its entry in a column times another row, whose own is 1 there
static void eliminate(double *row, const double *by, uint32_t lead, uint32_t columns) {
  double l = row[lead];
  for (uint32_t c = 0; l != 0 && c < columns; c++) row[c] -= l * by[c];
}

bool holding_tie(Hybrid *h) {
  const LinearGuards *g = &h->plan->linear;
  EventState *s = h->state;
  Ties *x = &h->ties;
  uint32_t terms = 0;
  s->tie_count = s->tie_columns = 0;
  for (uint32_t k = 0; k < s->held_count; k++) terms += g->first[h->held[k] + 1] - g->first[h->held[k]];
  if (!terms) return true;
  if ((size_t)s->held_count * terms > x->room) {
    x->room = 2 * (size_t)s->held_count * terms;
    x->factor = arena_array(h->arena, x->room, sizeof *x->factor);
  }
  if (!x->factor) return false;
  memset(x->factor, 0, (size_t)s->held_count * terms * sizeof *x->factor);
  uint32_t rows = put_rows(h, terms);
  s->tie_stride = terms;
  for (uint32_t r = 0; r < rows; r++) {
    double *row = x->factor + (size_t)r * terms, *own = x->factor + (size_t)s->tie_count * terms;
    for (uint32_t e = 0; e < s->tie_count; e++)
      eliminate(row, x->factor + (size_t)e * terms, x->lead[e], s->tie_columns);
    uint32_t lead = 0;
    for (uint32_t c = 1; c < s->tie_columns; c++) lead = fabs(row[c]) > fabs(row[lead]) ? c : lead;
    if (!(fabs(row[lead]) > STICK_ALIKE)) continue; // the others hold it
    double pivot = row[lead];
    for (uint32_t c = 0; c < s->tie_columns; c++) own[c] = row[c] / pivot;
    for (uint32_t e = 0; e < s->tie_count; e++) eliminate(x->factor + (size_t)e * terms, own, lead, s->tie_columns);
    x->lead[s->tie_count++] = lead;
  }
  return true;
}

void hybrid_rest(const Hybrid *h, double *dydt) {
  const EventState *s = h->state;
  const Ties *x = &h->ties;
  for (uint32_t e = 0; e < s->tie_count; e++) {
    const double *row = x->factor + (size_t)e * s->tie_stride;
    double sum = 0;
    for (uint32_t c = 0; c < s->tie_columns; c++) sum += c == x->lead[e] || row[c] == 0 ? 0 : row[c] * dydt[x->at[c]];
    dydt[x->at[x->lead[e]]] = 0 - sum;
  }
}
