// The driver of one run with adaptive step size, and `auto`: stiffness detection and the change of the method.
//
// Stiffness: the explicit method notices that stability holds its step (ode_next_explicit) and asks for rodas. Rodas
// goes back when it gains nothing, or when its steps are so small that the explicit method is stable again
// (ode_next_rodas). All by counts, so a run repeats bit by bit.
#include "solve/adaptive.h"

// The first row, the search for events, and what happens at the very start. False: the run is over.
static bool begin(Adaptive *a) {
  OdeRun *u = &a->u;
  const OdeSettings *s = u->s;
  u->row = 1;
  while (u->row < u->rows && ode_row_time(s, u->row) <= s->start) u->row++;
  if (!u->o->row(u->o->self, s->start, u->y)) {
    u->r.status = ode_stopped;
    return false;
  }
  if (u->row >= u->rows) return false;
  const OdeEvents *events = u->p->events;
  if (events && events->count && !(u->search = event_search_new(u->arena, events, u->p->n))) {
    u->r.status = ode_no_memory;
    return false;
  }
  if (!events || !ode_at_break(&s->breaks, &u->next_break, s->start)) return true;
  u->r.t = ode_step_over(u, s->start); // where it was held
  return ode_happen(u, u->r.t);
}

// Rodas does not suit this run: the explicit method goes on as well as it can, and no longer asks for rodas.
static void stay_explicit(OdeRun *u) {
  u->patience = UINT32_MAX / (2 * ode_pressed_factor);
  u->r.status = ode_done;
  u->r.method = u->s->method;
  if (--u->r.changes == 0) u->r.stiff_at = NAN;
}

static void drive(Adaptive *a) {
  OdeRun *u = &a->u;
  while (true) {
    u->change = false;
    if (u->r.method == ode_rodas) adaptive_rodas(a);
    else adaptive_explicit(a);
    if (u->r.status == ode_too_dense && u->s->automatic) {
      stay_explicit(u);
      continue;
    }
    u->r.next_step = u->h;
    if (!u->change) return;
    if (!u->r.changes++) u->r.stiff_at = u->r.t;
    u->r.method = u->r.method == ode_rodas ? u->s->method : ode_rodas;
  }
}

OdeResult ode_solve_adaptive(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  Adaptive adaptive = {.u = {.arena = arena, .p = p, .s = s, .o = o, .y = y, .h = s->first}}, *a = &adaptive;
  OdeRun *u = &a->u;
  u->patience = 15;
  u->shake_at = 64;
  u->rows = ode_row_count(s);
  u->last_event = s->start;
  u->r = (OdeResult){.status = ode_done, .t = s->start, .smallest = INFINITY, .method = s->method, .stiff_at = NAN};
  if (!step_init(&a->w, arena, p, s)) {
    u->r.status = ode_no_memory;
    return u->r;
  }
  a->w.run[0] = u;
  a->w.y = y;
  ode_start_sizes(&a->w.scales, 0, y);
  if (begin(a)) drive(a);
  linear_clear(&a->w.matrix);
  return u->r;
}
