// Conditions over lanes: values at the nine Chebyshev points of the steps, by lanes of the guards' tape.
//
// in    the continuous extensions of eight steps
// out   lanes in which the values of every condition stay so far above zero that no polynomial through them gets there
// why   the same test stands at the beginning of by_polynomial (solve/events.c), with the same numbers; where it says
//       nothing, the search of one motion does
#include "sim/lane_guards.h"

#include "tape/lanes.h"

#include <string.h>

enum { L = lane_count };

struct LaneGuards {
  const SimProgram *p;
  const Tape *tape;
  LaneKit kit;
  double *w;  // lanes of the tape
  bool fresh; // parameters changed: to be prepared
  double node[poly_points], cosine[poly_points][poly_points];
  double *least, *most, *last; // by condition and lane
};

bool lane_guards_fit(const SimProgram *p) { return p->events && p->events->mode_count && !p->events->any_wild; }

LaneGuards *lane_guards_new(Arena *arena, const SimProgram *p) {
  LaneGuards *g = arena_new_of(arena, LaneGuards);
  if (!g) return NULL;
  const Tape *tape = p->events->tape[event_guards];
  *g = (LaneGuards){.p = p, .tape = tape, .kit = lanes_kit(tape), .w = lanes_workspace(arena, tape)};
  double **rooms[] = {&g->least, &g->most, &g->last};
  for (int i = 0; i < 3; i++) *rooms[i] = arena_array(arena, (size_t)p->events->mode_count * L, sizeof(double));
  poly_table(g->node, g->cosine);
  return g->w && !arena_failed(arena) ? g : NULL;
}

void lane_guards_begin(LaneGuards *g, int lane, const double *params) {
  for (uint32_t i = 0; i < g->tape->param_count; i++) g->w[(size_t)i * L + (size_t)lane] = params[i];
  g->fresh = true;
}

// What events have set, and at time t what comes out of the past.
static void put_z(const LaneGuards *g, Run *const *runs, unsigned mask, const double *t) {
  uint32_t count = g->p->events->z_count;
  double *to = g->w + (size_t)(g->tape->param_count + g->tape->var_count - count) * L;
  for (unsigned l = 0; l < L; l++) {
    Hybrid *h = runs[l]->h;
    if (!(mask >> l & 1)) continue;
    if (hybrid_varies(h)) hybrid_given(h, t[l], NULL); // nothing is held: y is not asked
    for (uint32_t i = 0; i < count; i++) to[(size_t)i * L + l] = h->z[i];
  }
}

// As locating_conditions, of a mode that holds nothing.
static double condition(const SwitchMode *p, const ModeState *m, double g, double v) {
  switch (p->kind) {
  case mode_above: return (v != 0 ? g : -g) + m->slack;
  case mode_sign: return (v > 0 ? g : v < 0 ? -g : g == 0 ? 1 : -fabs(g)) + m->slack;
  case mode_floor: break;
  }
  return (g - v) * (v + 1 - g);
}

static void see(LaneGuards *g, Run *const *runs, unsigned mask, uint32_t i, bool first) {
  const double *v = g->w + (size_t)g->tape->outputs[i] * L;
  size_t at = (size_t)i * L;
  for (unsigned l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    Hybrid *h = runs[l]->h;
    ModeState *m = &h->modes[i];
    if (fabs(v[l]) > m->scale) m->scale = fabs(v[l]);
    double c = condition(&h->plan->modes[i], m, v[l], *hybrid_mode(h, i));
    bool low = first || !(c >= g->least[at + l]), high = first || !(c <= g->most[at + l]); // what is no number stays
    if (low) g->least[at + l] = c;
    if (high) g->most[at + l] = c;
    g->last[at + l] = c;
  }
}

static void take_nodes(LaneGuards *g, Run *const *runs, unsigned mask, const double *t, const double *h,
                       LaneDense *dense, void *from) {
  double *var = g->w + (size_t)g->tape->param_count * L, part[L] __attribute__((aligned(64))), at[L];
  if (g->fresh) lanes_prepare(&g->kit, g->w);
  g->fresh = false;
  bool varies = g->p->events->delay_count > 0;
  for (int j = 0; j < poly_points; j++) {
    double a = g->node[j];
    for (int l = 0; l < L; l++) {
      part[l] = a;
      at[l] = a < 1 ? t[l] + a * h[l] : nextafter(t[l] + h[l], t[l]);
    }
    const double *y = dense(from, part);
    memcpy(var, at, sizeof at);
    memcpy(var + L, y, (size_t)g->p->y.count * L * sizeof *y);
    if (j == 0 || varies) put_z(g, runs, mask, at);
    lanes_eval(&g->kit, g->w);
    for (uint32_t i = 0; i < g->p->events->mode_count; i++) see(g, runs, mask, i, j == 0);
  }
}

static bool is_far(double least, double most) {
  const double overshoot = 1.2; // as in solve/events.c
  return least > 0 && 0.5 * (most + least) > overshoot * (most - least);
}

unsigned lane_guards_clear(LaneGuards *g, Run *const *runs, unsigned mask, const double *t, const double *h,
                           LaneDense *dense, void *from) {
  uint32_t count = g->p->events->mode_count;
  for (unsigned l = 0; l < L; l++) {
    bool held = (mask >> l & 1) && runs[l]->h->state->held_count;
    for (uint32_t i = 0; (mask >> l & 1) && !held && i < count; i++) held = runs[l]->h->modes[i].pinned;
    if (held) mask &= ~(1u << l);
  }
  if (!mask) return 0;
  take_nodes(g, runs, mask, t, h, dense, from);
  for (unsigned l = 0; l < L; l++) {
    bool clear = mask >> l & 1;
    for (uint32_t i = 0; clear && i < count; i++)
      clear = is_far(g->least[(size_t)i * L + l], g->most[(size_t)i * L + l]);
    if (!clear) mask &= ~(1u << l);
    for (uint32_t i = 0; clear && i < count; i++) event_pass(&runs[l]->h->events, i, g->last[(size_t)i * L + l]);
  }
  return mask;
}
