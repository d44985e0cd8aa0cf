// Branch and prune with interval Newton over a box of unknowns. See search.h.
//
// in    equations at rest, bounds of the unknowns (angles on which everything depends with period 2 pi: one period)
// out   zeros, each with bounds and a box that holds no other; how many boxes are undecided
// how   A box is thrown away when some equation cannot vanish in it, or Krawczyk's image misses it; it is done when the
//       image lies inside. Else what is left of it is looked at again, or cut. A zero on a cut is found from either
//       side by a box around it, and counted once: two zeros are one where the bounds of one lie in
//       the box of the other.
// why   Bounds are widened a little first: a zero on the border belongs to the box.
#include "rest/search.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  most_boxes = 200000,
  most_rounds = 40, // of one box that gets smaller
  deepest = 4096,   // boxes that wait
  refinements = 100
};
static const double two_pi = 6.28318530717958647692;
static const double border = 1e-10;  // of the width: so much the box is widened
static const double smallest = 1e-7; // of the width: less is not cut
static const double worth_it = 0.02; // of the width: from here on a box around a zero is tried
static const double cut_at = 0.5117; // of the width: not the middle, where models like to have their zeros

typedef struct Hull {
  double *lo, *hi;
} Hull;

typedef struct Hunt {
  BoxSearch *s;
  Krawczyk k;
  double *domain_lo, *domain_hi;
  double *stack; // boxes of 2 n numbers
  uint32_t waiting;
  RestBox z, around;
  VEC(Hull) hulls;
} Hunt;

bool search_open(BoxSearch *s, StaticForm *f) {
  Arena *arena = f->o->arena;
  *s = (BoxSearch){.form = f, .missing = UINT32_MAX};
  s->lo = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  s->hi = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  s->at = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  s->active = arena_array(arena, (size_t)f->n + 1, sizeof(bool));
  s->turns = arena_array(arena, (size_t)f->n + 1, sizeof(bool));
  s->rests = arena_array(arena, (size_t)f->n + 1, sizeof(bool));
  if (arena_failed(arena) || !static_start(f, s->at)) return false;
  for (uint32_t i = 0; i < f->n; i++) s->lo[i] = s->hi[i] = NAN;
  return true;
}

// ---- the plan

// Does an unknown stand in any equation?
static bool occurs(const StaticForm *f, uint32_t i) {
  for (uint32_t r = 0; r < f->n; r++) {
    for (uint32_t e = 0; e < f->K[r].count; e++) {
      if (f->K[r].items[e].column == i) return true;
    }
  }
  for (uint32_t r = 0; r < f->m; r++) {
    for (uint32_t e = 0; e < f->G[r].count; e++) {
      if (f->G[r].items[e].column == i) return true;
    }
  }
  return false;
}

// Is everything as it was after a whole turn? In numbers, at a few scattered points.
static bool is_periodic(const StaticForm *f, const OperatingTape *t, double *u, double *before, uint32_t i) {
  uint32_t count = t->tape->output_count;
  for (int tries = 0; tries < 4; tries++) {
    double size = 0, change = 0;
    for (uint32_t k = 0; k < f->n; k++) u[k] = sin(3.1 * k + 1.3 * tries + 0.7) * (1 + tries);
    static_eval(f, t, u, NULL);
    for (uint32_t k = 0; k < count; k++) {
      before[k] = tape_result(t->tape, t->w, k);
      size = fmax(size, fabs(before[k]));
    }
    u[i] += two_pi;
    static_eval(f, t, u, NULL);
    for (uint32_t k = 0; k < count; k++) change = fmax(change, fabs(tape_result(t->tape, t->w, k) - before[k]));
    if (!(change <= 1e-11 * size)) return false;
  }
  return true;
}

bool search_plan(BoxSearch *s) {
  StaticForm *f = s->form;
  Arena *arena = f->o->arena;
  OperatingTape t;
  ExprId *list = arena_array(arena, (size_t)f->n + f->m + 1, sizeof *list);
  double *u = arena_array(arena, (size_t)2 * f->n + f->m + 1, sizeof *u);
  if (!list || !u) return false;
  for (uint32_t i = 0; i < f->n; i++) list[i] = f->balance[i];
  for (uint32_t i = 0; i < f->m; i++) list[f->n + i] = f->value[i];
  if (!static_tape(f, list, f->n + f->m, &t)) return false;
  s->square = true;
  static_eval(f, &t, s->at, NULL);
  for (uint32_t i = 0; i < f->n; i++) u[i] = tape_result(t.tape, t.w, i);
  for (uint32_t i = 0; i < f->n; i++) s->rests[i] = f->K[i].count == 0 && u[i] == 0;
  for (uint32_t i = 0; i < f->n; i++) {
    bool stands = occurs(f, i), zero = s->rests[i];
    s->active[i] = stands;
    s->count += stands;
    if (!stands && !zero && f->K[i].count == 0) s->contradiction = true;
    if (stands == zero) s->square = false;
    if (!stands || !isnan(s->lo[i])) continue;
    s->turns[i] = is_periodic(f, &t, u, u + f->n, i);
    if (s->turns[i]) {
      s->lo[i] = -two_pi / 2;
      s->hi[i] = two_pi / 2;
    } else if (s->missing == UINT32_MAX) {
      s->missing = i;
    }
  }
  return true;
}

// ---- boxes

static double width_of(const Hunt *h, const double *lo, const double *hi, uint32_t *widest) {
  double most = -1;
  for (uint32_t i = 0; i < h->k.n; i++) {
    double part = (hi[i] - lo[i]) / (h->domain_hi[i] - h->domain_lo[i]);
    if (part > most && widest) *widest = i;
    most = fmax(most, part);
  }
  return most;
}

static bool meet(double alo, double ahi, double blo, double bhi) { return alo <= bhi && blo <= ahi; }

// A box where nothing is decided: joined with one beside it.
static bool leave(Hunt *h, const double *lo, const double *hi) {
  uint32_t n = h->k.n;
  Arena *arena = h->s->form->o->arena;
  for (uint32_t k = 0; k < h->hulls.count; k++) {
    Hull *g = &h->hulls.items[k];
    bool beside = true;
    for (uint32_t i = 0; i < n; i++) {
      double gap = 1e-3 * (h->domain_hi[i] - h->domain_lo[i]);
      beside = beside && meet(g->lo[i] - gap, g->hi[i] + gap, lo[i], hi[i]);
    }
    if (!beside) continue;
    for (uint32_t i = 0; i < n; i++) {
      g->lo[i] = fmin(g->lo[i], lo[i]);
      g->hi[i] = fmax(g->hi[i], hi[i]);
    }
    return true;
  }
  Hull g = {arena_array(arena, (size_t)n + 1, sizeof(double)), arena_array(arena, (size_t)n + 1, sizeof(double))};
  if (arena_failed(arena)) return false;
  memcpy(g.lo, lo, n * sizeof *lo);
  memcpy(g.hi, hi, n * sizeof *hi);
  return vec_push(arena, &h->hulls, g);
}

static bool push(Hunt *h, const double *lo, const double *hi) {
  uint32_t n = h->k.n;
  if (h->waiting == deepest) return leave(h, lo, hi);
  double *to = h->stack + (size_t)h->waiting++ * 2 * n;
  memcpy(to, lo, n * sizeof *lo);
  memcpy(to + n, hi, n * sizeof *hi);
  return true;
}

static bool cut(Hunt *h) {
  uint32_t widest = 0;
  if (width_of(h, h->z.lo, h->z.hi, &widest) < smallest) return leave(h, h->z.lo, h->z.hi);
  double lo = h->z.lo[widest], hi = h->z.hi[widest], at = lo + cut_at * (hi - lo);
  h->z.hi[widest] = at;
  if (!push(h, h->z.lo, h->z.hi)) return false;
  h->z.hi[widest] = hi;
  h->z.lo[widest] = at;
  return push(h, h->z.lo, h->z.hi);
}

// ---- zeros

// Is the zero with these bounds one that is known? Both must be decided: -1 where they meet and
// neither contains the other.
static int known(const Hunt *h, const SearchRoot *r) {
  const BoxSearch *s = h->s;
  for (uint32_t k = 0; k < s->roots.count; k++) {
    const SearchRoot *o = &s->roots.items[k];
    bool touch = true, inside = true, around = true;
    for (uint32_t i = 0; i < h->k.n; i++) {
      uint32_t u = h->k.active[i];
      double shift = s->turns[u] ? two_pi * nearbyint((o->u[u] - r->u[u]) / two_pi) : 0, slack = shift != 0 ? 1e-14 : 0;
      double lo = r->lo[u] + shift - slack, hi = r->hi[u] + shift + slack;
      touch = touch && meet(lo, hi, o->lo[u], o->hi[u]);
      inside = inside && lo >= o->own_lo[i] && hi <= o->own_hi[i];
      around = around && o->lo[u] - slack >= r->own_lo[i] + shift && o->hi[u] + slack <= r->own_hi[i] + shift;
    }
    if (inside || around) return 1;
    if (touch) return -1;
  }
  return 0;
}

// As large a box around a zero as can be proved to hold no other: by it a zero that is found again is known.
static void grow_own(Hunt *h, RestBox z, SearchRoot *r) {
  static const double parts[] = {1e-2, 1e-4, 1e-6, 1e-8};
  uint32_t n = h->k.n;
  RestBox b = {h->stack + (size_t)2 * n * deepest, h->stack + (size_t)2 * n * deepest + h->k.size};
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
    for (uint32_t i = 0; i < n; i++) {
      double to = parts[p] * (h->domain_hi[i] - h->domain_lo[i]), at = 0.5 * (z.lo[i] + z.hi[i]);
      b.lo[i] = at - to;
      b.hi[i] = at + to;
    }
    memcpy(h->around.lo, b.lo, n * sizeof(double));
    memcpy(h->around.hi, b.hi, n * sizeof(double));
    if (!krawczyk_multipliers(&h->k, b) || krawczyk_look(&h->k, b) != box_one) continue;
    memcpy(r->own_lo, h->around.lo, n * sizeof(double));
    memcpy(r->own_hi, h->around.hi, n * sizeof(double));
    return;
  }
}

// A box with exactly one zero: bounds of it, and whether it is a new one of the domain.
static bool keep(Hunt *h, RestBox z) {
  BoxSearch *s = h->s;
  StaticForm *f = s->form;
  Arena *arena = f->o->arena;
  uint32_t n = h->k.n;
  SearchRoot r = {.u = arena_array(arena, (size_t)f->n + 1, sizeof(double)),
                  .lambda = arena_array(arena, (size_t)f->m + 1, sizeof(double)),
                  .lo = arena_array(arena, (size_t)f->n + 1, sizeof(double)),
                  .hi = arena_array(arena, (size_t)f->n + 1, sizeof(double)),
                  .own_lo = arena_array(arena, (size_t)n + 1, sizeof(double)),
                  .own_hi = arena_array(arena, (size_t)n + 1, sizeof(double))};
  if (arena_failed(arena)) return false;
  memcpy(r.own_lo, h->around.lo, n * sizeof(double));
  memcpy(r.own_hi, h->around.hi, n * sizeof(double));
  for (int k = 0; k < refinements; k++) {
    double before = width_of(h, z.lo, z.hi, NULL);
    krawczyk_look(&h->k, z);
    if (width_of(h, z.lo, z.hi, NULL) > 0.99 * before) break;
  }
  grow_own(h, z, &r);
  bool inside = true;
  memcpy(r.u, s->at, f->n * sizeof *r.u);
  memcpy(r.lo, s->at, f->n * sizeof *r.u);
  memcpy(r.hi, s->at, f->n * sizeof *r.u);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t u = h->k.active[i];
    r.lo[u] = z.lo[i];
    r.hi[u] = z.hi[i];
    r.u[u] = 0.5 * (z.lo[i] + z.hi[i]);
    inside = inside && meet(z.lo[i], z.hi[i], h->domain_lo[i], h->domain_hi[i]);
  }
  for (uint32_t k = 0; k < f->m; k++) r.lambda[k] = 0.5 * (z.lo[n + k] + z.hi[n + k]);
  if (!inside) return true;
  int again = known(h, &r);
  if (again > 0) return true;
  if (again < 0) return leave(h, z.lo, z.hi);
  return vec_push(arena, &s->roots, r);
}

// A box around a zero near the middle of z that holds all of z: exactly one in it?
static bool one_around(Hunt *h) {
  uint32_t n = h->k.n;
  if (!krawczyk_newton(&h->k, h->z)) return false;
  for (double grow = 1; grow <= 64; grow *= 8) {
    for (uint32_t i = 0; i < n; i++) {
      double width = h->domain_hi[i] - h->domain_lo[i];
      double to = fmax(h->z.hi[i] - h->k.middle[i], h->k.middle[i] - h->z.lo[i]);
      if (!(to < width)) return false;
      to = grow * fmax(1.5 * to, 1e-9 * width);
      h->around.lo[i] = h->k.middle[i] - to;
      h->around.hi[i] = h->k.middle[i] + to;
    }
    if (!krawczyk_multipliers(&h->k, h->around)) return false;
    double *lo = h->stack + (size_t)2 * n * deepest, *hi = lo + h->k.size;
    memcpy(lo, h->around.lo, h->k.size * sizeof *lo);
    memcpy(hi, h->around.hi, h->k.size * sizeof *hi);
    if (krawczyk_look(&h->k, (RestBox){lo, hi}) == box_one) {
      memcpy(h->z.lo, lo, h->k.size * sizeof *lo);
      memcpy(h->z.hi, hi, h->k.size * sizeof *hi);
      return true;
    }
    if (!krawczyk_newton(&h->k, h->z)) return false; // the middle again
  }
  return false;
}

// One box of the stack, in h->z. False: out of memory.
static bool decide(Hunt *h) {
  for (int round = 0; round < most_rounds; round++) {
    if (!krawczyk_may_obey(&h->k, h->z)) return true;
    if (!krawczyk_multipliers(&h->k, h->z)) return cut(h);
    if (!krawczyk_may_hold(&h->k, h->z)) return true;
    memcpy(h->around.lo, h->z.lo, h->k.size * sizeof(double));
    memcpy(h->around.hi, h->z.hi, h->k.size * sizeof(double));
    BoxAnswer answer = krawczyk_look(&h->k, h->z);
    if (answer == box_none) return true;
    if (answer == box_one) return keep(h, h->z);
    if (answer == box_smaller) continue;
    if (width_of(h, h->z.lo, h->z.hi, NULL) < worth_it && one_around(h)) return keep(h, h->z);
    return cut(h);
  }
  return one_around(h) ? keep(h, h->z) : cut(h);
}

static bool begin(Hunt *h) {
  BoxSearch *s = h->s;
  Arena *arena = s->form->o->arena;
  if (!krawczyk_open(&h->k, s->form, s->active, s->at)) return false;
  size_t n = h->k.n, size = h->k.size;
  h->domain_lo = arena_array(arena, n + 1, sizeof(double));
  h->domain_hi = arena_array(arena, n + 1, sizeof(double));
  h->stack = arena_array(arena, 2 * n * deepest + 2 * size + 1, sizeof(double));
  h->z = (RestBox){arena_array(arena, size + 1, sizeof(double)), arena_array(arena, size + 1, sizeof(double))};
  h->around = (RestBox){arena_array(arena, size + 1, sizeof(double)), arena_array(arena, size + 1, sizeof(double))};
  if (arena_failed(arena)) return false;
  for (size_t i = 0; i < n; i++) {
    double lo = s->lo[h->k.active[i]], hi = s->hi[h->k.active[i]], more = border * fmax(hi - lo, 1e-6 * fabs(lo));
    h->domain_lo[i] = lo - more;
    h->domain_hi[i] = hi + more;
  }
  return push(h, h->domain_lo, h->domain_hi);
}

static bool keep_left(Hunt *h) {
  BoxSearch *s = h->s;
  const StaticForm *f = s->form;
  Arena *arena = f->o->arena;
  for (uint32_t k = 0; k < h->hulls.count; k++) {
    SearchLeft x = {.lo = arena_array(arena, (size_t)f->n + 1, sizeof(double)),
                    .hi = arena_array(arena, (size_t)f->n + 1, sizeof(double))};
    if (!x.lo || !x.hi) return false;
    for (uint32_t i = 0; i < f->n; i++) x.lo[i] = x.hi[i] = NAN;
    for (uint32_t i = 0; i < h->k.n; i++) {
      x.lo[h->k.active[i]] = h->hulls.items[k].lo[i];
      x.hi[h->k.active[i]] = h->hulls.items[k].hi[i];
    }
    if (!vec_push(arena, &s->left, x)) return false;
  }
  return true;
}

bool search_run(BoxSearch *s) {
  Hunt hunt = {.s = s}, *h = &hunt;
  Operating *o = s->form->o;
  if (!begin(h)) return false;
  uint32_t n = h->k.n;
  while (h->waiting) {
    const double *from = h->stack + (size_t)--h->waiting * 2 * n;
    memcpy(h->z.lo, from, n * sizeof *from);
    memcpy(h->z.hi, from + n, n * sizeof *from);
    bool enough = s->boxes++ >= most_boxes;
    if (enough || s->interrupted ? !leave(h, h->z.lo, h->z.hi) : !decide(h)) return false;
    if (s->boxes % 64 == 0 && o->interrupted && o->interrupted(o->self)) s->interrupted = true;
  }
  return keep_left(h);
}
