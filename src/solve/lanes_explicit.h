// A round of dopri5 or dop853 over lanes. No include guard: part of a template.

// Lanes in which numbers are so large that the extension of a step might overflow though the step does not.
static unsigned explicit_large(const Step *w, unsigned mask) {
  const Lanes *first = w->k[0], *last = w->k[ode_explicit(w->s->method)->last], most = all(1e100);
  Bits large = all_bits(0);
  for (uint32_t e = 0; e < w->n; e++)
    large |= is_above(size_of(first[e]), most) | is_above(size_of(last[e]), most) | is_above(size_of(w->next[e]), most);
  return mask & mask_of(large);
}

// The continuous extension of the steps of these lanes. It is made once, and counted as often as one run makes it.
static unsigned extend(Own *x, unsigned mask) {
  Step *w = &x->w;
  if (mask & ~x->extended) {
    x->judged = 0;
    return x->extended = explicit_extend(w, mask);
  }
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) x->lane[l].u.r.evaluations += w->s->method == ode_dop853 ? 3 : 0;
  }
  return mask;
}

// How far it is off; likewise.
static Lanes defects(Own *x, unsigned mask) {
  if (mask & ~x->judged) {
    x->judged = mask;
    return x->defect = explicit_defect(&x->w, mask);
  }
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) x->lane[l].u.r.evaluations++;
  }
  return x->defect;
}

// Rows by steps of their own; returns the lanes in which that fails. All lanes keep the step that was taken.
static unsigned rows_by_steps(Own *x, unsigned mask) {
  Step *w = &x->w;
  Lanes whole = w->h, err = w->err, *f = w->k[ode_explicit(w->s->method)->last];
  unsigned failed = 0;
  x->extended = x->judged = 0;
  memcpy(w->dense[0], w->next, w->n * sizeof(Lanes));
  memcpy(w->dense[1], f, w->n * sizeof(Lanes));
  for (unsigned due; (due = rows_inside(x, mask & ~failed));) {
    for (int l = 0; l < L; l++) {
      if (due >> l & 1) w->h[l] = x->lane[l].due - x->lane[l].u.r.t;
    }
    unsigned finite = project_rows(x, explicit_try(w, due), w->next);
    failed |= due & ~finite;
    give(x, finite, w->next);
  }
  memcpy(w->next, w->dense[0], w->n * sizeof(Lanes));
  memcpy(f, w->dense[1], w->n * sizeof(Lanes));
  w->h = whole;
  w->err = err;
  return failed;
}

// Returns the lanes that leave the domain of f inside the step.
static unsigned explicit_rows(Own *x, unsigned mask) {
  unsigned due = rows_inside(x, mask), far = 0;
  if (!due) return 0;
  unsigned good = extend(x, due), failed = due & ~good;
  if (!good) return failed;
  Lanes defect = defects(x, good);
  for (int l = 0; l < L; l++) {
    if ((good >> l & 1) && defect[l] > explicit_row_defect) far |= 1u << l;
  }
  failed |= rows_by_extension(x, good & ~far, explicit_dense);
  return far ? failed | rows_by_steps(x, far) : failed;
}

// ---- whole steps for the observer

static const double *explicit_dense_lanes(void *self, const double *part) {
  Own *x = self;
  explicit_dense(&x->w, parts_of(part), x->w.z);
  return (const double *)x->w.z;
}

// By steps of their own; beside the start, where they would be too short, straight lines.
static const double *explicit_stepped_lanes(void *self, const double *part) {
  Own *x = self;
  Step *w = &x->w;
  unsigned by_kind = w->scales.by_kind, far = 0; // a trial teaches nothing
  for (int l = 0; l < L; l++) {
    w->h[l] = part[l] * x->lane[l].u.h;
    if (part[l] > 1e-9) far |= x->spanned & 1u << l;
  }
  w->scales.by_kind = 0;
  Bits finite = bits_of(explicit_try(w, far) & far);
  w->scales.by_kind = by_kind;
  for (uint32_t e = 0; e < w->n; e++) w->next[e] = blend(finite, w->next[e], w->y[e] + w->h * w->k[0][e]);
  return (const double *)w->next;
}

// As show_span of explicit.c.
static void explicit_spans(Own *x, unsigned mask) {
  Step *w = &x->w;
  if (!x->o->span || !mask) return;
  Lanes whole = w->h, err = w->err, *f = w->k[ode_explicit(w->s->method)->last];
  unsigned good = extend(x, mask), far = mask & ~good;
  Lanes defect = good ? defects(x, good) : all(0);
  for (int l = 0; l < L; l++) {
    if ((good >> l & 1) && !(defect[l] <= explicit_row_defect)) far |= 1u << l;
  }
  show_spans(x, mask & ~far, explicit_dense_lanes);
  if (!far) return;
  memcpy(w->dense[0], w->next, w->n * sizeof(Lanes));
  memcpy(w->dense[1], f, w->n * sizeof(Lanes));
  show_spans(x, far, explicit_stepped_lanes);
  memcpy(w->next, w->dense[0], w->n * sizeof(Lanes));
  memcpy(f, w->dense[1], w->n * sizeof(Lanes));
  w->h = whole;
  w->err = err;
}

// f at the start of a step, and the first step.
static unsigned explicit_start(Own *x, unsigned fresh) {
  Step *w = &x->w;
  unsigned finite = step_f(w, fresh, &w->t, w->y, w->temp);
  leave_all(x, fresh & ~finite, ode_not_finite);
  Bits which = bits_of(finite);
  for (uint32_t e = 0; e < w->n; e++) w->k[0][e] = blend(which, w->temp[e], w->k[0][e]);
  unsigned first = know_start(x, finite);
  if (first) step_first(w, first, w->k[0], ode_explicit(w->s->method)->start);
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if ((finite >> l & 1) && a->after_event) a->u.h = ode_after_event(&a->u, a->u.h);
    if (finite >> l & 1) a->after_event = false;
  }
  return finite;
}

// The step size after an accepted step; or the other method.
static void explicit_next(Own *x, int l) {
  Lane *a = &x->lane[l];
  const Step *w = &x->w;
  if (a->u.passed_break) {
    a->u.h = 0;
    a->fresh = a->after_event = true;
    a->c.before = ode_control().before;
    a->c.rejected = false;
    return;
  }
  if (ode_next_explicit(&a->u, &a->c, w->err[l], w->reach[l], w->moved[l], w->p->jacobian != NULL)) change_method(a);
}

// Events of the steps of these lanes, and their records; lanes in which one is found are served alone. Returns those
// that go on; *outside: those whose steps are to be tried again.
static unsigned explicit_look(Own *x, unsigned mask, unsigned *outside) {
  enum { most_defect = 1000, most_halvings = 8 }; // as in explicit.c
  unsigned good = extend(x, mask), judged = 0;
  for (int l = 0; l < L; l++) {
    const Lane *a = &x->lane[l];
    if ((good >> l & 1) && a->u.search && a->halvings < most_halvings) judged |= 1u << l;
  }
  Lanes defect = judged ? defects(x, judged) : all(0);
  *outside |= mask & ~good;
  for (int l = 0; l < L; l++) {
    Lane *a = &x->lane[l];
    if (!(good >> l & 1)) continue;
    a->far_off = (judged >> l & 1) && defect[l] > most_defect;
    a->halvings = a->far_off ? a->halvings + 1 : 0;
    if (a->far_off) *outside |= 1u << l;
  }
  good &= ~*outside;
  unsigned seen, clear = clear_lanes(x, good, explicit_dense_lanes, &seen);
  for (int l = 0; l < L; l++) {
    if ((good >> l & 1) && !look_at_lane(x, l, clear >> l & 1, seen >> l & 1)) good &= ~(1u << l);
  }
  return good;
}

// The steps of these lanes are taken, unless their end or a row inside lies outside the domain.
static void explicit_accept(Own *x, unsigned accepted) {
  Step *w = &x->w;
  const Lanes *f = w->k[ode_explicit(w->s->method)->last];
  x->extended = x->judged = 0;
  settle(x, accepted);
  unsigned large = are_rows_idle(x) ? explicit_large(w, accepted) : 0;
  for (int l = 0; large && l < L; l++) {
    if (large >> l & 1) wake_rows(&x->lane[l]);
  }
  unsigned inside = explicit_project(w, accepted), outside = accepted & ~inside;
  if (w->p->alone) {
    forget_far(x, outside);
    inside = explicit_look(x, inside, &outside);
  }
  outside |= explicit_rows(x, inside);
  retract(x, outside);
  accepted = inside & ~outside;
  explicit_spans(x, accepted);
  for (int l = 0; l < L; l++) {
    if (accepted >> l & 1) explicit_learn(w, l, ode_judge_good(&x->lane[l].u));
  }
  Bits which = bits_of(accepted);
  for (uint32_t e = 0; e < w->n; e++) {
    w->y[e] = blend(which, w->next[e], w->y[e]);
    w->k[0][e] = blend(which, f[e], w->k[0][e]);
  }
  ode_see_sizes(&w->scales, accepted, w->y);
  for (int l = 0; l < L; l++) {
    if ((accepted >> l & 1) && arrive(x, l)) explicit_next(x, l);
  }
}

static void explicit_round(Own *x, unsigned mask) {
  Step *w = &x->w;
  unsigned polishing = polishing_lanes(x, mask), fresh = fresh_lanes(x, mask &= ~polishing), failed;
  if (fresh) mask = (mask & ~fresh) | explicit_start(x, fresh);
  mask = begin(x, mask);
  if (!(mask | polishing)) return;
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) explicit_learn(w, l, ode_judge_ahead(&x->lane[l].u));
  }
  unsigned finite = explicit_try(w, mask | polishing), accepted = sort_trials(x, mask, finite, &failed);
  if (accepted) explicit_find_reach(w, accepted);
  if (polishing) polish(x, polishing, finite);
  for (int l = 0; l < L; l++) {
    OdeRun *u = &x->lane[l].u;
    if (!(failed >> l & 1)) continue;
    explicit_learn(w, l, ode_judge(u, step_worst(w, l)));
    step_remember_failure(w, l);
    u->h = ode_retry_explicit(ode_explicit(w->s->method), u->h, w->err[l]);
  }
  if (accepted) explicit_accept(x, accepted);
}
