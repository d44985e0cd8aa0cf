// Predictor-corrector continuation with a proof of each step. See follow.h.
#include "positions/follow.h"

#include <math.h>
#include <string.h>

enum { locate_steps = 80, jumps = 14, halvings = 40, most_steps = 30000 }; // most_steps: of one call
static const double crossing_off = 1e-3;    // of the jump: what is left where two branches cross
static const double short_arc = 1e-4;       // of the size: where arcs so short are refused a crossing is looked for
static const double smallest_step = 0x1p-9; // of the grid: below it goes by arc length
static const double turns_most = 0.95;      // the least cosine between directions where nothing is proved
static const double turns_least = 1e-5;     // of ds along the arc: more is none where the drive turns back smoothly

bool follow_open(Follow *f, Curve *c, const double *z, double grid) {
  Arena *arena = c->p->arena;
  *f = (Follow){.c = c, .way = 1, .grid = grid, .h = grid, .proves = c->dense, .unstable = NAN};
  double **rooms[] = {&f->z, &f->special, &f->heading, &f->z1, &f->t0, &f->t1, &f->along, &f->more};
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
    *rooms[i] = arena_array(arena, (size_t)c->N + 1, sizeof(double));
  for (int k = 0; k < 3; k++) {
    f->rates[k] = arena_array(arena, (size_t)c->N + 1, sizeof(double));
    f->next[k] = arena_array(arena, (size_t)c->N + 1, sizeof(double));
  }
  if (arena_failed(arena)) return false;
  memcpy(f->z, z, c->N * sizeof *z);
  return !f->proves || tube_open(&f->tube, c);
}

bool follow_start(Follow *f) {
  double r = 1e-5 * f->c->p->size;
  for (int k = 0; f->proves && k < 6; k++, r *= 0.1) {
    if (tube_point(&f->tube, f->z, r, NULL)) return true;
  }
  return !f->proves && follow_rates(f) != NULL;
}

double *const *follow_rates(Follow *f) {
  if (!f->rated) f->rated = curve_rates(f->c, f->z, f->rates);
  return f->rated ? f->rates : NULL;
}

static double product(const double *a, const double *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

static void move(Follow *f, const double *z) {
  memcpy(f->z, z, f->c->N * sizeof *z);
  f->rated = f->directed = false;
  if (f->moved) f->moved(f->moved_self, z);
}

// The curve goes on from z1. True.
static bool goes_from_there(Follow *f) {
  move(f, f->z1);
  f->unstable = NAN;
  f->turned = false;
  f->h = f->grid * smallest_step * 8;
  return true;
}

// ---- crossings that are not proved

// A point of the curve between f->z with the direction t0 and f->z1 with t1, both of them for a step of length 1.
static bool point_between(Follow *f, double scale, double part, double *z) {
  double q = 1 - part, a = (1 + 2 * part) * q * q, b = part * q * q, c = part * part * (3 - 2 * part),
         d = -part * part * q;
  for (uint32_t i = 0; i < f->c->N; i++)
    z[i] = a * f->z[i] + b * scale * f->t0[i] + c * f->z1[i] + d * scale * f->t1[i];
  return curve_correct(f->c, z, f->along, z, 0, NULL, NULL);
}

// Points of the curve between f->z and f->z1, `scale` times t0 apart, for who draws it.
static void note_between(Follow *f, double scale) {
  enum { parts = 8 };
  if (!f->moved || scale == 0) return;
  for (int k = 1; k < parts; k++) {
    if (point_between(f, scale, (double)k / parts, f->more)) f->moved(f->moved_self, f->more);
  }
}

// Does the number of unstable directions change from f->z to f->z1, which are `scale` times t0 apart? Then the point
// goes into f->special.
static bool index_changes(Follow *f, double scale) {
  if (f->proves || !f->index) return false;
  Curve *c = f->c;
  double before = f->unstable, after = f->index(f->index_self, f->z1), a = 0, b = 1;
  bool turned = f->turned;
  if (isnan(after)) f->unjudged++;
  if (isnan(after)) return false; // the number before is remembered
  f->unstable = after;
  f->turned = false;
  if (isnan(before)) return false;
  if (turned ? fabs(after - before) == 1 : after == before) return false;
  for (uint32_t i = 0; i < c->N; i++) f->heading[i] = f->z1[i] - f->z[i];
  memcpy(f->special, turned ? f->z : f->z1, c->N * sizeof *f->special);
  for (int k = 0; k < halvings && !turned; k++) {
    double m = 0.5 * (a + b);
    if (!point_between(f, scale, m, f->special)) break;
    double now = f->index(f->index_self, f->special);
    if (now == before) a = m;
    else b = m;
  }
  double size = sqrt(product(f->heading, f->heading, c->N));
  for (uint32_t i = 0; i < c->N; i++) f->heading[i] /= size;
  return true;
}

// ---- steps of s

static bool little_turned(const Follow *f, double length, double first, double ratio) {
  uint32_t N = f->c->N;
  double cosine = product(f->t0, f->t1, N) / sqrt(product(f->t0, f->t0, N) * product(f->t1, f->t1, N));
  return cosine > turns_most && first <= 0.2 * length && ratio <= 0.25;
}

static void take_tangent(const Follow *f, double *const rates[3], double *t) {
  memcpy(t, rates[0], f->c->n * sizeof *t);
  t[f->c->n] = 1;
}

static bool step_s(Follow *f, double h) {
  Curve *c = f->c;
  double first, ratio;
  if (!follow_rates(f)) return false;
  memset(f->along, 0, c->N * sizeof *f->along);
  f->along[c->n] = 1;
  for (uint32_t i = 0; i < c->n; i++)
    f->z1[i] = f->z[i] + h * (f->rates[0][i] + h / 2 * (f->rates[1][i] + h / 3 * f->rates[2][i]));
  f->z1[c->n] = f->z[c->n] + h;
  f->steps++;
  if (!curve_correct(c, f->z1, f->along, f->z1, 0, &first, &ratio)) return false;
  if (!curve_rates(c, f->z1, f->next)) return false;
  take_tangent(f, f->rates, f->t0);
  take_tangent(f, f->next, f->t1);
  double length = 0;
  for (uint32_t i = 0; i < c->n; i++) length = fmax(length, fabs(f->z1[i] - f->z[i]));
  bool good =
      f->proves ? tube_proves(&f->tube, f->z, f->t0, f->z1, f->t1, f->along) : little_turned(f, length, first, ratio);
  if (!good) return false;
  f->crossed = index_changes(f, h);
  note_between(f, fabs(h) > 0.1 * f->grid ? h : 0);
  move(f, f->z1);
  for (int k = 0; k < 3; k++) {
    double *swap = f->rates[k];
    f->rates[k] = f->next[k];
    f->next[k] = swap;
  }
  f->rated = true;
  return true;
}

// ---- steps of arc length

static bool unit_tangent(Follow *f, const double *z, const double *along, double *t) {
  if (!curve_tangent(f->c, z, along, t)) return false;
  double size = sqrt(product(t, t, f->c->N));
  if (!(size > 0) || !isfinite(size)) return false;
  for (uint32_t i = 0; i < f->c->N; i++) t[i] /= size;
  return true;
}

// The direction at z in which s goes its way.
static bool first_tangent(Follow *f) {
  Curve *c = f->c;
  memset(f->more, 0, c->N * sizeof *f->more);
  f->more[c->n] = f->way;
  if (!unit_tangent(f, f->z, f->more, f->t0)) return false;
  if (f->t0[c->n] * f->way < 0) {
    for (uint32_t i = 0; i < c->N; i++) f->t0[i] = -f->t0[i];
  }
  return true;
}

// A point at a length along the direction `along` from f->z, into z.
static bool point_along(Follow *f, double length, double *z, double *first, double *ratio) {
  for (uint32_t i = 0; i < f->c->N; i++) z[i] = f->z[i] + length * f->along[i];
  return curve_correct(f->c, z, f->along, f->z, length, first, ratio);
}

// From f->z along f->t0; f->z1 and f->t1 are the end.
static bool step_arc(Follow *f, double length) {
  double first, ratio;
  memcpy(f->along, f->t0, f->c->N * sizeof *f->along);
  f->steps++;
  if (!point_along(f, length, f->z1, &first, &ratio)) return false;
  if (!unit_tangent(f, f->z1, f->along, f->t1)) return false;
  if (!f->proves) return little_turned(f, length, first, ratio);
  return tube_proves(&f->tube, f->z, f->t0, f->z1, f->t1, f->along);
}

// The point of the last arc where ds vanishes, into f->special.
static bool locate_dead(Follow *f, double length) {
  double a = 0, b = length, fa = f->t0[f->c->n], fb = f->t1[f->c->n];
  uint32_t n = f->c->n;
  memcpy(f->special, f->z1, f->c->N * sizeof *f->special);
  for (int k = 0; k < locate_steps && b - a > 0x1p-52 * length && fa != 0 && fb != 0; k++) {
    double m = k % 3 == 2 ? 0.5 * (a + b) : a + (b - a) * (fa / (fa - fb));
    if (!(m > a && m < b)) m = 0.5 * (a + b);
    if (!point_along(f, m, f->special, NULL, NULL) || !unit_tangent(f, f->special, f->along, f->more)) return false;
    double fm = f->more[n];
    if ((fm > 0) == (fa > 0) && fm != 0) a = m, fa = fm;
    else b = m, fb = fm;
    if (fm == 0) break;
  }
  return true;
}

// s = target on the last arc, into f->special. False: not proved to lie on it.
static bool locate_target(Follow *f, double target) {
  Curve *c = f->c;
  double s0 = f->z[c->n], s1 = f->z1[c->n], part = (target - s0) / (s1 - s0);
  for (uint32_t i = 0; i < c->N; i++) f->special[i] = f->z[i] + part * (f->z1[i] - f->z[i]);
  f->special[c->n] = target;
  memset(f->more, 0, c->N * sizeof *f->more);
  f->more[c->n] = 1;
  if (!curve_correct(c, f->special, f->more, f->special, 0, NULL, NULL)) return false;
  return !f->proves || tube_holds(&f->tube, f->z, f->special);
}

// ---- crossings

// The determinant at a length from f->z, in units of `unit` (its logarithm). False: no point there.
static bool determinant_at(Follow *f, double length, double unit, double *z, double *out) {
  Curve *c = f->c;
  if (!point_along(f, length, z, NULL, NULL) || !curve_set(c, z, f->along)) return false;
  *out = c->sign * exp(c->log_det - unit);
  return isfinite(*out);
}

// The zero of the determinant near f->z from points on both sides of it, which are regular: by the polynomial through
// them. The point, interpolated as well, goes into f->special.
static bool locate_crossing(Follow *f, double length) {
  enum { count = 4 };
  Curve *c = f->c;
  const double at[count] = {-2 * length, -length, length, 2 * length};
  double det[count], *z[count], unit = c->log_det;
  for (int k = 0; k < count; k++) {
    z[k] = arena_array(c->p->arena, c->N, sizeof *z[k]);
    if (!z[k] || !determinant_at(f, at[k], unit, z[k], &det[k])) return false;
  }
  double a = at[1], b = at[2], root = 0, weight[count];
  if ((det[1] > 0) == (det[2] > 0)) return false;
  for (int step = 0; step < 60; step++) {
    double value = 0;
    root = 0.5 * (a + b);
    for (int k = 0; k < count; k++) {
      weight[k] = 1;
      for (int i = 0; i < count; i++) {
        if (i != k) weight[k] *= (root - at[i]) / (at[k] - at[i]);
      }
      value += weight[k] * det[k];
    }
    if ((value > 0) == (det[1] > 0)) a = root;
    else b = root;
  }
  double slope[count]; // of the weights
  for (int k = 0; k < count; k++) {
    slope[k] = 0;
    for (int j = 0; j < count; j++) {
      double term = j == k ? 0 : 1 / (at[k] - at[j]);
      for (int i = 0; i < count; i++) {
        if (i != k && i != j) term *= (root - at[i]) / (at[k] - at[i]);
      }
      slope[k] += term;
    }
  }
  for (uint32_t i = 0; i < c->N; i++) {
    f->special[i] = f->heading[i] = 0;
    for (int k = 0; k < count; k++) {
      f->special[i] += weight[k] * z[k][i];
      f->heading[i] += slope[k] * z[k][i];
    }
  }
  double size = sqrt(product(f->heading, f->heading, c->N));
  for (uint32_t i = 0; size > 0 && i < c->N; i++) f->heading[i] /= size;
  return true;
}

// How far f->special is from the equations, each by the length of its gradient; that of a balance of forces may vanish,
// and is that of all of them. Between points of two branches that do not meet it is about as far as they are apart.
static double special_off(Follow *f) {
  Curve *c = f->c;
  uint32_t forces = c->p->statics ? c->p->coords : 0;
  double most = 0, stiff = 0;
  curve_matrix(c, f->special, f->along);
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < c->p->m; i++) {
      uint32_t row = c->row_at[i];
      double slope = 0;
      if (!row) continue;
      for (uint32_t k = 0; k < c->N; k++) slope = fmax(slope, fabs(c->A[(size_t)(row - 1) * c->N + k]));
      if (i < forces && pass == 0) stiff = fmax(stiff, slope);
      if (i < forces) slope = stiff;
      if (pass == 1 && slope > 0) most = fmax(most, fabs(c->F[row - 1]) / slope);
    }
  }
  return most;
}

// Is z alone near by, at its s? From a radius on that is made smaller.
static bool is_alone(Follow *f, const double *z, double r) {
  for (int tries = 0; tries < 8; tries++, r *= 0.1) {
    if (tube_point(&f->tube, z, r, NULL)) return true;
  }
  return false;
}

// Is a step from f->z1 along f->t1 proved? f->z and f->z1 stay, f->t0 becomes the tangent at f->z1. room: N numbers.
static bool goes_on(Follow *f, double length, double *room) {
  size_t size = f->c->N * sizeof *room;
  memcpy(room, f->z, size);
  memcpy(f->z, f->z1, size);
  memcpy(f->t0, f->t1, size);
  bool ok = step_arc(f, length);
  memcpy(f->z1, f->z, size);
  memcpy(f->z, room, size);
  return ok;
}

// Is there a point of the curve, alone, at a length along f->along, where the determinant has the sign? Into f->z1.
static bool point_behind(Follow *f, double length, int sign) {
  double first, ratio;
  if (!point_along(f, length, f->z1, &first, &ratio) || !unit_tangent(f, f->z1, f->along, f->t1)) return false;
  if (product(f->along, f->t1, f->c->N) < turns_most || first > 0.1 * length) return false;
  return curve_set(f->c, f->z1, f->along) && f->c->sign == sign && is_alone(f, f->z1, 0.05 * length);
}

// Are steps from f->z1 along f->t0 proved, from one length on several shorter ones, too? One alone may be luck.
static bool goes_well(Follow *f, double length, double *room) {
  enum { enough = 6 };
  int proved = 0;
  tube_keep(&f->tube);
  for (double step = length / 8; step > 0x1p-13 * length && proved < enough; step /= 2) {
    memcpy(f->t1, f->t0, f->c->N * sizeof *f->t1);
    bool good = goes_on(f, step, room);
    tube_go_back(&f->tube);
    if (!good && proved) return false;
    proved += good;
  }
  return proved == enough;
}

// Behind the bifurcation, at this length along `ahead` or at a larger one from where it goes well: nearer to it the
// matrix is almost singular, long steps are not proved, and of short ones rounding hides the points. room: N numbers.
static void go_behind(Follow *f, double first, const double *ahead, double *room, int sign) {
  size_t size = f->c->N * sizeof *ahead;
  double length = first;
  for (int k = 0; k <= jumps; k++, length *= 2) {
    bool last = k == jumps;
    memcpy(f->along, ahead, size);
    if (!point_behind(f, last ? first : length, sign)) continue;
    memcpy(f->t0, f->t1, size);
    if (last || goes_well(f, length, room)) break;
  }
  f->way = f->t0[f->c->n] < 0 ? -1 : 1;
  move(f, f->z1);
}

// Two ways cross near f->z, ahead along f->t0: where, into f->special; f->z goes behind it where that is requested.
static FollowEnd cross(Follow *f, bool through) {
  Curve *c = f->c;
  double *ahead = arena_array(c->p->arena, c->N, sizeof *ahead), *room = arena_array(c->p->arena, c->N, sizeof *room);
  if (!ahead || !room) return follow_no_memory;
  memcpy(ahead, f->t0, c->N * sizeof *ahead);
  memcpy(f->along, f->t0, c->N * sizeof *f->along);
  memcpy(f->special, f->z, c->N * sizeof *f->special);
  if (!c->dense || !curve_set(c, f->z, f->along)) return follow_stuck;
  int behind = -c->sign;
  double length = 0.5e-4 * c->p->size;
  bool found = false;
  for (int k = 0; k < jumps && !found; k++) {
    length *= 2;
    found = point_behind(f, length, behind) && locate_crossing(f, length); // too near, rounding hides its points
  }
  if (!found || special_off(f) > crossing_off * length) return follow_stuck;
  if (through) go_behind(f, length, ahead, room, behind);
  f->h = f->grid * smallest_step * 8;
  return follow_branch;
}

bool follow_branch_off(Follow *f, const double *direction, double bend) {
  Curve *c = f->c;
  double places = sqrt(product(direction, direction, c->p->coords)); // forces may be large beside them
  double length = 1e-2 * c->p->size / fmax(1e-9, places);
  for (int k = 0; k < jumps; k++, length /= 2) {
    memcpy(f->along, direction, c->N * sizeof *f->along);
    for (uint32_t i = 0; i < c->N; i++) f->z1[i] = f->special[i] + length * direction[i];
    f->z1[c->n] += isfinite(bend) ? bend * length * length / 2 : 0;
    if (!curve_correct(c, f->z1, f->along, f->special, length, NULL, NULL)) continue;
    if (!unit_tangent(f, f->z1, f->along, f->t1) || product(f->along, f->t1, c->N) < turns_most) continue;
    double r = 0.05 * length;
    bool alone = !f->proves;
    for (int tries = 0; tries < 8 && !alone; tries++, r *= 0.1) alone = tube_point(&f->tube, f->z1, r, NULL);
    if (!alone) continue;
    f->way = f->t1[c->n] < 0 ? -1 : 1;
    return goes_from_there(f);
  }
  return false;
}

// ---- corners

// Restart where proofs ended though the curve is smooth: the tube was wide, because a corner was at its side.
static bool begins_again(Follow *f) {
  double length = 1e-4 * f->c->p->size;
  for (int k = 0; k < 3; k++, length *= 0.1) {
    if (is_alone(f, f->z, 1e-4 * length) && step_arc(f, length)) return is_alone(f, f->z, 1e-4 * length);
  }
  return false;
}

// A point of the curve at a length from f->z along `direction`, on a piece that leaves f->z in this direction: into
// f->z1, its tangent into f->t1. False: there is none, or it is not alone.
static bool piece_along(Follow *f, const double *direction, double length) {
  Curve *c = f->c;
  double first, ratio, apart = 0, forward = 0, r = 1e-4 * length; // small: the corner is near
  memcpy(f->along, direction, c->N * sizeof *f->along);
  if (!point_along(f, length, f->z1, &first, &ratio) || !unit_tangent(f, f->z1, f->along, f->t1)) return false;
  for (uint32_t i = 0; i < c->N; i++) {
    apart += (f->z1[i] - f->z[i]) * (f->z1[i] - f->z[i]);
    forward += (f->z1[i] - f->z[i]) * f->t1[i];
  }
  // the chord from the corner is the tangent, but for the bend and for how far the corner is
  if (!(forward > 0.999 * sqrt(apart)) || product(direction, f->t1, c->N) < 0.999) return false;
  return is_alone(f, f->z1, r);
}

// Where the line from f->z along `before` comes nearest to that through f->z1 along f->t1, into f->special.
static void meet(Follow *f, const double *before) {
  uint32_t N = f->c->N;
  double cosine = product(before, f->t1, N), p = 0, q = 0;
  for (uint32_t i = 0; i < N; i++) {
    p += (f->z1[i] - f->z[i]) * before[i];
    q += (f->z1[i] - f->z[i]) * f->t1[i];
  }
  double sine2 = 1 - cosine * cosine, a = sine2 > 1e-12 ? (p - cosine * q) / sine2 : 0;
  for (uint32_t i = 0; i < N; i++) f->special[i] = f->z[i] + a * before[i];
}

bool follow_over_corner(Follow *f, bool *corner) {
  Curve *c = f->c;
  uint32_t N = c->N;
  double *before = f->more, *there = f->heading, *behind = f->special;
  double *from = arena_array(c->p->arena, N, sizeof *from);
  if (!from || !f->proves || !first_tangent(f)) return false;
  *corner = !begins_again(f);
  if (!*corner) return true;
  memcpy(before, f->t0, N * sizeof *before);
  for (double length = 1e-7 * c->p->size; length < 2e-2 * c->p->size; length *= 10) {
    // the Jacobian behind the switch gives the direction there; forwards or backwards, its sign is not known
    for (uint32_t i = 0; i < N; i++) there[i] = f->z[i] + length * before[i];
    if (!unit_tangent(f, there, before, behind)) continue;
    bool ahead = piece_along(f, behind, length);
    for (uint32_t i = 0; i < N; i++) behind[i] = -behind[i];
    bool back = piece_along(f, behind, length) && product(behind, before, N) > -0.999;
    if (ahead == back) continue;
    for (uint32_t i = 0; ahead && i < N; i++) behind[i] = -behind[i];
    if (!piece_along(f, behind, length)) continue;
    memcpy(there, before, N * sizeof *there);
    meet(f, there);
    if (!goes_on(f, length / 64, from)) continue; // the corner is still too near
    if (!is_alone(f, f->z1, 1e-4 * length)) continue;
    f->way = f->t0[c->n] < 0 ? -1 : 1;
    return goes_from_there(f);
  }
  return false;
}

void follow_go_back(Follow *f, const double *z, int way, double h) {
  double r = 1e-5 * f->c->p->size;
  move(f, z);
  f->way = way;
  f->h = h;
  f->unstable = NAN;
  f->turned = false;
  for (int k = 0; f->proves && k < 8; k++, r *= 0.1) {
    if (tube_point(&f->tube, f->z, r, NULL)) return;
  }
}

// ---- the whole

// On the last arc the drive turns back: at a dead point, or where two branches cross at right angles to it, which
// rounding may hide. follow_reached: the target comes before.
static FollowEnd turn(Follow *f, double target, bool through) {
  Curve *c = f->c;
  if (f->proves && f->arc < short_arc * c->p->size) {
    FollowEnd end = cross(f, through);
    if (end == follow_branch) return end;
    tube_go_back(&f->tube);
    if (!step_arc(f, f->arc)) return follow_stuck;
  }
  if (!locate_dead(f, f->arc)) return follow_stuck;
  if ((f->special[c->n] - target) * f->way > 0) return follow_reached;
  if (!unit_tangent(f, f->special, f->along, f->more)) return follow_stuck;
  if (f->proves && c->p->kind == places_static && fabs(f->more[c->n]) > turns_least) {
    // the direction jumps: a corner, which the tube of the arc holds; its end is behind it
    f->way = f->t1[c->n] < 0 ? -1 : 1;
    f->h = f->grid * smallest_step * 8;
    move(f, f->z1);
    return follow_corner;
  }
  if (f->proves) tube_leave(&f->tube, f->special);
  memcpy(f->t0, f->more, c->N * sizeof *f->t0);
  move(f, f->special);
  f->directed = true;
  f->turned = !isnan(f->unstable);
  return follow_dead;
}

static FollowEnd by_arc(Follow *f, double target, bool through, bool *back) {
  Curve *c = f->c;
  uint32_t n = c->n;
  uint64_t most = f->steps + most_steps;
  *back = false;
  if (!f->directed && !first_tangent(f)) return follow_stuck;
  if (!(f->arc > 0)) f->arc = fmin(1e-2 * c->p->size, f->grid * smallest_step / fmax(1e-3, fabs(f->t0[n])));
  for (;;) {
    if (f->interrupted && f->interrupted(f->self)) return follow_interrupted;
    if (f->steps > most) return follow_stuck; // shorter and shorter ones towards a point that is never reached
    if (f->proves) tube_keep(&f->tube);
    if (!step_arc(f, f->arc)) {
      f->refused++;
      f->arc /= 2;
      if (f->arc < 1e-9 * c->p->size) return cross(f, through);
      continue;
    }
    bool turned = f->t1[n] * f->way <= 0, passed = (f->z1[n] - target) * f->way >= 0;
    if (turned) {
      FollowEnd end = turn(f, target, through);
      if (end != follow_reached) return end;
      if (f->proves) tube_go_back(&f->tube);
      f->arc /= 2; // the target comes first
      continue;
    }
    if (passed) {
      if (!locate_target(f, target)) {
        if (f->proves) tube_go_back(&f->tube);
        f->arc /= 2;
        continue;
      }
      if (f->proves) tube_leave(&f->tube, f->special);
      memcpy(f->z1, f->special, c->N * sizeof *f->z1);
      bool crossed = !f->proves && unit_tangent(f, f->z1, f->along, f->t1) && index_changes(f, f->arc);
      move(f, f->z1);
      *back = !crossed;
      return crossed ? follow_branch : follow_reached;
    }
    bool crossed = index_changes(f, f->arc);
    note_between(f, f->arc > 0.02 * c->p->size ? f->arc : 0);
    move(f, f->z1);
    memcpy(f->t0, f->t1, c->N * sizeof *f->t0);
    f->h = f->arc * fabs(f->t0[n]);
    if (crossed) return follow_branch;
    f->arc *= 1.5;
    if (f->h > 2 * smallest_step * f->grid) {
      *back = true;
      return follow_stuck;
    }
  }
}

FollowEnd follow_to(Follow *f, double target, bool through) {
  uint32_t n = f->c->n;
  uint64_t most = f->steps + most_steps;
  for (;;) {
    if (f->steps > most) return follow_stuck;
    double left = (target - f->z[n]) * f->way;
    if (f->c->no_memory || arena_failed(f->c->p->arena)) return follow_no_memory;
    if (f->interrupted && f->interrupted(f->self)) return follow_interrupted;
    if (!(left > 0)) return follow_reached;
    if (!f->proves && f->index && isnan(f->unstable) && !f->directed) f->unstable = f->index(f->index_self, f->z);
    bool whole = f->h >= left * (1 - 0x1p-30), back;
    if (!f->directed && step_s(f, f->way * (whole ? left : f->h))) {
      if (whole) f->z[n] = target;
      f->h = fmin(f->grid, 2 * f->h);
      if (f->crossed) return follow_branch;
      continue;
    }
    f->refused += !f->directed;
    f->h = (whole ? left : f->h) / 2;
    if (!f->directed && f->h >= smallest_step * f->grid) continue;
    f->arc = 0;
    FollowEnd end = by_arc(f, target, through, &back);
    if (back) continue;
    return end;
  }
}

void follow_turn(Follow *f) {
  f->way = -f->way;
  f->h = smallest_step * f->grid / 2;
}
