// Events of lanes with steps of their own. A step that a lane was to take is looked into as that of one motion is
// (steps.h, events.h); where a condition ends, the lane is served alone (alone.h). No include guard: part of a
// template.

static void forget_far(Own *x, unsigned mask) {
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) x->lane[l].far_off = false;
  }
}

static void gather(const Lanes *from, int lane, double *to, uint32_t count) {
  for (uint32_t e = 0; e < count; e++) to[e] = from[e][lane];
}

static void scatter(const double *from, int lane, Lanes *to, uint32_t count) {
  for (uint32_t e = 0; e < count; e++) to[e][lane] = from[e];
}

// Both kinds of a lane's numbers: those of the step, and what was learned about sizes.
static void bring_scales(Own *x, int lane, bool back) {
  OdeScales *s = &x->w.scales;
  LaneAlone *b = x->alone[lane];
  Lanes *all_of[] = {s->seen, s->unsized, s->kind_part, s->dust, s->noise, s->rounded, s->atol, s->kind_seen};
  double *one_of[] = {b->seen, b->unsized, b->kind_part, b->dust, b->noise, b->rounded, b->atol, b->kind_seen};
  unsigned bit = 1u << lane;
  enum { kinds = 7, all_arrays }; // the last one is by kind
  for (int i = 0; i < all_arrays; i++) {
    uint32_t count = i < kinds ? s->count : ode_kinds;
    if (back) scatter(one_of[i], lane, all_of[i], count);
    else gather(all_of[i], lane, one_of[i], count);
  }
  if (back) {
    s->dusty = *b->dusty ? s->dusty | bit : s->dusty & ~bit;
    s->by_kind = *b->by_kind ? s->by_kind | bit : s->by_kind & ~bit;
  } else {
    *b->dusty = s->dusty >> lane & 1;
    *b->by_kind = s->by_kind >> lane & 1;
  }
}

// The step of a lane that was tried goes to the one motion, as far as its inside is seen.
static void bring_inside(Own *x, int lane) {
  const Step *w = &x->w;
  Lane *a = &x->lane[lane];
  LaneAlone *b = x->alone[lane];
  OdeRun *u = b->u;
  double *y = u->y;
  *u = a->u;
  u->y = y;
  *b->t = w->t[lane];
  *b->h = w->h[lane];
  bool stiff = u->r.method == ode_rodas;
  int terms = stiff ? 3 : ode_explicit(w->s->method)->terms;
  for (int i = 0; i < terms; i++) gather(w->dense[i], lane, b->dense[i], w->n);
  if (stiff || a->p.events->record) gather(w->y, lane, b->y, w->n);
  if (stiff) gather(w->next, lane, b->next, w->n);
}

// The lane as it comes back.
static void take_back(Own *x, int lane) {
  Lane *a = &x->lane[lane];
  const LaneAlone *b = x->alone[lane];
  double *y = a->u.y;
  a->u = *b->u;
  a->u.y = y;
  scatter(b->y, lane, x->w.y, x->w.n);
  bring_scales(x, lane, true);
  next_row(a);
}

// What follows behind an event: the step size of the other side is found anew.
static void start_behind(Lane *a) {
  a->u.h = a->c.old_h = 0;
  a->fresh = true;
  a->after_event = a->u.r.method != ode_rodas;
  a->c.before = ode_control().before;
  a->c.rejected = false;
  if (!a->after_event) a->u.last_event = a->u.r.t;
}

// A condition ends at `at` in the step of this lane.
static void serve(Own *x, int lane, double at) {
  const Step *w = &x->w;
  Lane *a = &x->lane[lane];
  LaneAlone *b = x->alone[lane];
  bool stiff = a->u.r.method == ode_rodas;
  if (stiff && !alone_stiff(b)) {
    x->no_memory = true;
    return;
  }
  gather(w->y, lane, b->y, w->n);
  gather(stiff ? w->f0 : w->k[0], lane, alone_rates(b), w->n);
  if (stiff) {
    gather(w->dfdt, lane, b->slopes, w->n);
    gather(w->entries, lane, b->entries, b->entry_count);
  }
  bring_scales(x, lane, false);
  LaneTurn turn = alone_cut(b, at, a->c.ends);
  take_back(x, lane);
  if (turn == lane_again && stiff) a->fresh = true; // as after a step
  if (turn == lane_again) return;
  if (turn == lane_over) leave(x, lane, a->u.r.status);
  else if (!(a->u.r.t < w->s->t1)) leave(x, lane, ode_done);
  else start_behind(a);
}

// Lanes of the mask in which nothing can happen inside of the step.
static unsigned clear_lanes(Own *x, unsigned mask, LaneDense *dense) {
  const Step *w = &x->w;
  if (!w->p->clear || !mask) return 0;
  return w->p->clear(w->p->self, mask, (const double *)&w->t, (const double *)&w->h, dense, x);
}

// Looks into the step of a lane that is about to be taken; clear: only its record is to be made. False: it is not
// taken; the lane was served, or is done.
static bool look_at_lane(Own *x, int lane, bool clear) {
  Lane *a = &x->lane[lane];
  OdeRun *u = &a->u;
  const OdeEvents *e = a->p.events;
  LaneAlone *b = x->alone[lane];
  double at;
  bool search = u->search && !clear;
  if (!e || (!search && !e->record)) return true;
  bring_inside(x, lane);
  if (search && ode_search_event(u, u->r.t, alone_dense, b, &at)) {
    b->u->cut_error = 0;
    serve(x, lane, at);
    return false;
  }
  if (!e->record || !(a->t_next > u->r.t) || e->record(e->self, u->r.t, a->t_next, alone_dense, b)) return true;
  leave(x, lane, ode_no_memory);
  x->no_memory = true;
  return false;
}
