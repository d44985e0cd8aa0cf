// A round of rodas over lanes: what rodas.c and linear.c do, with one factorization for each lane, all at once. No
// include guard: part of a template.
#include "solve/rodas_table.h"

enum { rodas_stages = 8 };

static bool rodas_ready(Own *w) {
  if (w->j) return true;
  w->j = w->p->jacobian ? w->p->jacobian(w->p->self) : NULL;
  if (!w->j) return false;
  uint32_t m = w->m;
  w->f0 = new_rows(w->arena, w->n);
  w->unit = new_rows(w->arena, w->n);
  w->per_unit = new_rows(w->arena, w->n);
  w->dfdt = new_rows(w->arena, w->n);
  w->defect = new_rows(w->arena, w->n);
  w->entries = new_rows(w->arena, w->j->count);
  w->fresh_entries = new_rows(w->arena, w->j->count);
  w->matrix = new_rows(w->arena, (size_t)m * m);
  w->pivot = (Bits *)(void *)new_rows(w->arena, m);
  for (int i = 0; i < rodas_stages; i++) w->u[i] = new_rows(w->arena, w->n);
  w->moved = arena_array(w->arena, m, sizeof *w->moved);
  return !arena_failed(w->arena);
}

// ---- P A = L U, column by column; each lane has its own rows exchanged

static void exchange(Lanes *column, uint32_t j, Bits best, unsigned lanes) {
  for (int l = 0; l < L; l++) {
    if (!(lanes >> l & 1)) continue;
    double swap = column[j][l];
    column[j][l] = column[best[l]][l];
    column[best[l]][l] = swap;
  }
}

// a -= f b below row `from`; nothing is done where f is 0.
static inline void reduce(Lanes *a, Lanes f, const Lanes *b, uint32_t from, uint32_t to) {
  Bits none = f == all(0);
  if (!mask_of(none)) {
    for (uint32_t i = from; i < to; i++) a[i] -= f * b[i];
  } else if (mask_of(none) != 0xFF) {
    for (uint32_t i = from; i < to; i++) a[i] = blend(none, a[i], a[i] - f * b[i]);
  }
}

// Returns the lanes that are not singular.
static unsigned factor_lanes(Own *w, unsigned mask) {
  uint32_t m = w->m;
  for (uint32_t j = 0; j < m; j++) {
    Lanes *column = w->matrix + (size_t)j * m, top = size_of(column[j]);
    const long long place = j;
    Bits best = {place, place, place, place, place, place, place, place};
    for (uint32_t i = j + 1; i < m; i++) {
      Lanes size = size_of(column[i]);
      Bits larger = size > top;
      const long long at = i;
      top = blend(larger, size, top);
      best = (larger & (Bits){at, at, at, at, at, at, at, at}) | (~larger & best);
    }
    unsigned moved = 0;
    for (int l = 0; l < L; l++) {
      if (!(top[l] > 0)) mask &= ~(1u << l); // zero, or not a number
      if ((mask >> l & 1) && best[l] != place) moved |= 1u << l;
    }
    if (!mask) return 0;
    w->pivot[j] = best;
    w->moved[j] = moved;
    for (uint32_t k = 0; moved && k < m; k++) exchange(w->matrix + (size_t)k * m, j, best, moved);
    Lanes pivot = column[j];
    for (uint32_t i = j + 1; i < m; i++) column[i] /= pivot;
    for (uint32_t k = j + 1; k < m; k++) {
      Lanes *other = w->matrix + (size_t)k * m;
      reduce(other, other[j], column, j + 1, m);
    }
  }
  return mask;
}

static void substitute(const Own *w, Lanes *b) {
  uint32_t m = w->m;
  for (uint32_t j = 0; j < m; j++) {
    if (w->moved[j]) exchange(b, j, w->pivot[j], w->moved[j]);
  }
  for (uint32_t j = 0; j < m; j++) reduce(b, b[j], w->matrix + (size_t)j * m, j + 1, m);
  for (uint32_t j = m; j-- > 0;) {
    const Lanes *column = w->matrix + (size_t)j * m;
    b[j] /= column[j];
    reduce(b, b[j], column, 0, j);
  }
}

// ---- the method

// f, J and df/dt at the start of a step, and the first step; returns the lanes where f is finite.
static unsigned look(Own *w, unsigned fresh) {
  const LaneJacobian *j = w->j;
  unsigned finite = lanes_f(w, fresh, w->t, w->y, w->temp), first = 0;
  leave_all(w, fresh & ~finite, ode_not_finite);
  if (!finite) return 0;
  Bits which = bits_of(finite);
  for (uint32_t e = 0; e < w->n; e++) w->f0[e] = blend(which, w->temp[e], w->f0[e]);
  j->eval(w->p->self, (const double *)w->t, (const double *)w->y, (double *)w->fresh_entries);
  for (uint32_t k = 0; k < j->count; k++) w->entries[k] = blend(which, w->fresh_entries[k], w->entries[k]);
  for (uint32_t k = j->start[w->m]; k < j->start[w->m + 1]; k++) w->dfdt[j->row[k]] = w->entries[k];
  for (int l = 0; l < L; l++) {
    if (!(finite >> l & 1)) continue;
    w->lane[l].u.r.jacobians++;
    w->lane[l].fresh = false;
    if (!(w->lane[l].u.h > 0)) first |= 1u << l;
  }
  if (first) first_steps(w, first, w->f0, 4);
  if (!w->s->automatic) return finite;
  // the row sum norm of J
  Lanes largest = {0};
  for (uint32_t e = 0; e < w->m; e++) w->temp[e] = all(0);
  for (uint32_t k = 0; k < j->start[w->m]; k++) {
    if (j->row[k] < w->m) w->temp[j->row[k]] += size_of(w->entries[k]);
  }
  for (uint32_t e = 0; e < w->m; e++) largest = blend(w->temp[e] > largest, w->temp[e], largest);
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (finite >> l & 1) x->quiet = x->u.h * largest[l] < 2 ? x->quiet + 1 : 0;
  }
  return finite;
}

// bring_units in rodas.c; returns the lanes in which some were found.
static unsigned bring_units(Own *w, unsigned mask) {
  const LaneJacobian *j = w->j;
  Lanes *brought = w->per_unit;
  unsigned found = 0;
  memset(brought, 0, w->m * sizeof *brought);
  for (uint32_t c = 0; c < w->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < w->m) brought[j->row[k]] += size_of(w->entries[k]) * w->unit[c];
    }
  }
  for (uint32_t e = 0; e < w->m; e++) {
    for (int l = 0; l < L; l++) {
      if (!(mask >> l & 1) || w->unit[e][l] != 0) continue;
      w->unit[e][l] = ode_unit((*w->h)[l] * brought[e][l], 0, 0);
      if (w->unit[e][l] > 0) found |= 1u << l;
    }
  }
  return found;
}

// The units of the components: set_units in rodas.c.
static void set_units(Own *w, unsigned mask) {
  unsigned missing = 0;
  for (uint32_t e = 0; e < w->m; e++) {
    for (int l = 0; l < L; l++) {
      w->unit[e][l] = ode_unit(fabs(w->y[e][l]), w->seen[e][l], (*w->h)[l] * fabs(w->f0[e][l]));
      if (!(w->unit[e][l] > 0)) missing |= 1u << l;
    }
  }
  missing &= mask;
  for (int pass = 0; missing && pass < ode_unit_passes; pass++) missing = bring_units(w, missing);
  for (int l = 0; l < L; l++) {
    double least = INFINITY;
    for (uint32_t e = 0; e < w->m; e++) least = w->unit[e][l] > 0 && w->unit[e][l] < least ? w->unit[e][l] : least;
    for (uint32_t e = 0; e < w->m; e++) {
      if (w->unit[e][l] == 0) w->unit[e][l] = least < INFINITY ? least : 1;
      w->per_unit[e][l] = 1 / w->unit[e][l];
    }
  }
}

// The factors of 1/(gamma h) - J, checked part; returns the lanes that have them.
static unsigned prepare(Own *w, unsigned mask) {
  const LaneJacobian *j = w->j;
  uint32_t m = w->m;
  set_units(w, mask);
  memset(w->matrix, 0, (size_t)m * m * sizeof(Lanes));
  for (uint32_t c = 0; c < m; c++) {
    Lanes *column = w->matrix + (size_t)c * m;
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < m) column[j->row[k]] = -w->entries[k] * w->unit[c] * w->per_unit[j->row[k]];
    }
    column[c] += 1 / (rodas_gamma * *w->h);
  }
  for (int l = 0; l < L; l++) w->lane[l].u.r.factorizations += mask >> l & 1;
  return factor_lanes(w, mask);
}

// b := (1/(gamma h) - J)^-1 b
static void rodas_solve(Own *w, Lanes *b) {
  const LaneJacobian *j = w->j;
  for (uint32_t e = 0; e < w->m; e++) b[e] *= w->per_unit[e];
  substitute(w, b);
  for (uint32_t e = 0; e < w->m; e++) b[e] *= w->unit[e];
  for (uint32_t c = 0; w->n > w->m && c < w->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] >= w->m) b[j->row[k]] += w->entries[k] * b[c];
    }
  }
  for (uint32_t e = w->m; e < w->n; e++) b[e] *= rodas_gamma * *w->h;
}

static Lanes squares(const Own *w, unsigned mask, const Lanes *d) {
  Lanes sum = {0};
  Bits which = bits_of(mask);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes c = d[e] / tolerance(w, e, w->y[e], w->next[e]);
    w->scaled[e] = blend(which, size_of(c), w->scaled[e]);
    sum += c * c;
  }
  return sum;
}

// The continuous extension at t + a h, in z.
static void rodas_dense_at(Own *w, Lanes a) {
  Lanes b = 1 - a;
  for (uint32_t e = 0; e < w->n; e++) {
    Lanes inner = w->dense[0][e] + a * (w->dense[1][e] + a * w->dense[2][e]);
    w->z[e] = b * w->y[e] + a * (w->next[e] + b * inner);
  }
}

// The error of the extension in the middle of the step; returns the lanes where it is finite.
static unsigned dense_errors(Own *w, unsigned mask) {
  for (int i = 0; i < 3; i++) {
    for (uint32_t e = 0; e < w->n; e++) {
      Lanes sum = {0};
      for (int l = 0; l < rodas_stages; l++) sum += rodas_dense[i][l] * w->u[l][e];
      w->dense[i][e] = sum;
    }
  }
  rodas_dense_at(w, all(0.5));
  *w->at = *w->t + 0.5 * *w->h;
  Lanes *d = w->defect;
  mask = lanes_f(w, mask, w->at, w->z, d);
  for (uint32_t e = 0; e < w->n; e++) d[e] -= (w->next[e] - w->y[e] + 0.25 * (w->dense[1][e] + w->dense[2][e])) / *w->h;
  rodas_solve(w, d);
  Lanes sum = squares(w, mask, d);
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    double inside = w->m ? sqrt(sum[l] / w->m) : 0;
    if (!isfinite(inside)) mask &= ~(1u << l);
    else w->lane[l].err = fmax(w->lane[l].err, inside / ODE_DENSE_FACTOR);
  }
  return mask;
}

// One trial step; returns the lanes that stayed finite, and their errors.
static unsigned rodas_try(Own *w, unsigned mask) {
  uint32_t n = w->n;
  for (int i = 0; i < rodas_stages; i++) {
    Lanes *k = w->u[i], *z = i + 1 == rodas_stages ? w->next : w->z, factor[rodas_stages],
          slope = *w->h * rodas_slope[i];
    if (i == 0) {
      memcpy(k, w->f0, n * sizeof *k);
    } else {
      for (uint32_t e = 0; e < n; e++) {
        Lanes sum = w->y[e];
        for (int l = 0; l < i; l++) sum += rodas_a[i][l] * w->u[l][e];
        z[e] = sum;
      }
      *w->at = *w->t + rodas_time[i] * *w->h;
      mask = lanes_f(w, mask, w->at, z, k);
    }
    for (int l = 0; l < i; l++) factor[l] = rodas_c[i][l] / *w->h;
    for (uint32_t e = 0; e < n; e++) {
      Lanes sum = k[e];
      for (int l = 0; l < i; l++) sum += factor[l] * w->u[l][e];
      k[e] = rodas_slope[i] != 0 ? sum + slope * w->dfdt[e] : sum;
    }
    rodas_solve(w, k);
  }
  for (uint32_t e = 0; e < n; e++) w->next[e] += w->u[rodas_stages - 1][e];
  Lanes sum = squares(w, mask, w->u[rodas_stages - 1]);
  unsigned good = 0;
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    Lane *x = &w->lane[l];
    x->err = w->m ? sqrt(sum[l] / w->m) : 0;
    if (!isfinite(x->err)) mask &= ~(1u << l);
    else if (!(x->err > 1)) good |= 1u << l;
  }
  return good ? (mask & ~good) | dense_errors(w, good) : mask;
}

// Returns the lanes in which a row is off the manifold.
static unsigned rodas_rows(Own *w, unsigned mask) {
  unsigned failed = 0;
  for (unsigned due; (due = rows_inside(w, mask & ~failed));) {
    Lanes a = {0};
    for (int l = 0; l < L; l++) {
      if (due >> l & 1) a[l] = (w->lane[l].due - w->lane[l].u.r.t) / w->lane[l].u.h;
    }
    unsigned placed = due;
    if (w->o->row || w->p->project) {
      rodas_dense_at(w, a);
      placed = project_rows(w, due, w->z);
    }
    give(w, placed, w->z);
    failed |= due & ~placed;
  }
  return failed;
}

// The step size after an accepted step: by the error, and by its trend; or the other method.
static void rodas_next(Own *w, Lane *x) {
  OdeRun *u = &x->u;
  x->fresh = true;
  if (u->anew) { // the step size of the other side is found anew
    u->h = x->old_h = 0;
    x->rejected = false;
    return;
  }
  double grow = x->err > 0 ? 0.9 * pow(x->err, -0.2) : 6;
  if (x->old_h > 0 && x->err > 0) grow = fmin(grow, 0.9 * u->h / x->old_h * pow(x->old_err / (x->err * x->err), 0.2));
  grow = fmin(6, fmax(0.2, grow));
  if (x->rejected) grow = fmin(grow, 1);
  x->rejected = false;
  x->old_h = u->h;
  x->old_err = fmax(x->err, 1e-2);
  u->h *= grow;
  if (w->s->automatic && !x->ends && ode_wants_back(u, ++x->taken, x->quiet)) change_method(x);
}

// What the trial step of lane l teaches.
static void rodas_learn(Own *w, int l, int lesson) {
  Lanes *noise = w->blur, *moved = w->shaken, *most = w->moved_most;
  if (!lesson) return;
  memset(noise, 0, w->m * sizeof *noise);
  memset(most, 0, w->m * sizeof *most);
  for (int round = 0; (lesson & lesson_rounding) && round < ode_shakes; round++) {
    if (!shake(w, l, w->f0, moved, round)) continue;
    for (uint32_t e = 0; e < w->m; e++) most[e][l] = fmax(most[e][l], fabs(moved[e][l]));
    rodas_solve(w, moved);
    for (uint32_t e = 0; e < w->m; e++) {
      double size = ODE_NOISE_FACTOR * fabs(moved[e][l]);
      if (size > noise[e][l]) noise[e][l] = size;
    }
  }
  if ((lesson & lesson_rounding) && too_steep(w, l, w->f0, most, moved)) memset(noise, 0, w->m * sizeof *noise);
  take_lesson(w, l, lesson, noise);
}

// The steps of these lanes are taken.
static void rodas_accept(Own *w, unsigned accepted) {
  settle(w, accepted);
  unsigned inside = project_ends(w, accepted, -1), outside = (accepted & ~inside) | rodas_rows(w, inside);
  for (int l = 0; l < L; l++) {
    if (!(outside >> l & 1)) continue;
    w->lane[l].u.h *= 0.1;
    w->lane[l].u.r.rejected++;
    w->lane[l].fresh = true; // as after a step
  }
  accepted &= ~outside;
  for (int l = 0; l < L; l++) {
    if (accepted >> l & 1) rodas_learn(w, l, ode_judge_good(&w->lane[l].u));
  }
  Bits which = bits_of(accepted);
  for (uint32_t e = 0; e < w->n; e++) w->y[e] = blend(which, w->next[e], w->y[e]);
  see(w, accepted);
  for (int l = 0; l < L; l++) {
    if ((accepted >> l & 1) && arrive(w, l)) rodas_next(w, &w->lane[l]);
  }
}

// False: memory is out.
static bool rodas_round(Own *w, unsigned mask) {
  unsigned fresh = 0, accepted = 0, failed = 0;
  if (!rodas_ready(w)) return false;
  for (int l = 0; l < L; l++) {
    if ((mask >> l & 1) && w->lane[l].fresh) fresh |= 1u << l;
  }
  if (fresh) mask = (mask & ~fresh) | look(w, fresh);
  mask = begin(w, mask);
  if (!mask) return true;
  unsigned finite = prepare(w, mask);
  if (finite) finite = rodas_try(w, finite);
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (!(mask >> l & 1)) continue;
    bool good = finite >> l & 1;
    if (good && !(x->err > 1)) {
      accepted |= 1u << l;
      continue;
    }
    if (good) failed |= 1u << l;
    else x->u.h *= 0.1;
    x->u.r.rejected++;
    x->rejected = good;
  }
  for (int l = 0; l < L; l++) {
    Lane *x = &w->lane[l];
    if (!(failed >> l & 1)) continue;
    rodas_learn(w, l, ode_judge(&x->u, worst_of(w, l)));
    x->u.h *= fmax(0.2, 0.9 * pow(x->err, -0.2));
  }
  if (accepted) rodas_accept(w, accepted);
  return true;
}
