// Event location in SIMD lanes with steps of their own. A step that a lane was to take is searched as that of one run
// is (steps.h, events.h); where a condition ends, the lane is integrated alone (alone.h). No include guard: part of a
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
  Lanes *all_of[] = {s->seen, s->unsized, s->kind_part, s->roundoff, s->noise, s->rounded, s->atol, s->kind_seen};
  double *one_of[] = {b->seen, b->unsized, b->kind_part, b->roundoff, b->noise, b->rounded, b->atol, b->kind_seen};
  unsigned bit = 1u << lane;
  enum { kinds = 7, all_arrays }; // the last one is by kind
  for (int i = 0; i < all_arrays; i++) {
    uint32_t count = i < kinds ? s->count : ode_kinds;
    if (back) scatter(one_of[i], lane, all_of[i], count);
    else gather(all_of[i], lane, one_of[i], count);
  }
  if (back) {
    s->by_kind = *b->by_kind ? s->by_kind | bit : s->by_kind & ~bit;
  } else {
    *b->by_kind = s->by_kind >> lane & 1;
  }
}

// The step of a lane that was tried goes to the one run, as far as its inside is seen.
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

// What follows behind an event: the step size of the other side is chosen again.
static void start_behind(Lane *a) {
  a->u.h = a->c.old_h = 0;
  a->fresh = true;
  a->after_event = a->u.r.method != ode_rodas;
  a->c.before = ode_control().before;
  a->c.rejected = false;
  if (!a->after_event) a->u.last_event = a->u.r.t;
}

// The lane returns.
static void go_on_behind(Own *x, int lane, LaneTurn turn) {
  Lane *a = &x->lane[lane];
  take_back(x, lane);
  if (turn == lane_again && a->u.r.method == ode_rodas) a->fresh = true; // as after a step
  if (turn == lane_again) return;
  if (turn == lane_over) leave(x, lane, a->u.r.status);
  else if (!(a->u.r.t < x->w.s->t1)) leave_at_end(x, lane);
  else start_behind(a);
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
  go_on_behind(x, lane, alone_cut(b, at, a->c.ends));
}

// ---- the moment of an event, by steps of the method

// May its steps be made among those of the others? Not where it is here and now, or the ends of steps are moved.
static bool may_polish(const Own *x, const Lane *a, double at) {
  return a->u.r.method != ode_rodas && !x->w.p->project && at - a->u.r.t > 4 * DBL_EPSILON * fabs(a->u.r.t);
}

// f at the end of the step of this lane: dop853 has none where the error is too large. False: not finite.
static bool end_rates(Own *x, int lane) {
  Step *w = &x->w;
  if (w->s->method != ode_dop853 || !(w->err[lane] > 1)) return true;
  w->at[lane] = x->lane[lane].polish.t;
  if (!step_f(w, 1u << lane, &w->at, w->next, w->temp)) return false;
  for (uint32_t e = 0; e < w->n; e++) w->k[12][e][lane] = w->temp[e][lane];
  return true;
}

// The step to the event as it was made; its stages where somebody looks into it.
static void bring_reached(Own *x, int lane) {
  const Step *w = &x->w;
  const Lane *a = &x->lane[lane];
  LaneAlone *b = x->alone[lane];
  OdeRun *u = b->u;
  double *y = u->y;
  *u = a->u;
  u->y = y;
  *b->t = w->t[lane];
  *b->h = w->h[lane];
  *b->err = w->err[lane];
  gather(w->y, lane, b->y, w->n);
  gather(w->scaled, lane, b->scaled, w->m);
  bool inside = a->p.events->record || a->due < a->polish.t || a->o.span;
  for (int i = 0; i <= (inside ? ode_explicit(w->s->method)->last : 0); i++) gather(w->k[i], lane, b->stages[i], w->n);
  bring_scales(x, lane, false);
}

// Lanes of the mask whose steps lead to an event; these steps stand in h.
static unsigned polishing_lanes(Own *x, unsigned mask) {
  unsigned polishing = 0;
  for (int l = 0; l < L; l++) {
    const Lane *a = &x->lane[l];
    if (!(mask >> l & 1) || !a->polishes) continue;
    x->w.h[l] = a->polish.t - x->w.t[l];
    polishing |= 1u << l;
  }
  return polishing;
}

// Steps to events were made, beside steps of the others: the next ones, or what happens there.
static void polish(Own *x, unsigned mask, unsigned finite) {
  const Step *w = &x->w;
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    LaneAlone *b = x->alone[l];
    if (!(mask >> l & 1)) continue;
    bool reached = finite >> l & 1;
    if (reached) a->u.cut_error = w->err[l];
    reached = reached && end_rates(x, l);
    gather(w->next, l, b->next, w->n);
    if (reached && event_polish_next(a->u.search, &a->polish, b->next)) continue;
    a->polishes = false;
    bring_reached(x, l);
    go_on_behind(x, l, alone_cut_reached(b, a->polish.t, reached, a->c.ends));
  }
}

// ---- eight steps at once

// Polynomials through the values of a condition at the nine points, as Poly has them.
typedef struct LanePoly {
  Lanes c[poly_points], size;
} LanePoly;

// v: a row of eight each point, `stride` rows apart. By sums and differences of values on both sides of the middle: the
// last bits are not those of poly_fit.
static LanePoly fit_lanes(const Own *x, const Lanes *v, uint32_t stride) {
  enum { half = poly_degree / 2 };
  LanePoly p = {.size = all(0)};
  Lanes even[half + 1], odd[half];
  for (size_t j = 0; j < half; j++) {
    Lanes left = v[j * stride], right = v[(poly_degree - j) * stride];
    even[j] = left + right;
    odd[j] = left - right;
  }
  even[half] = v[(size_t)half * stride];
  for (int k = 0; k < poly_points; k++) {
    Lanes sum = all(0);
    for (int j = 0; j < half + (k % 2 == 0); j++) sum += x->weight[k][j] * (k % 2 ? odd[j] : even[j]);
    p.c[k] = sum;
    p.size += size_of(sum);
  }
  return p;
}

// What fit_lanes multiplies by.
static void find_weights(double weight[poly_points][poly_points], double gap[poly_points]) {
  double node[poly_points], cosine[poly_points][poly_points];
  poly_table(node, cosine);
  for (int k = 0; k < poly_points; k++) {
    for (int j = 0; j < poly_points; j++)
      weight[k][j] = cosine[j][k] * (j == 0 ? 0.5 : 1) * (k == 0 || k == poly_degree ? 1.0 : 2.0) / poly_degree;
    gap[k] = k ? (node[k] - node[k - 1]) * (node[k] - node[k - 1]) / 8 : 0;
  }
}

static Lanes poly_lanes(const LanePoly *p, double s) {
  double u = 1 - 2 * s;
  Lanes a = all(0), b = all(0); // Clenshaw
  for (int k = poly_degree; k > 0; k--) {
    Lanes next = 2 * u * a - b + p->c[k];
    b = a;
    a = next;
  }
  return u * a - b + p->c[0];
}

// max |p''|, by which a polynomial may get below both ends of a piece by h^2/8 times it: |T_k''| <= k^2 (k^2 - 1)/3 and
// u = 1 - 2 s.
static Lanes poly_bend(const LanePoly *p) {
  Lanes bend = all(0);
  for (int k = 2; k < poly_points; k++) bend += 4.0 / 3 * k * k * (k * k - 1) * size_of(p->c[k]);
  return bend;
}

// By up to how much condition i counts as zero, as in by_polynomial of events.c.
static Lanes little_lanes(const Own *x, unsigned mask, uint32_t i, Lanes size, Lanes *armed) {
  Lanes noise = all(0), rearm = all(0), time = size_of(x->w.t);
  for (int l = 0; l < L; l++) {
    const OdeEvents *e = x->lane[l].p.events;
    if (!(mask >> l & 1)) continue;
    noise[l] = e->noise[i];
    rearm[l] = e->fresh[i] ? e->rearm[i] : 0;
    (*armed)[l] = e->fresh[i] ? 0 : 1;
  }
  Lanes rounding = noise + 4 * DBL_EPSILON * time * size / x->w.h, least = larger_of(4 * DBL_EPSILON * size, rounding);
  return larger_of(least, rearm);
}

// Lanes in which condition i stays above zero on its step, as event_search would find, and nothing grazes: it is far
// from zero, or its polynomial fits and stays clear of zero at the points and between them. One that starts at zero
// (fresh) has to be clear from the second point of the grid of first_end (events.c) on. Where this is not decisive the
// search of one run decides.
static unsigned passing_lanes(const Own *x, unsigned mask, uint32_t i, uint32_t count) {
  const Lanes *v = x->nodes + i, none = all(0), start = v[0];
  Lanes least = start, most = start, armed = all(0);
  Bits number = is_equal(start, start);
  for (size_t j = 1; j < poly_points; j++) {
    Lanes now = v[j * count];
    number &= is_equal(now, now);
    least = blend(is_above(least, now), now, least);
    most = larger_of(now, most);
  }
  Bits far = number & is_above(least, none) & is_above(0.5 * (most + least), EVENT_OVERSHOOT * (most - least));
  unsigned passing = mask & mask_of(far);
  if (passing == mask) return mask;
  LanePoly p = fit_lanes(x, v, count);
  Lanes rest = size_of(p.c[poly_degree]) + size_of(p.c[poly_degree - 1]),
        little = little_lanes(x, mask, i, p.size, &armed), bend = poly_bend(&p),
        limit = 1.01 * larger_of(little, EVENT_NEAR_PART * p.size);
  // the least from the first point on, and from the second point of the grid up to there
  Lanes second = poly_lanes(&p, 1.0 / poly_grid_parts), before = v[count], slope = all(0),
        low = blend(is_above(second, before), before, second) - x->gap[1] * bend;
  for (size_t j = 2; j < poly_points; j++) {
    Lanes now = v[j * count], lower = blend(is_above(before, now), now, before) - x->gap[j] * bend;
    low = blend(is_above(low, lower), lower, low);
    before = now;
  }
  for (int k = 1; k < poly_points; k++) slope -= 2.0 * k * k * p.c[k]; // at the start
  Bits rises = is_above(slope, 1e-9 * p.size) | is_above(little, start),
       clear = is_above(start - x->gap[1] * bend, limit);
  Bits good = clear | (is_equal(armed, none) & is_above(start, -little) & rises);
  Bits fits = number & is_above(EVENT_FITTING_REST * p.size, rest) & is_above(low, limit);
  return passing | (mask & mask_of(good & fits));
}

// Lanes of the mask in which nothing can happen inside of the step. *seen: lanes whose conditions at the points are
// known.
static unsigned clear_lanes(Own *x, unsigned mask, LaneDense *dense, unsigned *seen) {
  const Step *w = &x->w;
  *seen = 0;
  if (!w->p->conditions || !x->nodes || !mask) return 0;
  uint32_t count = x->condition_count;
  *seen =
      w->p->conditions(w->p->self, mask, (const double *)&w->t, (const double *)&w->h, dense, x, (double *)x->nodes);
  mask &= *seen;
  for (uint32_t i = 0; mask && i < count; i++) mask = passing_lanes(x, mask, i, count);
  const Lanes *last = x->nodes + (size_t)poly_degree * count;
  for (int l = 0; l < L; l++) {
    for (uint32_t i = 0; (mask >> l & 1) && i < count; i++) event_pass(x->lane[l].p.events, i, last[i][l]);
  }
  return mask;
}

// Looks into the step of a lane that is about to be taken; clear: only its record is to be made; seen: its conditions
// at the points are known. False: it is not taken; the lane was served, or is done.
static bool look_at_lane(Own *x, int lane, bool clear, bool seen) {
  Lane *a = &x->lane[lane];
  OdeRun *u = &a->u;
  const OdeEvents *e = a->p.events;
  LaneAlone *b = x->alone[lane];
  double at;
  bool search = u->search && !clear;
  if (!e || (!search && !e->record)) return true;
  bring_inside(x, lane);
  if (search) u->search->given = seen ? (const double *)x->nodes + lane : NULL;
  if (search && ode_search_event(u, u->r.t, alone_dense, b, &at)) {
    b->u->cut_error = 0;
    a->polishes = may_polish(x, a, at);
    if (a->polishes) a->polish = event_polish_begin(u->search, at);
    else serve(x, lane, at);
    return false;
  }
  if (!e->record || !(a->t_next > u->r.t) || e->record(e->self, u->r.t, a->t_next, alone_dense, b)) return true;
  leave(x, lane, ode_no_memory);
  x->no_memory = true;
  return false;
}
