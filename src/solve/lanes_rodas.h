// A round of rodas over lanes: one factorization for each lane, all at once. No include guard: part of a template.

// f and J at the start of a step, and the first step.
static unsigned rodas_start(Own *x, unsigned fresh) {
  Step *w = &x->w;
  unsigned finite = rodas_look(w, fresh);
  leave_all(x, fresh & ~finite, ode_not_finite);
  unsigned first = know_start(x, finite);
  if (first) step_first(w, first, w->f0, 4);
  if (!finite || !w->s->automatic) return finite;
  Lanes norm = rodas_norm(w);
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if (finite >> l & 1) a->c.quiet = a->u.h * norm[l] < 2 ? a->c.quiet + 1 : 0;
  }
  return finite;
}

// The step size after an accepted step; or the other method.
static void rodas_next(Own *x, int l) {
  Lane *a = &x->lane[l];
  a->fresh = true;
  if (a->u.passed_break) { // the step size of the other side is chosen again
    a->u.h = a->c.old_h = 0;
    a->u.last_event = a->u.r.t;
    a->c.rejected = false;
    return;
  }
  if (ode_next_rodas(&a->u, &a->c, x->w.err[l])) change_method(a);
}

static const double *rodas_dense_lanes(void *self, const double *part) {
  Own *x = self;
  rodas_steady_at(&x->w, parts_of(part), x->w.z);
  return (const double *)x->w.z;
}

static const double *rodas_inside_lanes(void *self, const double *part) {
  Own *x = self;
  rodas_dense_at(&x->w, parts_of(part), x->w.z);
  return (const double *)x->w.z;
}

// The steps of these lanes are taken, unless their end or a row is off the manifold.
static void rodas_accept(Own *x, unsigned accepted) {
  Step *w = &x->w;
  unsigned failed;
  settle(x, accepted);
  step_project(w, accepted, &w->at, w->next, &failed);
  unsigned inside = accepted & ~failed;
  unsigned seen, clear = clear_lanes(x, inside, rodas_inside_lanes, &seen);
  for (int l = 0; w->p->alone && l < L; l++) {
    if ((inside >> l & 1) && !look_at_lane(x, l, clear >> l & 1, seen >> l & 1)) inside &= ~(1u << l);
  }
  unsigned outside = failed | rows_by_extension(x, inside, rodas_dense_at);
  retract(x, outside);
  accepted = inside & ~outside;
  if (x->o->span) show_spans(x, accepted, rodas_dense_lanes);
  for (int l = 0; l < L; l++) {
    if (outside >> l & 1) x->lane[l].fresh = true; // as after a step
    if (accepted >> l & 1) rodas_learn(w, l, ode_judge_good(&x->lane[l].u));
  }
  Bits which = bits_of(accepted);
  for (uint32_t e = 0; e < w->n; e++) w->y[e] = blend(which, w->next[e], w->y[e]);
  ode_see_sizes(&w->scales, accepted, w->y);
  for (int l = 0; l < L; l++) {
    if ((accepted >> l & 1) && arrive(x, l)) rodas_next(x, l);
  }
}

// False: out of memory.
static bool rodas_round(Own *x, unsigned mask) {
  Step *w = &x->w;
  if (!rodas_init(w)) return false;
  unsigned fresh = fresh_lanes(x, mask), failed;
  if (fresh) mask = (mask & ~fresh) | rodas_start(x, fresh);
  mask = begin(x, mask);
  if (!mask) return true;
  unsigned finite = rodas_factor(w, mask);
  for (int l = 0; l < L; l++) {
    if (finite >> l & 1) rodas_learn(w, l, ode_judge_ahead(&x->lane[l].u));
  }
  if (finite) finite = rodas_try(w, finite);
  unsigned accepted = sort_trials(x, mask, finite, &failed);
  for (int l = 0; l < L; l++) {
    OdeRun *u = &x->lane[l].u;
    if (!(failed >> l & 1)) continue;
    rodas_learn(w, l, ode_judge(u, step_worst(w, l)));
    step_remember_failure(w, l);
    u->h = ode_retry_rodas(u->h, w->err[l]);
  }
  if (accepted) rodas_accept(x, accepted);
  return true;
}
