// One SIMD lane that is integrated alone: its memory, and the choice of the method.
#include "solve/alone.h"

#include "solve/adaptive.h"

static void show_scales(LaneAlone *x, OdeScales *s) {
  x->seen = s->seen;
  x->unsized = s->unsized;
  x->kind_part = s->kind_part;
  x->roundoff = s->roundoff;
  x->noise = s->noise;
  x->rounded = s->rounded;
  x->atol = s->atol;
  x->kind_seen = s->kind_seen;
  x->by_kind = &s->by_kind;
}

LaneAlone *alone_new(Arena *arena, const OdeProblem *p, const OdeSettings *s) {
  LaneAlone *x = arena_new_of(arena, LaneAlone);
  Adaptive *a = arena_new_of(arena, Adaptive);
  if (!x || !a) return NULL;
  *a = (Adaptive){.u = {.arena = arena, .p = p, .s = s}};
  Step *w = &a->w;
  if (!step_init(w, arena, p, s) || !adaptive_explicit_room(a)) return NULL;
  a->u.y = w->y = arena_array(arena, (size_t)p->n + 1, sizeof *w->y);
  if (!w->y) return NULL;
  w->run[0] = &a->u;
  *x = (LaneAlone){.u = &a->u, .y = w->y, .next = w->next, .t = &w->t, .h = &w->h, .dense = w->dense, .inside = a};
  x->stages = w->k;
  x->scaled = w->scaled;
  x->err = &w->err;
  show_scales(x, &w->scales);
  return x;
}

bool alone_stiff(LaneAlone *x) {
  Adaptive *a = x->inside;
  Step *w = &a->w;
  if (!adaptive_rodas_room(a)) return false;
  x->slopes = w->dfdt;
  x->entries = w->entries;
  x->entry_count = w->j->count;
  return true;
}

double *alone_rates(const LaneAlone *x) {
  const Adaptive *a = x->inside;
  return a->u.r.method == ode_rodas ? a->w.f0 : a->w.k[0];
}

void alone_dense(void *self, double part, double *y) {
  LaneAlone *x = self;
  Adaptive *a = x->inside;
  if (a->u.r.method == ode_rodas) adaptive_rodas_dense(a, part, y);
  else adaptive_explicit_dense(a, part, y);
}

LaneTurn alone_cut_reached(LaneAlone *x, double at, bool reached, bool ends) {
  return adaptive_explicit_cut_reached(x->inside, at, reached, ends);
}

LaneTurn alone_cut(LaneAlone *x, double at, bool ends) {
  Adaptive *a = x->inside;
  return a->u.r.method == ode_rodas ? adaptive_rodas_cut(a, at, ends) : adaptive_explicit_cut(a, at, ends);
}
