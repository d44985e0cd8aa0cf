// A round of dopri5 or dop853 over lanes: what adaptive.c does. No include guard: part of a template.
#include "solve/dop853_table.h"
#include "solve/dopri5_table.h"

// z = y + h sum_j w_j k_j
static void combine(const Own *w, Lanes *z, const double *weights, int count) {
  Lanes factors[16];
  int which[16], used = 0;
  for (int j = 0; j < count; j++) {
    if (weights[j] == 0) continue;
    factors[used] = *w->h * weights[j];
    which[used++] = j;
  }
  for (uint32_t e = 0; e < w->n; e++) {
    Lanes sum = w->y[e];
    for (int j = 0; j < used; j++) sum += factors[j] * w->k[which[j]][e];
    z[e] = sum;
  }
}

// One trial step; returns the lanes that stayed finite, and their errors.
static unsigned try_five(Own *w, unsigned mask) {
  for (int i = 1; i < 7; i++) {
    Lanes *z = i == 6 ? w->next : w->z;
    combine(w, z, a5[i], i);
    *w->at = *w->t + c5[i] * *w->h;
    mask = lanes_f(w, mask, w->at, z, w->k[i]);
  }
  Lanes sum = {0};
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes d = {0};
    for (int i = 0; i < 7; i++) d += e5[i] * w->k[i][e];
    d *= *w->h / tolerance(w, e, w->y[e], w->next[e]);
    w->scaled[e] = size_of(d);
    sum += d * d;
  }
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    w->lane[l].err = w->m ? sqrt(sum[l] / w->m) : 0;
    if (!isfinite(w->lane[l].err)) mask &= ~(1u << l);
  }
  return mask;
}

static unsigned try_eight(Own *w, unsigned mask) {
  for (int i = 1; i < 12; i++) {
    combine(w, w->z, a853[i], i);
    *w->at = *w->t + c853[i] * *w->h;
    mask = lanes_f(w, mask, w->at, w->z, w->k[i]);
  }
  combine(w, w->next, a853[12], 12);
  Lanes five = {0}, three = {0};
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes d5sum = {0}, d3sum = {0};
    for (int i = 0; i < 12; i++) {
      d5sum += e5_853[i] * w->k[i][e];
      d3sum += (a853[12][i] - b3_853[i]) * w->k[i][e];
    }
    Lanes sc = tolerance(w, e, w->y[e], w->next[e]);
    w->scaled[e] = size_of(*w->h * d5sum / sc);
    five += d5sum / sc * (d5sum / sc);
    three += d3sum / sc * (d3sum / sc);
  }
  unsigned good = 0;
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    Lane *x = &w->lane[l];
    double bottom = five[l] + 0.01 * three[l];
    if (bottom <= 0) bottom = 1;
    x->err = w->m ? fabs((*w->h)[l]) * five[l] / sqrt(bottom * w->m) : 0;
    if (!isfinite(x->err)) mask &= ~(1u << l);
    else if (!(x->err > 1)) good |= 1u << l;
  }
  *w->at = *w->t + *w->h;
  if (!good) return mask;
  return (mask & ~good) | lanes_f(w, good, w->at, w->next, w->k[12]);
}

static unsigned try_step(Own *w, unsigned mask) {
  return w->s->method == ode_dop853 ? try_eight(w, mask) : try_five(w, mask);
}

// h times the size of the largest eigenvalue, seen from the last two stages.
static void find_reach(Own *w, unsigned mask, int last) {
  Lanes above = {0}, below = {0}, moved = {0}, size = {0};
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes sc = tolerance(w, e, w->y[e], w->next[e]);
    Lanes df = (w->k[last][e] - w->k[last - 1][e]) / sc, dy = (w->next[e] - w->z[e]) / sc;
    Lanes by = (w->next[e] - w->y[e]) / sc, y = w->y[e] / sc;
    above += df * df;
    below += dy * dy;
    moved += by * by;
    size += y * y;
  }
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    w->lane[l].moved = size[l] > 0 ? sqrt(moved[l] / size[l]) : 1;
    w->lane[l].reach = below[l] > 0 ? (*w->h)[l] * sqrt(above[l] / below[l]) : 0;
  }
}

// ---- rows inside a step

// The continuous extension; returns the lanes where it is finite.
static unsigned extend(Own *w, unsigned mask) {
  bool eight = w->s->method == ode_dop853;
  int last = eight ? 12 : 6;
  for (int i = 13; eight && i < 16; i++) {
    combine(w, w->z, a853[i], i);
    *w->at = *w->t + c853[i] * *w->h;
    mask = lanes_f(w, mask, w->at, w->z, w->k[i]);
  }
  for (uint32_t e = 0; e < w->n; e++) {
    Lanes diff = w->next[e] - w->y[e], spline = *w->h * w->k[0][e] - diff;
    w->dense[0][e] = w->y[e];
    w->dense[1][e] = diff;
    w->dense[2][e] = spline;
    w->dense[3][e] = diff - *w->h * w->k[last][e] - spline;
    for (int q = 0; q < (eight ? 4 : 1); q++) {
      Lanes sum = {0};
      for (int i = 0; i < (eight ? 16 : 7); i++) sum += (eight ? d853[q][i] : d5[i]) * w->k[i][e];
      w->dense[4 + q][e] = *w->h * sum;
    }
  }
  return mask;
}

// The lanes in which the extension is far worse than the step.
static unsigned far_off(Own *w, unsigned mask) {
  enum { most_defect = 50 };
  int terms = w->s->method == ode_dop853 ? 8 : 5;
  Lanes *slope = w->k[1];
  for (uint32_t e = 0; e < w->n; e++) {
    Lanes v = w->dense[terms - 1][e], d = {0};
    for (int i = terms - 2; i >= 0; i--) {
      double rate = i % 2 ? -1 : 1;
      d = rate * v + 0.5 * d;
      v = w->dense[i][e] + 0.5 * v;
    }
    w->z[e] = v;
    slope[e] = d;
  }
  *w->at = *w->t + 0.5 * *w->h;
  unsigned finite = lanes_f(w, mask, w->at, w->z, w->k[2]), far = mask & ~finite;
  Lanes worst = {0};
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes d = size_of(slope[e] - *w->h * w->k[2][e]) / tolerance(w, e, w->y[e], w->next[e]);
    worst = blend(d > worst, d, worst);
  }
  for (int l = 0; l < L; l++) {
    if ((finite >> l & 1) && worst[l] > most_defect) far |= 1u << l;
  }
  return far;
}

// The extension of each lane at the time of its next row, in z.
static void dense_at(Own *w, unsigned mask) {
  Lanes x = {0};
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) x[l] = (w->lane[l].due - w->lane[l].u.r.t) / w->lane[l].u.h;
  }
  Lanes y = 1 - x;
  bool eight = w->s->method == ode_dop853;
  Lanes *const *d = w->dense;
  for (uint32_t e = 0; e < w->n; e++) {
    Lanes inner = eight ? d[4][e] + x * (d[5][e] + y * (d[6][e] + x * d[7][e])) : d[4][e];
    w->z[e] = d[0][e] + x * (d[1][e] + y * (d[2][e] + x * (d[3][e] + y * inner)));
  }
}

// Rows lie on the manifold; returns the lanes in which they do.
static unsigned project_rows(Own *w, unsigned mask, Lanes *y) {
  unsigned failed;
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) (*w->at)[l] = w->lane[l].due;
  }
  lanes_project(w->p, mask, (const double *)w->at, (double *)y, &failed);
  return mask & ~failed;
}

// The ends of the steps go onto the manifold, and f there is taken again; returns the lanes that stay in the domain.
static unsigned project_ends(Own *w, unsigned mask, int last) {
  unsigned failed;
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) (*w->at)[l] = w->lane[l].t_next;
  }
  unsigned moved = lanes_project(w->p, mask, (const double *)w->at, (double *)w->next, &failed);
  mask &= ~failed;
  if (!moved || last < 0) return mask;
  unsigned finite = lanes_f(w, moved, w->at, w->next, w->temp);
  Bits which = bits_of(finite);
  for (uint32_t e = 0; e < w->n; e++) w->k[last][e] = blend(which, w->temp[e], w->k[last][e]);
  return mask & ~(moved & ~finite);
}

static void give(Own *w, unsigned mask, const Lanes *y) {
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (!(mask >> l & 1)) continue;
    if (w->o->row) {
      take(w, y, l, w->one);
      lane_row(x, x->due, w->one);
    }
    x->u.row++;
    next_row(x);
  }
}

// Rows by steps of their own; returns the lanes in which that fails. All lanes keep the step that was taken.
static unsigned rows_by_steps(Own *w, unsigned mask, int last) {
  Lanes whole = *w->h, err = {0};
  unsigned failed = 0;
  for (int l = 0; l < L; l++) err[l] = w->lane[l].err;
  memcpy(w->dense[0], w->next, w->n * sizeof(Lanes));
  memcpy(w->dense[1], w->k[last], w->n * sizeof(Lanes));
  for (unsigned due; (due = rows_inside(w, mask & ~failed));) {
    for (int l = 0; l < L; l++) {
      if (due >> l & 1) (*w->h)[l] = w->lane[l].due - w->lane[l].u.r.t;
    }
    unsigned finite = project_rows(w, try_step(w, due), w->next);
    failed |= due & ~finite;
    give(w, finite, w->next);
    // the row of a failed one is passed over
    for (int l = 0; l < L; l++) {
      if (!((due & ~finite) >> l & 1)) continue;
      w->lane[l].u.row++;
      next_row(&w->lane[l]);
    }
  }
  memcpy(w->next, w->dense[0], w->n * sizeof(Lanes));
  memcpy(w->k[last], w->dense[1], w->n * sizeof(Lanes));
  *w->h = whole;
  for (int l = 0; l < L; l++) w->lane[l].err = err[l];
  return failed;
}

// Returns the lanes that leave the domain of f inside the step.
static unsigned explicit_rows(Own *w, unsigned mask, int last) {
  unsigned due = rows_inside(w, mask);
  if (!due) return 0;
  unsigned good = extend(w, due), failed = due & ~good, far = good ? far_off(w, good) : 0;
  for (unsigned left; (left = rows_inside(w, good & ~far));) {
    unsigned placed = left;
    if (w->o->row || w->p->project) {
      dense_at(w, left);
      placed = project_rows(w, left, w->z);
    }
    give(w, placed, w->z);
    failed |= left & ~placed;
    good &= placed | ~left;
  }
  return far ? failed | rows_by_steps(w, far, last) : failed;
}

// ---- the round

// f at the start of a step, and the first step.
static unsigned explicit_start(Own *w, unsigned fresh) {
  unsigned finite = lanes_f(w, fresh, w->t, w->y, w->temp), first = 0;
  leave_all(w, fresh & ~finite, ode_not_finite);
  Bits which = bits_of(finite);
  for (uint32_t e = 0; e < w->n; e++) w->k[0][e] = blend(which, w->temp[e], w->k[0][e]);
  for (int l = 0; l < L; l++) {
    if ((finite >> l & 1) && !(w->lane[l].u.h > 0)) first |= 1u << l;
    if (finite >> l & 1) w->lane[l].fresh = false;
  }
  if (first) first_steps(w, first, w->k[0], w->s->method == ode_dop853 ? 7 : 4);
  return finite;
}

// The step size after an accepted step; or the other method.
static void explicit_next(Own *w, Lane *x) {
  OdeRun *u = &x->u;
  bool eight = w->s->method == ode_dop853;
  int order = eight ? 8 : 5;
  double shrink = eight ? 1.0 / 3 : 0.2, grow = eight ? 6 : 10, edge = eight ? 4 : 2.2;
  if (u->anew) {
    u->h = 0;
    x->fresh = true;
    x->before = 1e-4;
    x->rejected = false;
    return;
  }
  double beta = eight ? 0 : 0.04, expo = 1.0 / order - beta * 0.75;
  double factor = x->err > 0 ? 0.9 * pow(x->err, -expo) * pow(x->before, beta) : grow;
  factor = fmin(grow, fmax(shrink, factor));
  if (x->rejected) factor = fmin(factor, 1);
  double most = x->reach > 0 ? edge / x->reach : grow;
  if (factor > 1.5 * most) {
    x->calm = 0;
    x->signs++;
  } else if (++x->calm == 6) {
    x->signs = 0;
  }
  if (factor > most) factor = fmax(most, shrink);
  x->pressed = ode_is_pressed(x->reach, x->moved) ? x->pressed + 1 : 0;
  bool stiff = x->signs >= u->patience || x->pressed >= ode_pressed_factor * u->patience;
  if (w->s->automatic && w->p->jacobian && stiff && !x->ends) {
    u->explicit_h = u->h;
    change_method(x);
    return;
  }
  x->rejected = false;
  x->before = fmax(x->err, 1e-4);
  u->h *= factor;
}

// What the trial step of lane l teaches.
static void explicit_learn(Own *w, int l, int lesson) {
  Lanes *noise = w->blur, *moved = w->shaken;
  if (!lesson) return;
  memset(noise, 0, w->m * sizeof *noise);
  for (int round = 0; (lesson & lesson_rounding) && round < ode_shakes; round++) {
    if (!shake(w, l, w->k[0], moved, round)) continue;
    for (uint32_t e = 0; e < w->m; e++) {
      double d = fabs(moved[e][l]);
      if (d > noise[e][l]) noise[e][l] = d;
    }
  }
  double part =
      (lesson & lesson_rounding) && too_steep(w, l, w->k[0], noise, moved) ? 0 : ODE_NOISE_FACTOR * w->lane[l].u.h;
  for (uint32_t e = 0; e < w->m; e++) noise[e][l] *= part;
  // the noise of a velocity is felt by its place
  for (uint32_t e = 0; e < w->n; e++) w->z[e] = w->y[e];
  for (uint32_t e = 0; e < w->m; e++) w->z[e][l] += noise[e][l];
  if (part > 0 && (lesson & lesson_rounding) && lanes_f(w, 1u << l, w->t, w->z, moved)) {
    for (uint32_t e = 0; e < w->m; e++) {
      double d = w->lane[l].u.h * fabs(moved[e][l] - w->k[0][e][l]);
      if (d > noise[e][l]) noise[e][l] = d;
    }
  }
  take_lesson(w, l, lesson, noise);
}

// The steps of these lanes are taken, unless a row inside lies outside the domain.
static void explicit_accept(Own *w, unsigned accepted, int last) {
  settle(w, accepted);
  unsigned inside = project_ends(w, accepted, last);
  unsigned outside = (accepted & ~inside) | explicit_rows(w, inside, last);
  for (int l = 0; l < L; l++) {
    if (!(outside >> l & 1)) continue;
    w->lane[l].u.h *= 0.1; // outside the domain inside the step: smaller
    w->lane[l].u.r.rejected++;
  }
  accepted &= ~outside;
  for (int l = 0; l < L; l++) {
    if (accepted >> l & 1) explicit_learn(w, l, ode_judge_good(&w->lane[l].u));
  }
  Bits which = bits_of(accepted);
  for (uint32_t e = 0; e < w->n; e++) {
    w->y[e] = blend(which, w->next[e], w->y[e]);
    w->k[0][e] = blend(which, w->k[last][e], w->k[0][e]);
  }
  see(w, accepted);
  for (int l = 0; l < L; l++) {
    if ((accepted >> l & 1) && arrive(w, l)) explicit_next(w, &w->lane[l]);
  }
}

static void explicit_round(Own *w, unsigned mask) {
  bool eight = w->s->method == ode_dop853;
  int order = eight ? 8 : 5, last = eight ? 12 : 6;
  double shrink = eight ? 1.0 / 3 : 0.2;
  unsigned fresh = 0, accepted = 0, failed = 0;
  for (int l = 0; l < L; l++) {
    if ((mask >> l & 1) && w->lane[l].fresh) fresh |= 1u << l;
  }
  if (fresh) mask = (mask & ~fresh) | explicit_start(w, fresh);
  mask = begin(w, mask);
  if (!mask) return;
  unsigned finite = try_step(w, mask);
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (!(mask >> l & 1)) continue;
    bool good = finite >> l & 1;
    if (good && !(x->err > 1)) {
      accepted |= 1u << l;
      continue;
    }
    if (good) failed |= 1u << l;
    x->u.r.rejected++;
    x->rejected = good;
    if (!good) x->u.h *= 0.1;
  }
  if (accepted) find_reach(w, accepted, last);
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (!(failed >> l & 1)) continue;
    explicit_learn(w, l, ode_judge(&x->u, worst_of(w, l)));
    x->u.h *= fmax(shrink, 0.9 * pow(x->err, -1.0 / order));
  }
  if (accepted) explicit_accept(w, accepted, last);
}
