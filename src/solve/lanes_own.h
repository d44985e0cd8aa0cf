// Lanes with steps of their own: what the methods share, and the rounds. A round is one trial step of every lane: first
// those of the explicit method (lanes_explicit.h), then those of rodas (lanes_rodas.h). When a step may begin and what
// follows its end is asked from steps.c, lane by lane; the arithmetic of adaptive.c and rodas.c is done on vectors, in
// the same order. What a lane computes while it is not among those asked for is thrown away. No include guard: a
// template.
#include "solve/lanes.h"
#include "solve/steps.h"

#include <math.h>
#include <string.h>

enum { L = ode_lanes };

typedef double Lanes __attribute__((vector_size(64), aligned(64)));
typedef long long Bits __attribute__((vector_size(64), aligned(64))); // of each lane all or none

typedef struct Own Own;

// One lane's problem.
typedef struct Lane {
  Own *own;
  int index;
  OdeProblem p;
  OdeSettings s;
  OdeObserver o;
  OdeRun u;
  double due; // time of the next row
  bool active, ends, rejected;
  bool fresh; // f (and J) at the start of the step are to be computed
  double err, t_next;
  double before, reach, moved; // of the explicit method
  uint32_t signs, calm, pressed;
  double old_h, old_err; // of rodas
  uint64_t taken;
  uint32_t quiet;
} Lane;

struct Own {
  Arena *arena;
  const LaneProblem *p;
  const OdeSettings *s;
  const LaneObserver *o;
  uint32_t n, m; // all components; the checked ones
  bool drained;  // no problem is left
  Lane *lane;
  Lanes *t, *h, *at; // of each lane; the time of an evaluation
  Lanes *y, *next, *z, *temp;
  // as OdeScales: by component, by kind; and the parts of components in the error
  Lanes *seen, *unsized, *kind_part, *kind_seen, *noise, *atol, *scaled;
  Lanes *shaken, *blur, *moved_most; // room to measure rounding
  Lanes *k[16], *dense[8];           // scratch within a round, but for k[0] of the explicit method
  double *one;                       // a lane on its own
  // rodas
  const LaneJacobian *j;
  Lanes *unit, *per_unit;
  Lanes *f0, *dfdt, *entries, *fresh_entries, *matrix, *defect;
  Lanes *u[8]; // scratch
  Bits *pivot;
  unsigned *moved; // by column: lanes that exchanged rows
};

static Lanes *new_rows(Arena *arena, size_t n) {
  char *p = arena_alloc(arena, n * sizeof(Lanes) + 64);
  return p ? (Lanes *)(void *)(p + (64 - (uintptr_t)p % 64) % 64) : NULL;
}

// ---- vectors

static inline Lanes all(double x) { return (Lanes){x, x, x, x, x, x, x, x}; }
static inline Lanes blend(Bits which, Lanes a, Lanes b) { return (Lanes)(((Bits)a & which) | ((Bits)b & ~which)); }
static inline Lanes size_of(Lanes a) {
  const long long most = 0x7FFFFFFFFFFFFFFF;
  return (Lanes)((Bits)a & (Bits){most, most, most, most, most, most, most, most});
}

static inline Bits bits_of(unsigned mask) {
  Bits b = {0};
  for (int l = 0; l < L; l++) b[l] = -(long long)(mask >> l & 1);
  return b;
}

static inline unsigned mask_of(Bits b) {
  unsigned mask = 0;
  for (int l = 0; l < L; l++) mask |= b[l] ? 1u << l : 0u;
  return mask;
}

// Tolerance of component e between the values a and b.
static inline Lanes tolerance(const Own *w, uint32_t e, Lanes a, Lanes b) {
  Lanes x = size_of(a), y = size_of(b);
  return w->atol[e] + w->s->rtol * blend(x > y, x, y);
}

static inline int kind_of(const Own *w, uint32_t e) { return e < w->p->kinds[0] ? 0 : e < w->p->kinds[1] ? 1 : 2; }

// The absolute tolerances: ode_set_atol.
static void set_atol(Own *w) {
  const Lanes tiny = all(ODE_TINY);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes size = all(1);
    if (w->s->by_scale) {
      Lanes kind = w->kind_part[e] * w->kind_seen[kind_of(w, e)];
      size = w->seen[e];
      size = blend(kind > size, kind, size);
    }
    Lanes a = w->s->atol * size;
    w->atol[e] = blend(a > tiny, a, tiny) + w->noise[e];
  }
}

// They follow the largest sizes seen: ode_see_sizes.
static void see(Own *w, unsigned mask) {
  Bits which = bits_of(mask), grew = {0};
  for (uint32_t e = 0; w->s->by_scale && e < w->m; e++) {
    Lanes x = size_of(w->y[e]), *kind = &w->kind_seen[kind_of(w, e)];
    Bits larger = (x > w->seen[e]) & which;
    grew |= larger;
    w->seen[e] = blend(larger, x, w->seen[e]);
    *kind = blend(larger & (x > *kind), x, *kind);
  }
  if (mask_of(grew)) set_atol(w);
}

// A lane begins: ode_start_sizes.
static void forget(Own *w, int lane) {
  for (uint32_t e = 0; e < w->m; e++) {
    w->seen[e][lane] = w->kind_part[e][lane] = w->noise[e][lane] = 0;
    w->unsized[e][lane] = w->y[e][lane] == 0 ? 1 : 0;
  }
  for (int k = 0; k < ode_kinds; k++) w->kind_seen[k][lane] = 0;
  set_atol(w);
  see(w, 1u << lane);
}

// f for the lanes of the mask; returns those that are finite.
static unsigned lanes_f(Own *w, unsigned mask, const Lanes *t, const Lanes *y, Lanes *out) {
  for (int l = 0; l < L; l++) w->lane[l].u.r.evaluations += mask >> l & 1;
  return mask & w->p->f(w->p->self, (const double *)t, (const double *)y, (double *)out);
}

// ---- one lane

static void take(const Own *w, const Lanes *y, int lane, double *out) {
  for (uint32_t e = 0; e < w->n; e++) out[e] = y[e][lane];
}

static void leave(Own *w, int lane, OdeStatus status) {
  Lane *x = &w->lane[lane];
  x->u.r.status = status;
  x->active = false;
  take(w, w->y, lane, w->one);
  w->o->done(w->o->self, lane, &x->u.r, w->one);
}

static void leave_all(Own *w, unsigned mask, OdeStatus status) {
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) leave(w, l, status);
  }
}

static bool lane_row(void *self, double t, const double *y) {
  const Lane *x = self;
  const LaneObserver *o = x->own->o;
  if (o->row) o->row(o->self, x->index, t, y);
  return true;
}

static void lane_jump(void *self, double left, double right, double *y) {
  const Lane *x = self;
  const LaneObserver *o = x->own->o;
  if (o->jump) o->jump(o->self, x->index, left, right, y);
}

static void next_row(Lane *x) { x->due = x->u.row < x->u.rows ? ode_row_time(&x->s, x->u.row) : INFINITY; }

// The lane takes the next problem; false: there is none.
static bool enter(Own *w, int lane) {
  Lane *x = &w->lane[lane];
  double *y = x->u.y;
  OdeBreaks breaks = {0};
  while (w->o->next(w->o->self, lane, w->one, &breaks)) {
    *x = (Lane){.own = w,
                .index = lane,
                .p = {.n = w->n, .checked = w->m},
                .s = *w->s,
                .o = {x, lane_row, NULL, lane_jump},
                .active = true,
                .fresh = true,
                .before = 1e-4};
    x->s.breaks = breaks;
    x->u = (OdeRun){.p = &x->p,
                    .s = &x->s,
                    .o = &x->o,
                    .y = y,
                    .row = 1,
                    .rows = ode_row_count(w->s),
                    .patience = 15,
                    .shake_at = 64};
    x->u.r =
        (OdeResult){.status = ode_done, .t = w->s->t0, .smallest = INFINITY, .method = w->s->method, .stiff_at = NAN};
    for (uint32_t e = 0; e < w->n; e++) w->y[e][lane] = w->one[e];
    forget(w, lane);
    lane_row(x, w->s->t0, w->one);
    next_row(x);
    if (x->u.rows > 1) return true;
    leave(w, lane, ode_done);
  }
  return false;
}

// The step of a lane that was accepted is over: y is the new state. False: the lane is done.
static bool arrive(Own *w, int lane) {
  Lane *x = &w->lane[lane];
  OdeRun *u = &x->u;
  bool breaks = x->ends && u->next_break < x->s.breaks.count;
  bool shown = breaks || x->due <= x->t_next;
  if (shown) take(w, w->y, lane, u->y);
  // rows are looked for only where one is due
  uint64_t rows = u->rows;
  if (!shown) u->rows = u->row;
  bool go = ode_end_step(u, x->t_next, x->ends);
  u->rows = rows;
  if (shown) next_row(x);
  if (u->anew) {
    for (uint32_t e = 0; e < w->n; e++) w->y[e][lane] = u->y[e];
    see(w, 1u << lane);
  }
  if (!go) leave(w, lane, u->r.status);
  else if (!(u->r.t < w->s->t1)) leave(w, lane, ode_done);
  return x->active;
}

// ---- the first step: ode_first_step in two halves, with an evaluation of all that need it in between

// Lanes in which component e has no size yet.
static inline Bits are_new(const Own *w, uint32_t e) {
  const Lanes none = all(0), given = all(w->s->atol);
  return (w->y[e] == none) & (w->s->by_scale ? w->seen[e] == none : given == none);
}

static void first_steps(Own *w, unsigned mask, const Lanes *k, int order) {
  uint32_t m = w->m;
  Lanes d0 = {0}, d1 = {0}, d2 = {0}, h0 = {0};
  const Lanes none = all(0);
  for (uint32_t e = 0; e < m; e++) {
    Lanes sc = tolerance(w, e, w->y[e], w->y[e]);
    Bits fresh = are_new(w, e);
    d0 += blend(fresh, none, w->y[e] / sc * (w->y[e] / sc));
    d1 += blend(fresh, none, k[e] / sc * (k[e] / sc));
  }
  for (int l = 0; l < L; l++) {
    double t = w->lane[l].u.r.t;
    if (mask >> l & 1) h0[l] = ode_first_guess(d0[l], d1[l], t, w->s->t1 - t);
  }
  for (uint32_t e = 0; e < w->n; e++) w->z[e] = w->y[e] + h0 * k[e];
  *w->at = *w->t + h0;
  unsigned finite = lanes_f(w, mask, w->at, w->z, w->temp);
  Lanes change = {0}, unit = {0};
  Bits good = bits_of(finite), count = {0};
  for (uint32_t e = 0; e < m; e++) {
    Lanes a = size_of(k[e]), b = size_of(w->temp[e]), c = (w->temp[e] - k[e]) / blend(a > b, a, b);
    Bits fresh = are_new(w, e) & (k[e] != none);
    change += blend(fresh, c * c, none);
    count -= fresh;
  }
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1)
      unit[l] = ode_time_unit(d0[l], change[l], (uint32_t)count[l], h0[l], w->s->t1 - w->lane[l].u.r.t);
  }
  for (uint32_t e = 0; e < m; e++) {
    Lanes sc = tolerance(w, e, w->y[e], w->y[e]), a = size_of(k[e]), b = size_of(w->temp[e]), size = h0 * a;
    Bits fresh = are_new(w, e), expected = fresh & good;
    Lanes *kind = &w->kind_seen[kind_of(w, e)];
    sc = blend(fresh, w->s->rtol * unit * blend(a > b, a, b) + ODE_TINY, sc);
    d1 += blend(fresh, k[e] / sc * (k[e] / sc), none);
    *kind = blend(expected & (size > *kind), size, *kind);
    Lanes d = (w->temp[e] - k[e]) / sc;
    d2 += d * d;
  }
  set_atol(w);
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    double *h = &w->lane[l].u.h;
    *h = finite >> l & 1 ? ode_first_size(m ? d1[l] / m : 0, m ? d2[l] / m : 0, unit[l], h0[l], order, w->lane[l].u.r.t)
                         : h0[l] * 1e-3;
  }
}

// ---- what a rejected step teaches: learn in adaptive.c and rodas.c, ode_learn

// The rounding of f in lane l as changes of f, in `moved`. False: not finite. k: f at t, y.
static bool shake(Own *w, int l, const Lanes *k, Lanes *moved, int round) {
  for (uint32_t e = 0; e < w->n; e++) {
    w->z[e] = w->y[e];
    w->z[e][l] = ode_nudged(w->y[e][l], e, round);
  }
  *w->at = *w->t;
  (*w->at)[l] = ode_shaken_time(&w->lane[l].u, round);
  if (!lanes_f(w, 1u << l, w->at, w->z, moved)) return false;
  for (uint32_t e = 0; e < w->n; e++) moved[e] -= k[e];
  return true;
}

static double worst_of(Own *w, int l) {
  double worst = 0;
  for (uint32_t e = 0; e < w->m; e++) {
    if (!(w->scaled[e][l] > worst)) continue;
    worst = w->scaled[e][l];
    w->lane[l].u.r.held_by = e + 1;
  }
  return worst;
}

// ode_too_steep. moved: the largest changes of f by rounding; k: f at t, y; far: room.
static bool too_steep(Own *w, int l, const Lanes *k, const Lanes *moved, Lanes *far) {
  OdeResult *r = &w->lane[l].u.r;
  bool any = false;
  for (uint32_t e = 0; e < w->m; e++) any = any || moved[e][l] > 1e-3 * fabs(k[e][l]);
  r->steep = 0;
  if (!any || ode_cannot_shake(&w->lane[l].u) || !shake(w, l, k, far, ode_shakes)) return false;
  for (uint32_t e = 0; e < w->m; e++) {
    if (ode_is_steep(k[e][l], moved[e][l], fabs(far[e][l]))) r->steep = e + 1;
  }
  return r->steep != 0;
}

static void learn_kind(Own *w, int l) {
  for (uint32_t e = 0; e < w->m; e++) {
    double *kind = (double *)&w->kind_seen[kind_of(w, e)] + l, size = fabs(w->next[e][l]);
    if (w->scaled[e][l] <= 1 && size > *kind) *kind = size;
  }
  for (uint32_t e = 0; e < w->m; e++) {
    double most = w->s->atol * ODE_KIND_PART * w->kind_seen[kind_of(w, e)][l];
    double error = w->scaled[e][l] * tolerance(w, e, w->y[e], w->next[e])[l];
    if (w->unsized[e][l] > 0 && error <= most && w->s->rtol * w->seen[e][l] <= most) w->kind_part[e][l] = ODE_KIND_PART;
  }
}

static void take_lesson(Own *w, int l, int lesson, const Lanes *noise) {
  OdeRun *u = &w->lane[l].u;
  const OdeSettings *s = w->s;
  if ((lesson & lesson_kind) && s->by_scale) learn_kind(w, l);
  bool counts = false;
  for (uint32_t e = 0; (lesson & lesson_rounding) && e < w->m; e++) {
    double promised = w->atol[e][l] - w->noise[e][l] + s->rtol * fabs(w->y[e][l]);
    counts = counts || noise[e][l] > ODE_NOISE_PART * promised;
  }
  for (uint32_t e = 0; (lesson & lesson_rounding) && e < w->m; e++) {
    double promised = w->atol[e][l] - w->noise[e][l] + s->rtol * (s->by_scale ? w->seen[e][l] : fabs(w->y[e][l]));
    w->noise[e][l] = counts ? noise[e][l] : 0;
    ode_tell_noise(&u->r, e, noise[e][l] / promised);
  }
  if (lesson & lesson_rounding) ode_plan_shake(u, counts);
  set_atol(w);
}

// Lanes whose step may begin; the others are done. Their times and steps stand in t and h.
static unsigned begin(Own *w, unsigned mask) {
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (!(mask >> l & 1)) continue;
    if (ode_begin_step(&x->u, x->rejected, &x->ends)) {
      (*w->h)[l] = x->u.h;
      continue;
    }
    mask &= ~(1u << l);
    leave(w, l, x->u.r.status);
  }
  return mask;
}

// Lanes of the mask whose step was accepted: where it ends.
static void settle(Own *w, unsigned mask) {
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (mask >> l & 1) x->t_next = x->ends ? x->u.stop : x->u.r.t + x->u.h;
  }
}

// Lanes of the mask with a row inside the step.
static unsigned rows_inside(const Own *w, unsigned mask) {
  unsigned due = 0;
  for (int l = 0; l < L; l++) {
    const Lane *x = &w->lane[l];
    if ((mask >> l & 1) && x->due < x->t_next) due |= 1u << l;
  }
  return due;
}

static void change_method(Lane *x) {
  OdeRun *u = &x->u;
  if (!u->r.changes++) u->r.stiff_at = u->r.t;
  u->r.method = u->r.method == ode_rodas ? x->s.method : ode_rodas;
  x->fresh = true;
  x->rejected = false;
  x->before = 1e-4;
  x->signs = x->calm = x->pressed = x->quiet = 0;
  x->old_h = x->old_err = 0;
  x->taken = 0;
}

#include "solve/lanes_explicit.h"
#include "solve/lanes_rodas.h"

// ---- the rounds

static bool own_new(Own *w) {
  Arena *arena = w->arena;
  Lanes **vectors[] = {&w->y,     &w->next, &w->z,      &w->temp,   &w->seen, &w->unsized,   &w->kind_part,
                       &w->noise, &w->atol, &w->scaled, &w->shaken, &w->blur, &w->moved_most};
  for (int i = 0; i < 13; i++) *vectors[i] = new_rows(arena, w->n);
  w->kind_seen = new_rows(arena, ode_kinds);
  Lanes **single[] = {&w->t, &w->h, &w->at};
  for (int i = 0; i < 3; i++) *single[i] = new_rows(arena, 1);
  for (int i = 0; i < 16; i++) w->k[i] = new_rows(arena, w->n);
  for (int i = 0; i < 8; i++) w->dense[i] = new_rows(arena, w->n);
  w->one = arena_array(arena, w->n, sizeof *w->one);
  w->lane = arena_array(arena, L, sizeof *w->lane);
  for (int l = 0; w->lane && l < L; l++) w->lane[l].u.y = arena_array(arena, w->n, sizeof(double));
  if (arena_failed(arena)) return false;
  set_atol(w);
  return true;
}

static bool own_solve(Arena *arena, const LaneProblem *p, const OdeSettings *settings, const LaneObserver *o) {
  Own own = {.arena = arena, .p = p, .s = settings, .o = o, .n = p->n, .m = p->checked}, *w = &own;
  if (!own_new(w)) return false;
  for (uint64_t round = 0;; round++) {
    unsigned explicit_lanes = 0, rodas_lanes = 0;
    for (int l = 0; l < L; l++) {
      Lane *x = &w->lane[l];
      if (!x->active && !w->drained) w->drained = !enter(w, l);
      if (!x->active) continue;
      (*w->t)[l] = x->u.r.t;
      if (x->u.r.method == ode_rodas) rodas_lanes |= 1u << l;
      else explicit_lanes |= 1u << l;
    }
    if (!(explicit_lanes | rodas_lanes)) return true;
    if (round % 16 == 0 && o->stop && o->stop(o->self)) {
      leave_all(w, explicit_lanes | rodas_lanes, ode_stopped);
      return true;
    }
    if (explicit_lanes) explicit_round(w, explicit_lanes);
    if (rodas_lanes && !rodas_round(w, rodas_lanes)) return false;
  }
}
