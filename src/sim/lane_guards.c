// Guards of events over SIMD lanes: values at the nine Chebyshev points of the steps, by lanes of the guards' tape.
//
// in    the dense output of eight steps
// out   the values of locating_conditions (locating.c) at each point, to the last bit, and the largest guards
#include "sim/lane_guards.h"

#include "hybrid/locating.h"
#include "tape/lanes.h"

#include <string.h>

enum { L = lane_count };

struct LaneGuards {
  const SimProgram *p;
  const Tape *tape;
  LaneKit kit;
  double *w;  // lanes of the tape
  bool fresh; // parameters changed: to be prepared
  double node[poly_points];
  double *side, *slack, *most; // by mode and lane: of a comparison 1 or -1; as in ModeState; the largest guard
};

bool lane_guards_fit(const SimProgram *p) { return p->events && p->events->mode_count && !p->events->any_wild; }

LaneGuards *lane_guards_new(Arena *arena, const SimProgram *p) {
  LaneGuards *g = arena_new_of(arena, LaneGuards);
  if (!g) return NULL;
  const Tape *tape = p->events->tape[event_guards];
  *g = (LaneGuards){.p = p, .tape = tape, .kit = lanes_kit(tape), .w = lanes_workspace(arena, tape)};
  double cosine[poly_points][poly_points], **rooms[] = {&g->side, &g->slack, &g->most};
  for (int i = 0; i < 3; i++) *rooms[i] = arena_array(arena, (size_t)p->events->mode_count * L, sizeof(double));
  poly_table(g->node, cosine);
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

// The variables of the conditions, at the start of the steps.
static void begin_modes(const LaneGuards *g, Run *const *runs, unsigned mask) {
  for (uint32_t i = 0; i < g->p->events->mode_count; i++) {
    for (unsigned l = 0; l < L; l++) {
      const Hybrid *h = runs[l]->h;
      size_t at = (size_t)i * L + l;
      if (!(mask >> l & 1)) continue;
      g->side[at] = *hybrid_mode(h, i) != 0 ? 1 : -1;
      g->slack[at] = h->modes[i].slack;
      g->most[at] = 0;
    }
  }
}

static void end_modes(const LaneGuards *g, Run *const *runs, unsigned mask) {
  for (uint32_t i = 0; i < g->p->events->mode_count; i++) {
    for (unsigned l = 0; l < L; l++) {
      ModeState *m = &runs[l]->h->modes[i];
      if ((mask >> l & 1) && g->most[(size_t)i * L + l] > m->scale) m->scale = g->most[(size_t)i * L + l];
    }
  }
}

// Mode i in all lanes of one point.
static void put_conditions(const LaneGuards *g, Run *const *runs, unsigned mask, uint32_t i, double *c) {
  const double *v = g->w + (size_t)g->tape->outputs[i] * L, *side = g->side + (size_t)i * L,
               *slack = g->slack + (size_t)i * L;
  const SwitchMode *p = &g->p->events->modes[i];
  double *most = g->most + (size_t)i * L;
  for (int l = 0; l < L; l++) most[l] = fabs(v[l]) > most[l] ? fabs(v[l]) : most[l];
  if (p->timed) {
    for (int l = 0; l < L; l++) c[l] = 1;
    return;
  }
  if (p->kind == mode_above) {
    for (int l = 0; l < L; l++) c[l] = side[l] * v[l] + slack[l];
    return;
  }
  for (unsigned l = 0; l < L; l++) {
    if (mask >> l & 1) c[l] = locating_condition(p->kind, v[l], *hybrid_mode(runs[l]->h, i), slack[l]);
  }
}

// The last double before x, from the side of t < x.
static double margin_before(double x, double t) {
  if (!(x > t && x > 0)) return nextafter(x, t);
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits--;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void take_nodes(LaneGuards *g, Run *const *runs, unsigned mask, const double *t, const double *h,
                       LaneDense *dense, void *from, double *c) {
  double *var = g->w + (size_t)g->tape->param_count * L, part[L] __attribute__((aligned(64))), at[L];
  uint32_t count = g->p->events->mode_count;
  if (g->fresh) lanes_prepare(&g->kit, g->w);
  g->fresh = false;
  bool varies = g->p->events->delay_count > 0;
  for (int j = 0; j < poly_points; j++) {
    double a = g->node[j];
    for (int l = 0; l < L; l++) {
      part[l] = a;
      at[l] = a < 1 ? t[l] + a * h[l] : margin_before(t[l] + h[l], t[l]);
    }
    const double *y = dense(from, part);
    memcpy(var, at, sizeof at);
    memcpy(var + L, y, (size_t)g->p->y.count * L * sizeof *y);
    if (j == 0 || varies) put_z(g, runs, mask, at);
    lanes_eval(&g->kit, g->w);
    for (uint32_t i = 0; i < count; i++) put_conditions(g, runs, mask, i, c + ((size_t)j * count + i) * L);
  }
}

unsigned lane_guards_take(LaneGuards *g, Run *const *runs, unsigned mask, const double *t, const double *h,
                          LaneDense *dense, void *from, double *c) {
  uint32_t count = g->p->events->mode_count;
  for (unsigned l = 0; l < L; l++) {
    bool held = (mask >> l & 1) && runs[l]->h->state->held_count;
    for (uint32_t i = 0; (mask >> l & 1) && !held && i < count; i++) held = runs[l]->h->modes[i].pinned;
    if (held) mask &= ~(1u << l);
  }
  if (!mask) return 0;
  begin_modes(g, runs, mask);
  take_nodes(g, runs, mask, t, h, dense, from, c);
  end_modes(g, runs, mask);
  return mask;
}
