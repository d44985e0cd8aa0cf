// Eight runs in SIMD lanes: the callbacks of ode_solve_lanes.
//
// in    a Program, parameters of each lane, and, where there are events, a Run of each that keeps its branches,
//       memories and past
// out   eight right-hand sides, Jacobians, values of conditions, each with the bits of its run alone
#include "sim/lane_motions.h"

#include "sim/balls.h"
#include "tape/interval.h"

#include <string.h>

double *lane_params(const LaneMotions *k, int lane) { return k->params + (size_t)lane * k->p->param_count; }

// The parameters of a lane go into the lanes of all workspaces.
void lane_motions_begin(LaneMotions *k, int lane) {
  const double *params = lane_params(k, lane);
  for (uint32_t i = 0; i < k->p->param_count; i++) k->w[(size_t)i * lane_count + (size_t)lane] = params[i];
  for (uint32_t i = 0; k->jw && i < k->p->param_count; i++) k->jw[(size_t)i * lane_count + (size_t)lane] = params[i];
  if (k->guards) lane_guards_begin(k->guards, lane, params);
  k->changed = true;
}

void lane_motions_break(LaneMotions *k, int lane, const OdeBreaks *breaks) {
  k->after_start[lane] = breaks->after_start;
  k->any_after_start = k->any_after_start || breaks->after_start;
}

// ---- eight right-hand sides

static void seen_times(const LaneMotions *k, const double *t, double *seen) {
  for (int l = 0; l < lane_count; l++) seen[l] = ode_seen(k->after_start[l], k->p->settled.ode.t0, t[l]);
}

// What events have set goes into the lanes of a tape; with them what varies inside a step, at t and y.
static void put_events(LaneMotions *k, unsigned mask, const Tape *tape, double *w, const double *t, const double *y) {
  enum { L = lane_count };
  uint32_t count = k->p->events->z_count;
  double *to = w + (size_t)(tape->param_count + tape->var_count - count) * L;
  for (unsigned l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    Hybrid *h = k->bound[l]->h;
    if (hybrid_varies(h)) {
      for (uint32_t i = 0; i < k->p->y.count; i++) k->gathered[i] = y[(size_t)i * L + l];
      hybrid_given(h, t[l], k->gathered);
    }
    for (uint32_t i = 0; i < count; i++) to[(size_t)i * L + l] = h->z[i];
  }
}

// What is held does not move.
static void rest_held(const LaneMotions *k, unsigned mask, double *dydt) {
  enum { L = lane_count };
  uint32_t n = k->p->y.total;
  for (unsigned l = 0; l < L; l++) {
    const Hybrid *h = k->bound[l]->h;
    if (!(mask >> l & 1) || !h->state->held_count) continue;
    for (uint32_t i = 0; i < n; i++) k->gathered[i] = dydt[(size_t)i * L + l];
    hybrid_rest(h, k->gathered);
    for (uint32_t i = 0; i < n; i++) dydt[(size_t)i * L + l] = k->gathered[i];
  }
}

static unsigned eval_sides(LaneMotions *k, const double *t, const double *y, double *dydt) {
  const Native *native = k->native;
  return native ? lanes_rates(native, &k->kit, t, y, dydt, k->w)
                : k->kit.rates(&k->kit, k->p->y.count, t, y, dydt, k->w);
}

// The z of lanes in which they changed, or vary, into the lanes of f.
static void put_changed(LaneMotions *k, unsigned mask, const double *t, const double *y) {
  const EventPlan *plan = k->p->events;
  unsigned stale = 0;
  if (!plan->delay_count && !plan->may_hold && !memchr(k->z_changed, true, sizeof k->z_changed)) return;
  for (unsigned l = 0; l < lane_count; l++) {
    if (!(mask >> l & 1) || (!k->z_changed[l] && !hybrid_varies(k->bound[l]->h))) continue;
    k->z_changed[l] = false;
    stale |= 1u << l;
  }
  if (stale) put_events(k, stale, k->p->f, k->w, t, y);
}

static unsigned right_sides(void *self, unsigned mask, const double *times, const double *y, double *dydt) {
  LaneMotions *k = self;
  double seen[lane_count];
  const double *t = times;
  if (k->any_after_start) {
    seen_times(k, times, seen);
    t = seen;
  }
  if (k->changed) {
    lanes_prepare(&k->kit, k->w);
    if (k->jw) lanes_prepare(&k->jacobian_kit, k->jw);
    k->changed = false;
  }
  if (!k->p->events) return eval_sides(k, t, y, dydt);
  // lanes that are not asked for keep their rates: the varying variables are not known at their t and y
  bool keep = k->kept && mask != (1u << lane_count) - 1;
  if (keep) memcpy(k->kept, dydt, (size_t)k->p->y.total * lane_count * sizeof *dydt);
  put_changed(k, mask, t, y);
  unsigned finite = eval_sides(k, t, y, dydt);
  for (size_t i = 0; keep && i < (size_t)k->p->y.total * lane_count; i++) {
    if (!(mask >> i % lane_count & 1)) dydt[i] = k->kept[i];
  }
  if (k->p->events->may_hold) rest_held(k, mask, dydt);
  return finite;
}

// As run_rounding, of one lane.
static bool rounding(void *self, int lane, double t, const double *y, double *error) {
  enum { digits = 8 };
  LaneMotions *k = self;
  const Tape *f = k->p->f;
  if (k->p->events) return run_rounding(k->bound[lane], t, y, error);
  size_t room = tape_rounding_room(f);
  if (!k->errors) k->errors = arena_array(k->arena, room + f->slot_count, sizeof *k->errors);
  if (!k->errors) return false;
  double *w = k->errors + room, *var = tape_vars(f, w);
  memcpy(w, lane_params(k, lane), k->p->param_count * sizeof *w);
  tape_prepare(f, w);
  var[0] = ode_seen(k->after_start[lane], k->p->settled.ode.t0, t);
  memcpy(var + 1, y, k->p->y.count * sizeof *y);
  tape_rounding_through(f, w, digits, NULL, 0, k->errors);
  for (uint32_t i = 0; i < k->p->y.count; i++) error[i] = tape_rounding_of(f, k->errors, i);
  return true;
}

// Unit quaternions: their length is 1.
static unsigned normalize(void *self, unsigned mask, const double *t, double *y, unsigned *failed) {
  const LaneMotions *k = self;
  unsigned moved = 0;
  (void)t;
  *failed = 0;
  for (unsigned l = 0; l < lane_count; l++) {
    if ((mask >> l & 1) && balls_normalize(&k->p->s, y + l, lane_count)) moved |= 1u << l;
  }
  return moved;
}

// ---- eight Jacobians

// As eval_jacobian of motion_rates.c. A right-hand side at the same t and y was evaluated before, so all is prepared.
static void jacobians(void *self, unsigned mask, const double *times, const double *y, double *entries) {
  enum { L = lane_count };
  LaneMotions *k = self;
  double t[L];
  seen_times(k, times, t);
  const Tape *tape = k->j->tape;
  const Native *native = k->native_jacobian;
  double *var = k->jw + (size_t)tape->param_count * L;
  memcpy(var, t, L * sizeof *t);
  memcpy(var + L, y, (size_t)k->p->y.count * L * sizeof *y);
  if (k->p->events) put_events(k, mask, tape, k->jw, t, y);
  if (native) lanes_native(native, &k->jacobian_kit, k->jw);
  else lanes_eval(&k->jacobian_kit, k->jw);
  for (uint32_t i = 0; i < k->j->count; i++) {
    const double *v = k->jw + (size_t)tape->outputs[i] * L;
    for (int l = 0; l < L; l++) entries[(size_t)i * L + (size_t)l] = isfinite(v[l]) ? v[l] : 0;
  }
}

// By differences (motion_rates.c), one by one: delayed signals and values that hold vary beside the tape.
static void differences(void *self, unsigned mask, const double *t, const double *y, double *entries) {
  enum { L = lane_count };
  LaneMotions *k = self;
  for (unsigned l = 0; l < L; l++) {
    Run *r = k->bound[l];
    if (!(mask >> l & 1) || !run_jacobian(r)) continue; // made at the first request: the run may be new
    for (uint32_t i = 0; i < k->p->y.total; i++) k->gathered[i] = y[(size_t)i * L + l];
    r->jacobian.eval(r, t[l], k->gathered, k->slopes);
    for (uint32_t i = 0; i < k->jacobian.count; i++) entries[(size_t)i * L + l] = k->slopes[i];
  }
}

static const LaneJacobian *get_differences(LaneMotions *k) {
  const OdeJacobian *j = NULL;
  if (k->jacobian.start) return &k->jacobian;
  for (int l = 0; l < lane_count; l++) {
    if (!(j = run_jacobian(k->bound[l]))) return NULL;
  }
  k->slopes = arena_array(k->arena, (size_t)j->count + 1, sizeof *k->slopes);
  if (!k->slopes) return NULL;
  k->jacobian = (LaneJacobian){j->start, j->row, j->count, differences};
  return &k->jacobian;
}

static const LaneJacobian *get_jacobian(void *self) {
  LaneMotions *k = self;
  if (k->jw) return &k->jacobian;
  if (k->p->events && k->bound[0]->differences) return get_differences(k);
  k->j = program_jacobian(k->p, (TapeAsk){k->asker, k->interrupted});
  if (!k->j) return NULL;
  if (k->compile) k->native_jacobian = k->compile(k->asker, k->j->tape);
  k->jacobian_kit = lanes_kit(k->j->tape);
  k->jw = lanes_workspace(k->arena, k->j->tape);
  if (!k->jw) return NULL;
  memcpy(k->jw, k->w, (size_t)k->p->param_count * lane_count * sizeof *k->jw);
  lanes_prepare(&k->jacobian_kit, k->jw);
  k->jacobian = (LaneJacobian){k->j->start, k->j->row, k->j->count, jacobians};
  return &k->jacobian;
}

static unsigned conditions(void *self, unsigned mask, const double *t, const double *h, LaneDense *dense, void *from,
                           double *c) {
  LaneMotions *k = self;
  return lane_guards_take(k->guards, k->bound, mask, t, h, dense, from, c);
}

static OdeProblem problem_alone(void *self, int lane) {
  LaneMotions *k = self;
  return run_problem(k->bound[lane]);
}

// ---- whole steps

// The step of one lane.
typedef struct SeenLane {
  const LaneMotions *k;
  int lane;
  LaneDense *dense;
  void *from;
} SeenLane;

static void seen_lane(void *self, double part, double *y) {
  const SeenLane *x = self;
  double parts[lane_count] __attribute__((aligned(64)));
  for (int l = 0; l < lane_count; l++) parts[l] = part;
  const double *all = x->dense(x->from, parts);
  for (uint32_t i = 0; i < x->k->p->y.total; i++) y[i] = all[(size_t)i * lane_count + (size_t)x->lane];
}

void lane_motions_span(const LaneMotions *k, unsigned mask, const double *t0, const double *t1, LaneDense *dense,
                       void *from) {
  for (int l = 0; l < lane_count; l++) {
    SeenLane seen = {k, l, dense, from};
    if (mask >> l & 1) run_take_span(k->bound[l], t0[l], t1[l], seen_lane, &seen);
  }
}

// ---- the whole

static bool make_rooms(LaneMotions *k, bool own) {
  const SimProgram *p = k->p;
  k->kit = lanes_kit(p->f);
  k->w = lanes_workspace(k->arena, p->f);
  k->params = arena_array(k->arena, (size_t)p->param_count * lane_count + 1, sizeof *k->params);
  if (lane_guards_fit(p) && !(k->guards = lane_guards_new(k->arena, p))) return false;
  if (own) k->gathered = arena_array(k->arena, (size_t)p->y.total + 1, sizeof *k->gathered);
  if (p->events && (p->events->delay_count || p->events->may_hold))
    k->kept = arena_array(k->arena, (size_t)p->y.total * lane_count, sizeof *k->kept);
  return k->w && !arena_failed(k->arena);
}

bool lane_motions_init(LaneMotions *k, Arena *arena, const SimProgram *p) {
  k->p = p;
  k->arena = arena;
  if (!make_rooms(k, p->constraints || p->events)) return false;
  // lanes without a run compute with the model's own values
  for (int l = 0; l < lane_count; l++) {
    memcpy(lane_params(k, l), p->values.params, p->param_count * sizeof *k->params);
    lane_motions_begin(k, l);
  }
  return true;
}

void lane_motions_own(LaneMotions *k, int lane, Run *r) {
  k->bound[lane] = r;
  r->z_changed = &k->z_changed[lane];
  k->z_changed[lane] = true;
}

LaneProblem lane_motions_problem(LaneMotions *k) {
  const SimProgram *p = k->p;
  return (LaneProblem){.n = p->y.total,
                       .checked = p->y.count,
                       .self = k,
                       .f = right_sides,
                       .jacobian = get_jacobian,
                       .kinds = p->y.kinds,
                       .project = p->s.tree.balls.count ? normalize : NULL,
                       .rounding = rounding,
                       .empty = !p->s.energy.kept,
                       .total = p->total,
                       .alone = p->events ? problem_alone : NULL,
                       .conditions = k->guards ? conditions : NULL};
}
