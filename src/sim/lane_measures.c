// Measures of runs in SIMD lanes.
//
// The nine points of a step are evaluated for all lanes at once, by lanes of the tape; what a lane needs beyond them,
// where a polynomial does not fit or a corner is looked for, by a tape of its own.
#include "sim/lane_measures.h"

#include "tape/lanes.h"

#include <string.h>

struct LaneMeasures {
  const SimProgram *p;
  const MeasurePlan *plan;
  LaneKit kit;
  double *w;  // lanes of the tape
  bool fresh; // parameters changed: to be prepared
  MeasureRun run[lane_count];
  double *nodes; // by lane, point and number
};

static bool cut_lane(LaneMeasures *m, Arena *arena, int lane) {
  MeasureRun *r = &m->run[lane];
  Cutter none = {0};
  measures_cut(r, m->plan, m->p->y.total, &none);
  Cutter c = {.base = arena_alloc(arena, none.at)};
  if (!c.base) return false;
  memset(c.base, 0, none.at);
  measures_cut(r, m->plan, m->p->y.total, &c);
  r->room = lane ? m->run[0].room : arena_array(arena, gauge_room(&m->plan->gauges), sizeof *r->room);
  return r->room != NULL;
}

LaneMeasures *lane_measures_new(Arena *arena, const SimProgram *p) {
  LaneMeasures *m = arena_new_of(arena, LaneMeasures);
  if (!m) return NULL;
  *m = (LaneMeasures){.p = p, .plan = p->measures, .kit = lanes_kit(p->measures->tape)};
  m->w = lanes_workspace(arena, m->plan->tape);
  m->nodes = arena_array(arena, (size_t)lane_count * poly_points * gauge_width(&m->plan->gauges), sizeof *m->nodes);
  for (int l = 0; l < lane_count; l++) {
    if (!cut_lane(m, arena, l)) return NULL;
  }
  return m->w && m->nodes ? m : NULL;
}

void lane_measures_begin(LaneMeasures *m, int lane, const double *params) {
  MeasureRun *r = &m->run[lane];
  const Tape *tape = m->plan->tape;
  for (uint32_t i = 0; i < tape->param_count; i++) m->w[(size_t)i * lane_count + (size_t)lane] = params[i];
  memcpy(r->w, params, tape->param_count * sizeof *params);
  tape_prepare(tape, r->w);
  *r->run.clock = (GaugeClock){0};
  m->fresh = true;
}

static double time_at(const LaneMeasures *m, const LaneSpan *s, int lane, double part) {
  double t0 = s->t0[lane], t1 = s->t1[lane], t = part < 1 ? t0 + part * (t1 - t0) : nextafter(t1, t0);
  return ode_seen(s->after_start[lane], m->p->settled.ode.t0, t);
}

// ---- the nine points of all lanes

static void take_nodes(LaneMeasures *m, const LaneSpan *s) {
  enum { L = lane_count };
  const Tape *tape = m->plan->tape;
  uint32_t width = tape->output_count;
  double *var = m->w + (size_t)tape->param_count * L, part[L] __attribute__((aligned(64)));
  if (m->fresh) lanes_prepare(&m->kit, m->w);
  m->fresh = false;
  for (int j = 0; j < poly_points; j++) {
    double at = j == poly_degree ? 1 : m->plan->gauges.node[j];
    for (int l = 0; l < L; l++) {
      part[l] = at;
      var[l] = time_at(m, s, l, at);
    }
    const double *y = s->dense(s->from, part);
    memcpy(var + L, y, (size_t)m->p->y.total * L * sizeof *y);
    lanes_eval(&m->kit, m->w);
    for (uint32_t i = 0; i < width; i++) {
      const double *v = m->w + (size_t)tape->outputs[i] * L;
      for (int l = 0; l < L; l++) m->nodes[((size_t)l * poly_points + (size_t)j) * width + i] = v[l];
    }
  }
}

// ---- one lane

typedef struct ShownLane {
  LaneMeasures *m;
  const LaneSpan *span;
  int lane;
} ShownLane;

static void eval_one(LaneMeasures *m, int lane, double t, const double *y, double *out) {
  const Tape *tape = m->plan->tape;
  double *w = m->run[lane].w, *var = tape_vars(tape, w);
  var[0] = t;
  memcpy(var + 1, y, m->p->y.total * sizeof *y);
  tape_eval(tape, w);
  for (uint32_t i = 0; i < tape->output_count; i++) out[i] = tape_result(tape, w, i);
}

static void shown_at(void *self, double part, double *out) {
  const ShownLane *x = self;
  LaneMeasures *m = x->m;
  double parts[lane_count] __attribute__((aligned(64))), *own = m->run[x->lane].y;
  for (int l = 0; l < lane_count; l++) parts[l] = part;
  const double *y = x->span->dense(x->span->from, parts);
  for (uint32_t i = 0; i < m->p->y.total; i++) own[i] = y[(size_t)i * lane_count + (size_t)x->lane];
  eval_one(m, x->lane, time_at(m, x->span, x->lane, part), own, out);
}

void lane_measures_take(LaneMeasures *m, const LaneSpan *s) {
  const GaugePlan *g = &m->plan->gauges;
  take_nodes(m, s);
  for (int l = 0; l < lane_count; l++) {
    if (!(s->mask >> l & 1)) continue;
    ShownLane shown = {m, s, l};
    GaugeStep step = {.t0 = s->t0[l],
                      .t1 = s->t1[l],
                      .self = &shown,
                      .at = shown_at,
                      .nodes = m->nodes + (size_t)l * poly_points * gauge_width(g)};
    gauge_step(g, &m->run[l].run, m->run[l].room, &step);
  }
}

const double *lane_measures_end(LaneMeasures *m, int lane, const double *params, double t, const double *y) {
  MeasureRun *r = &m->run[lane];
  eval_one(m, lane, t, y, r->row);
  gauge_end(&m->plan->gauges, &r->run, t, r->row, r->gauges);
  measures_total(m->plan, params, r->gauges, r->total, r->values);
  return r->values;
}
