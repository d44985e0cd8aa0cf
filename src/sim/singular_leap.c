// Passage through singular configurations of constraints by collocation (leaps). A part of constrain.h.
//
// A four-bar that flattens can go on along its branch or fold over. The velocity decides. One branch continues with
// this velocity where the singular values that vanish do so like t - t*: their derivatives are the second derivatives
// of the constraints along the velocity, and where these have full rank, the implicit function theorem gives one branch
// through the configuration with this tangent (Rabier, Rheinboldt 2002). Along it the solution is smooth.
//
// The equations determine nothing at the singular configuration itself and little near by, but on both sides they do.
// So the solution from ta to tb, with the singular configuration in the middle, is a polynomial that obeys them at the
// nodes of Gauss, where its values are first projected onto the constraints: a step of a collocation method of order 24
// whose fixed point is the solution on the branch. It converges where a method that ignores the singular configuration
// diverges. It counts only if it
//   - has converged, and its last mode is rounding error
//   - obeys the constraints between the nodes and at the singular configuration as well, which a polynomial that
//     changes the branch does not
//   - has a time t* at which the smallest singular value vanishes, from both sides like |t - t*|
// All methods leap by it, so whether and where they pass depends only on the state in front of the singular
// configuration. Where nothing is found the method goes half of the way to it, and tries again from there. If that
// fails to the end, the run stops.
#include "sim/motion.h"

#include <float.h>
#include <string.h>

enum { nodes = 12, most_rounds = 40, first_tries = 8, most_tries = 60, most_on_leap = 64 };

// Zeros of the Legendre polynomial of degree 12 and Gauss' weights for [-1, 1].
static const double node_at[nodes] = {-0.98156063424671925069, -0.90411725637047485668, -0.76990267419430468704,
                                      -0.58731795428661744730, -0.36783149899818019375, -0.12523340851146891547,
                                      0.12523340851146891547,  0.36783149899818019375,  0.58731795428661744730,
                                      0.76990267419430468704,  0.90411725637047485668,  0.98156063424671925069};
static const double weight_at[nodes] = {0.04717533638651182719, 0.10693932599531843096, 0.16007832854334622633,
                                        0.20316742672306592175, 0.23349253653835480876, 0.24914704581340278500,
                                        0.24914704581340278500, 0.23349253653835480876, 0.20316742672306592175,
                                        0.16007832854334622633, 0.10693932599531843096, 0.04717533638651182719};

static const double still = 2e-14; // a round that moves a state by this part of its size is the last one
// Of the last mode: at the end of the step its square counts.
static const double coarse = 1e-7;
static const double exact_place = 2e-13; // parts of sizes: what the polynomial may be off between nodes
static const double exact_speed = 2e-11;
static const double is_zero = 1e-5;  // of the value at the start of the leap
static const double there = 1e-4;    // of the largest nearness: no method begins here, and no blow is answered
static const double hopeless = 1e-5; // of the largest nearness: nearer than this rounding dominates

typedef struct Leap {
  Run *r;
  uint32_t n, checked;
  double t, h;
  double value;                  // nearness at t
  double from;                   // where the method stands
  double place_size, speed_size; // largest of what is bound
  double *start, *modes, *rates, *state, *rows, *values;
  double offset[nodes]; // integrals of Legendre polynomials from -1 to where the start lies: at t, or in the middle
  bool middle;
  double wall;  // a break at the singular configuration: the polynomial ignores it; INFINITY: none
  double floor; // the same in front of one at which it begins; -INFINITY: none
  double span;  // from there on, as others see it
  double found; // t*
  uint32_t rank;
  double end; // up to here only the counted singular configurations are on it
  uint32_t count;
  SingularPlace places[most_on_leap]; // all that lie on it
} Leap;

static bool make_rooms(Leap *x) {
  Run *r = x->r;
  const ConstraintPlan *plan = r->p->constraints;
  x->n = r->p->y.total;
  x->checked = r->p->y.count;
  x->start = arena_array(r->scratch, x->n, sizeof *x->start);
  x->state = arena_array(r->scratch, x->n, sizeof *x->state);
  x->modes = arena_array(r->scratch, (size_t)nodes * x->n, sizeof *x->modes);
  x->rates = arena_array(r->scratch, (size_t)nodes * x->n, sizeof *x->rates);
  x->rows = arena_array(r->scratch, singular_look_size(plan) + 1, sizeof *x->rows);
  x->values = arena_array(r->scratch, (size_t)plan->count + 1, sizeof *x->values);
  return !arena_failed(r->scratch);
}

// ---- the polynomial

// Legendre polynomials at z, P[0] is that of degree -1, whose integral begins at -1.
static void legendre(double z, double P[nodes + 2]) {
  P[0] = -1;
  P[1] = 1;
  P[2] = z;
  for (int k = 2; k <= nodes; k++) P[k + 1] = ((2 * k - 1) * z * P[k] - (k - 1) * P[k - 1]) / k;
}

static void at_time(const Leap *x, double t, double *y) {
  double P[nodes + 2], z = 2 * (t - x->t) / x->h - 1;
  legendre(z, P);
  memcpy(y, x->start, x->n * sizeof *y);
  for (int k = 0; k < nodes; k++) {
    double part = 0.5 * x->h * ((P[k + 2] - P[k]) / (2 * k + 1) - x->offset[k]);
    for (uint32_t e = 0; e < x->n; e++) y[e] += part * x->modes[(size_t)k * x->n + e];
  }
}

static void dense(void *self, double part, double *y) {
  const Leap *x = self;
  at_time(x, x->from + part * x->span, y);
}

static bool reach(void *self, double t, double *y) {
  at_time(self, t, y);
  return true;
}

// Modes of the rates at the nodes; the largest change of a mode that there is, by the sizes of components.
static double find_modes(Leap *x, const double *size) {
  double most = 0;
  for (int k = 0; k < nodes; k++) {
    double weight[nodes];
    for (int i = 0; i < nodes; i++) {
      double P[nodes + 2];
      legendre(node_at[i], P);
      weight[i] = 0.5 * (2 * k + 1) * weight_at[i] * P[k + 1];
    }
    for (uint32_t e = 0; e < x->n; e++) {
      double sum = 0, *mode = &x->modes[(size_t)k * x->n + e];
      for (int i = 0; i < nodes; i++) sum += weight[i] * x->rates[(size_t)i * x->n + e];
      if (e < x->checked) most = fmax(most, x->h * fabs(sum - *mode) / size[e]);
      *mode = sum;
    }
  }
  return most;
}

// Sizes of components: positions and velocities that are bound have one for all, as in projections.
static double *find_sizes(Leap *x, const double *f) {
  const ConstraintPlan *plan = x->r->p->constraints;
  double *size = arena_array(x->r->scratch, x->n, sizeof *size);
  x->place_size = x->r->constraints.singular->place;
  x->speed_size = x->r->constraints.singular->speed;
  for (uint32_t i = 0; i < plan->coord_count; i++) {
    uint32_t v = plan->coords[i].v;
    x->speed_size = fmax(x->speed_size, fabs(x->start[v]));
    x->place_size = fmax(x->place_size, fmax(bound_size(&plan->coords[i], x->start), x->h * fabs(x->start[v])));
  }
  for (uint32_t e = 0; size && e < x->checked; e++) size[e] = fmax(fmax(fabs(x->start[e]), x->h * fabs(f[e])), 1e-300);
  for (uint32_t i = 0; size && i < plan->coord_count; i++) {
    if (plan->coords[i].q != no_place) size[plan->coords[i].q] = fmax(x->place_size, 1e-300);
    else
      for (int k = 0; k < 4; k++) size[plan->coords[i].r[k]] = 1;
    size[plan->coords[i].v] = fmax(x->speed_size, 1e-300);
  }
  return size;
}

// The first polynomial: velocities change at the rate of the start, or not at all in a singular configuration.
static bool guess(Leap *x) {
  const ConstraintPlan *plan = x->r->p->constraints;
  memset(x->modes, 0, (size_t)nodes * x->n * sizeof *x->modes);
  if (!run_right_side(x->r, x->middle ? x->from : x->t, x->start, x->rates)) return false;
  for (uint32_t i = 0; x->middle && i < plan->coord_count; i++) x->rates[plan->coords[i].v] = 0;
  const double *f = x->rates;
  memcpy(x->modes, f, x->n * sizeof *f);
  for (uint32_t i = 0; i < plan->moved_count; i++) {
    uint32_t q = plan->coords[i].q;
    if (q == no_place) continue; // a spherical joint rotates at the rate of the start
    double change = 0.5 * x->h * f[plan->coords[i].v];
    x->modes[q] += change;
    x->modes[x->n + q] = change;
  }
  return true;
}

static double look_at(Leap *x, double t) {
  at_time(x, t, x->state);
  return singular_look(x->r, t, x->state);
}

// When it is reached: where the nearness is least along the guess, by the golden section. NAN: it comes near to none.
static double expect(Leap *x) {
  SingularState *s = x->r->constraints.singular;
  const double golden = 0.6180339887498949;
  double left = x->t, right = x->t + 3 * (s->expected - x->t);
  x->h = right - left;
  if (!(right > left) || !guess(x)) return NAN;
  double a = right - golden * (right - left), b = left + golden * (right - left), at_a = look_at(x, a),
         at_b = look_at(x, b);
  for (int i = 0; i < 20; i++) {
    bool low = at_a < at_b;
    if (low) right = b, b = a, at_b = at_a, a = right - golden * (right - left), at_a = look_at(x, a);
    else left = a, a = b, at_a = at_b, b = left + golden * (right - left), at_b = look_at(x, b);
  }
  s->close = s->refused || fmin(at_a, at_b) < 0.1 * x->value;
  return s->close ? 0.5 * (left + right) : NAN;
}

// The largest residuals there: of positions, of velocities.
static void residues_at(Leap *x, double t, const double *y, double *place, double *speed) {
  Run *r = x->r;
  const ConstraintPlan *plan = r->p->constraints;
  const ConstraintRun *c = &r->constraints;
  run_eval_at(r, plan->residues, c->residues, t, y);
  *place = *speed = 0;
  for (uint32_t k = 0; k < plan->count; k++) {
    *place = fmax(*place, fabs(tape_result(plan->residues, c->residues, k)) / c->scale[k]);
    *speed = fmax(*speed, fabs(tape_result(plan->residues, c->residues, plan->count + k)) / c->scale[k]);
  }
}

// Projection onto the constraints, as in constrain.c, but near a singular configuration: corrections end when they no
// longer decrease, which is rounding error over a small singular value, and the residuals decide whether it succeeded.
static void correct(Leap *x, bool rates, double t, double *y) {
  Run *r = x->r;
  const ConstraintPlan *plan = r->p->constraints;
  const Tape *tape = rates ? plan->speed : plan->place;
  double *w = rates ? r->constraints.speed : r->constraints.place, before = INFINITY;
  for (int i = 0; i < 10; i++) {
    double most = 0;
    run_eval_at(r, tape, w, t, y);
    for (uint32_t k = 0; k < plan->moved_count; k++) most = fmax(most, fabs(tape_result(tape, w, k)));
    if (!(most > 0) || !(most < (i > 2 ? 0.25 : 1) * before)) return;
    for (uint32_t k = 0; k < plan->moved_count; k++) {
      if (rates) y[plan->coords[k].v] += tape_result(tape, w, k);
      else bound_move(&plan->coords[k], tape_result(tape, w, k), y);
    }
    before = most;
  }
}

static bool bring(Leap *x, double t, double *y) {
  double place, speed;
  correct(x, false, t, y);
  correct(x, true, t, y);
  residues_at(x, t, y, &place, &speed);
  return place <= exact_place * x->place_size && speed <= exact_speed * x->speed_size;
}

static double seen(const Leap *x, double t) {
  return t < x->floor ? x->floor : t < x->wall ? t : nextafter(x->wall, x->from);
}

// One iteration. False: at some node the projection fails, or there is no rate.
static bool evaluate_nodes(Leap *x) {
  for (int i = 0; i < nodes; i++) {
    double t = x->t + 0.5 * (1 + node_at[i]) * x->h;
    at_time(x, t, x->state);
    if (!bring(x, t, x->state)) return false;
    if (!run_right_side(x->r, seen(x, t), x->state, x->rates + (size_t)i * x->n)) return false;
  }
  return true;
}

// Accelerations on the branch are off by rounding over the cube of the smallest singular value, across the branch; the
// nearest nodes have an eighth of that of the start.
static double noise_of(const Leap *x) {
  double weak = 0.125 * x->value;
  return fmin(1e-5, fmax(1e-9, 100 * DBL_EPSILON * x->h / (weak * weak * weak)));
}

// The polynomial from the start over h. False: it does not converge.
static bool solve(Leap *x, double h) {
  x->h = h;
  double before = INFINITY;
  if (!guess(x)) return false;
  double *size = find_sizes(x, x->rates);
  if (!size) return false;
  for (int round = 0; round < most_rounds; round++) {
    if (!evaluate_nodes(x)) return false;
    double change = find_modes(x, size);
    if (!isfinite(change) || (round > 2 && change > 0.7 * before)) {
      if (!(change <= noise_of(x))) return false;
      break;
    }
    if (change <= still) break;
    before = change;
  }
  double last = 0;
  for (uint32_t e = 0; e < x->checked; e++)
    last = fmax(last, h * fabs(x->modes[(size_t)(nodes - 1) * x->n + e]) / size[e]);
  return last <= coarse;
}

// ---- is it a solution on one branch through a singular configuration?

static bool obeys(Leap *x, double t) {
  double place, speed;
  at_time(x, t, x->state);
  residues_at(x, t, x->state, &place, &speed);
  return place <= exact_place * x->place_size && speed <= exact_speed * x->speed_size;
}

// The smallest of the singular values that are not 0 in general; x->values has them all, of few constraints.
static double weakest(Leap *x, double t) {
  const ConstraintPlan *plan = x->r->p->constraints;
  at_time(x, t, x->state);
  if (plan->gram) {
    singular_entries(x->r, t, x->state, x->rows);
    return gram_weakest(plan->gram, &x->r->constraints.gram, *x->r->constraints.rank, x->rows);
  }
  singular_rows(x->r, t, x->state, x->rows);
  singular_values(x->rows, plan->count, plan->coord_count, x->values);
  return x->values[*x->r->constraints.rank - 1];
}

// How many singular values are left in the configuration that weakest() evaluated last.
static uint32_t rank_there(Leap *x) {
  const ConstraintRun *c = &x->r->constraints;
  const Gram *g = x->r->p->constraints->gram;
  uint32_t rank = 0;
  if (g) {
    uint32_t below = gram_below(g, &c->gram, x->rows, is_zero * fmax(1, c->singular->most));
    return below < g->m ? g->m - below : 0; // the dependent ones are among them
  }
  while (rank < *c->rank && x->values[rank] > is_zero * fmax(x->values[0], c->singular->most)) rank++;
  return rank;
}

// The singular configuration near t, not farther away than about `first`: where the value is s |t - t*|, its sign the
// side, two moments around it give it as a line does; where it is like (t - t*)^2 they lead twice as far. Three
// quarters of the way end there in both. NAN: none.
static double locate_near(Leap *x, double t, double first) {
  for (double width = first; width > 1e-7 * x->h; width *= 0.1) {
    for (int again = 0; again < 20; again++) {
      double left = weakest(x, t - width), right = weakest(x, t + width);
      double by = 0.75 * width * (left - right) / (left + right);
      if (!isfinite(by)) return NAN;
      t += by;
      if (fabs(by) < 1e-4 * width) break;
    }
  }
  return t;
}

static bool locate(Leap *x, double t) {
  t = locate_near(x, t, fmax(1e-3 * x->h, 0.4 * fmin(t - x->t, x->t + x->h - t)));
  if (!isfinite(t)) return false;
  x->found = t;
  return t > x->from && t < x->t + x->h;
}

// Does the value vanish at t, like |t - t*| on both sides, as far as `width`?
static bool vanishes_at(Leap *x, double t, double width, bool *simple) {
  double at = weakest(x, t), far[2], near[2];
  x->rank = rank_there(x);
  for (int side = 0; side < 2; side++) {
    far[side] = weakest(x, t + (side ? width : -width));
    near[side] = weakest(x, t + 0.25 * (side ? width : -width));
  }
  *simple = true;
  for (int side = 0; side < 2; side++)
    *simple = *simple && near[side] > 0.18 * far[side] && near[side] < 0.35 * far[side];
  return at <= is_zero * fmin(far[0], far[1]);
}

static bool vanishes(Leap *x, bool *simple) { return vanishes_at(x, x->found, 0.02 * x->h, simple); }

static void way_at(void *self, double t, double *y) { at_time(self, t, y); }

static void put_place(Leap *x, double t, uint32_t rank) {
  if (x->count < most_on_leap) x->places[x->count++] = (SingularPlace){t, rank};
}

// Several mechanisms may lose rank on one leap, one behind the other: all of these configurations count. Where one
// has more than one branch the leap ends in front of it.
static void list_places(Leap *x) {
  double times[most_on_leap], found = x->found, last = x->from;
  uint32_t rank = x->rank, count;
  bool listed = false;
  SingularWay way = {x->r, x, way_at, x->state};
  count = singular_search(&way, x->from, x->t + x->h, times, most_on_leap);
  for (uint32_t i = 0; i < count; i++) {
    double before = i ? times[i - 1] : x->t, behind = i + 1 < count ? times[i + 1] : x->t + x->h;
    double room = fmin(times[i] - before, behind - times[i]), width = fmin(0.02 * x->h, 0.2 * room);
    bool simple = false;
    if (fabs(times[i] - found) < 1e-3 * x->h && !listed) {
      put_place(x, found, rank);
      listed = true;
      last = found;
      continue;
    }
    double t = width > 0 ? locate_near(x, times[i], width) : NAN;
    if (!(fabs(t - times[i]) < room) || !vanishes_at(x, t, width, &simple)) continue; // near one, not there
    if (!listed && t > found) put_place(x, found, rank), listed = true, last = found;
    if (!simple) {
      x->end = 0.5 * (last + t);
      break;
    }
    put_place(x, t, x->rank);
    last = t;
  }
  if (!listed) put_place(x, found, rank);
  x->rank = rank;
}

// A leap may end right in front of the next singular configuration, from where no other begins: it ends where it is
// farthest from both.
static void choose_end(Leap *x) {
  enum { looks = 16 };
  const double well = 0.1; // of the largest nearness
  double last = x->places[x->count - 1].t, span = x->end - last, best = look_at(x, x->end);
  if (best > well * x->r->constraints.singular->most) return;
  for (int i = looks - 1; i > 0; i--) {
    double value = look_at(x, last + span * i / looks);
    if (!(value > 1.5 * best)) continue;
    best = value;
    x->end = last + span * i / looks;
  }
}

static bool is_motion(Leap *x) {
  static const double parts[] = {0.1, 0.25, 0.5, 0.75, 0.9, 1};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (!obeys(x, x->t + parts[i] * x->h)) return false;
  }
  return obeys(x, x->found);
}

// ---- the leap

// The next event at a time of its own. What it changes is not seen before it happens: a polynomial may be longer.
static double next_timed(const Run *r, double t) {
  const OdeEvents *e = r->h && !r->p->events->stepwise ? &r->h->events : NULL;
  return e && e->next ? e->next(e->self, t) : INFINITY;
}

static double next_break(const Run *r, double t) {
  const OdeBreaks *b = &r->ode.breaks;
  uint32_t k = 0;
  while (k < b->count && b->times[k] <= t) k++;
  return k < b->count ? b->times[k] : INFINITY;
}

// Something comes at this time at the latest that no polynomial may pass: a break, or a jump that comes back delayed.
static double limit_of(const Run *r, double t) {
  double limit = r->h && r->p->events->delay_count ? next_timed(r, t) : INFINITY, wall = next_break(r, t);
  return wall < INFINITY ? fmin(limit, nextafter(wall, t)) : limit;
}

// A break so near to the singular configuration that no leap fits before it or behind.
static void find_wall(Leap *x, double expected) {
  double wall = next_break(x->r, x->from);
  bool near = fabs(wall - expected) < 0.05 * (expected - x->t) && !(x->r->h && x->r->p->events->delay_count);
  x->wall = near ? wall : INFINITY;
}

// The length of a leap over a singular configuration that is `half` away: it lies half way between two nodes, and so
// that the leap is as long as `request`, which is more than twice as far where that is so near that rounding would
// count in the middle.
static double length_of(double half, double request, double most, double *gap) {
  double before = 0;
  for (int k = 0; k <= nodes; k++) {
    double next = k < nodes ? 0.5 * (1 + node_at[k]) : 1, part = 0.5 * (before + next);
    *gap = 0.5 * (next - before);
    if (k == 0 && half < 0.5 * part * fmin(request, most)) return fmin(request, most);
    if (half / part <= fmin(1.3 * request, most)) return half / part;
    before = next;
  }
  return 0;
}

static double nearest_node(double part) {
  double least = INFINITY;
  for (int i = 0; i < nodes; i++) least = fmin(least, fabs(part - 0.5 * (1 + node_at[i])));
  return least;
}

// Finds the polynomial of a requested length. False: none.
static bool find_as_long(Leap *x, double expected, double request, bool *simple) {
  find_wall(x, expected);
  double limit = (x->wall < INFINITY ? INFINITY : limit_of(x->r, x->from)) - x->t, gap;
  for (int again = 0; again < 4; again++) {
    double h = length_of(expected - x->t, request, limit, &gap);
    if (!(h > 0) || !solve(x, h) || !locate(x, expected)) return false;
    expected = x->found;
    if (nearest_node((expected - x->t) / h) > 0.5 * gap) return is_motion(x) && vanishes(x, simple);
  }
  return false;
}

static bool find(Leap *x, bool *simple) {
  const double well = 0.1; // of the largest nearness: where equations say enough
  double expected = expect(x), half = expected - x->t;
  if (!(expected > x->from) || !(half > 1e-14 * fabs(x->t))) return false;
  double request = half * (1 + fmax(1, well * x->r->constraints.singular->most / x->value));
  for (; request > 2 * half; request *= 0.25) {
    if (find_as_long(x, expected, request, simple)) return true;
  }
  return find_as_long(x, expected, 2 * half, simple);
}

// The state that others see. Near the singular configuration a projection would be worse than the polynomial.
static void state_at(Leap *x, double t, double *y) {
  at_time(x, t, y);
  if (fabs(t - x->found) > 0.05 * x->h && !bring(x, t, y)) at_time(x, t, y);
}

static bool give_rows(Leap *x, double to, const OdeObserver *observer) {
  Run *r = x->r;
  uint64_t count = ode_row_count(&r->ode), low = 0, high = count; // the first row behind the last one
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (ode_row_time(&r->ode, middle) <= r->s->row_t) low = middle + 1;
    else high = middle;
  }
  for (uint64_t k = low; k < count && ode_row_time(&r->ode, k) <= to; k++) {
    double t = ode_row_time(&r->ode, k);
    state_at(x, t, x->state);
    if (!observer->row(observer->self, t, x->state)) return false;
  }
  return true;
}

// The run ends at the singular configuration that it reaches at t; y: near by, or there.
static SingularTurn end_there(Run *r, double t, const double *y) {
  char at[number_text_size];
  number_format(at, sizeof at, "%.8g", t);
  const char *ways = singular_directions(r, t, y);
  r->constraints.singular->waits = false;
  r->failure = (RunFailure){run_failed,
                            arena_printf(r->scratch,
                                         "stopped at t = %s: the constraints lose rank there, or nearly so, and no "
                                         "single way leads on; directions that they leave open: %s",
                                         at, ways ? ways : "none"),
                            r->p->s.constraints.items[0].span, NULL};
  return singular_ended;
}

// Where the leap ends: at its end, at that of the run, at an event of a time, or where a condition ends on it.
static double landing(Leap *x, EventSearch **search, bool *event, bool *timed) {
  Run *r = x->r;
  double to = fmin(x->end, r->ode.t1), next = next_timed(r, x->from);
  const OdeEvents *e = r->h && !r->p->events->stepwise ? &r->h->events : NULL;
  *event = false;
  *timed = next <= to;
  if (*timed) to = next;
  if (x->wall <= to) {
    to = nextafter(x->wall, x->from);
    *timed = false;
  }
  *search = e && e->count ? event_search_new(r->scratch, e, x->n) : NULL;
  x->span = to - x->from;
  if (*search) *event = event_search(*search, x->from, x->span, dense, x, &to);
  if (*event) event_polish(*search, reach, x, x->state, &to);
  else if (*search) event_none(*search);
  *timed = *timed && !*event;
  return to;
}

// What happens at `to`. A break there belongs to the moment.
static OdeAction happen_at(Leap *x, double to, const OdeObserver *observer, EventSearch *search, bool event,
                           bool timed) {
  Run *r = x->r;
  const OdeEvents *e = r->h ? &r->h->events : NULL;
  bool broken = !event && nextafter(to, INFINITY) == x->wall;
  if (broken) {
    r->s->t = x->wall;
    if (observer->jump) observer->jump(observer->self, to, x->wall, r->y);
  }
  if (!e || (!event && !timed && !broken)) return action_go;
  uint32_t count = 0;
  const uint32_t *ended = event ? event_ended(search, to, r->y, &count) : NULL;
  OdeAction action = e->happen(e->self, r->s->t, r->y, ended, count, r->h->state->steps + 1);
  return action == action_idle ? action_go : action;
}

// y behind the leap, and what happens there.
static OdeAction land(Leap *x, double to, const OdeObserver *observer, EventSearch *search, bool event, bool timed) {
  Run *r = x->r;
  SingularState *s = r->constraints.singular;
  const OdeEvents *e = r->h ? &r->h->events : NULL;
  x->span = to - x->from;
  if (e && e->record && !e->record(e->self, x->from, to, dense, x)) return action_no_memory;
  state_at(x, to, r->y);
  r->s->t = to;
  s->there = singular_look(r, to, r->y) < there * s->most;
  OdeAction action = happen_at(x, to, observer, search, event, timed);
  s->there = false;
  return action;
}

// When the nearness vanishes, by the last three steps that are kept: it falls like (t* - t)^p.
static double vanishing_time(const SingularState *s) {
  const double *t = s->point_t, *v = s->point_value;
  if (s->points < 3) return s->expected;
  double low = 0, high = 20 * (t[0] - t[2]);
  for (int i = 0; i < 60; i++) {
    double left = 0.5 * (low + high);
    double near = log((left + t[0] - t[1]) / left), far = log((left + t[0] - t[2]) / (left + t[0] - t[1]));
    // if the interval is too short, the last step is too large a part of it
    if (near * log(v[2] / v[1]) > far * log(v[1] / v[0])) low = left;
    else high = left;
  }
  return t[0] + low;
}

static SingularTurn in_vain(Run *r) {
  SingularState *s = r->constraints.singular;
  s->vain = s->value;
  if (++s->tries < most_tries && s->value > hopeless * s->most) return singular_not_yet;
  double t = vanishing_time(s), *y = arena_array(r->scratch, r->p->y.total, sizeof *y);
  if (!y) return end_there(r, t, r->y);
  memcpy(y, r->y, r->p->y.total * sizeof *y);
  for (uint32_t i = 0; i < r->p->constraints->coord_count; i++) {
    const BoundCoord *c = &r->p->constraints->coords[i];
    bound_move(c, (t - r->s->t) * y[c->v], y);
  }
  return end_there(r, t, y);
}

// From the last step, or from one before it, where rounding is smaller.
static bool find_from_points(Leap *x, bool *simple) {
  Run *r = x->r;
  const SingularState *s = r->constraints.singular;
  const double well = 0.03; // of the largest nearness
  memcpy(x->start, r->y, x->n * sizeof *x->start);
  x->value = s->value;
  x->t = x->from;
  if (x->value > well * s->most || !s->points) return find(x, simple);
  for (uint32_t i = 0; i < s->points; i++) {
    if (s->point_value[i] < well * s->most && i + 1 < s->points) continue;
    memcpy(x->start, r->constraints.points + (size_t)i * x->n, x->n * sizeof *x->start);
    x->t = s->point_t[i];
    x->value = s->point_value[i];
    if (find(x, simple)) return true;
  }
  memcpy(x->start, r->y, x->n * sizeof *x->start);
  x->value = s->value;
  x->t = x->from;
  return find(x, simple);
}

// A polynomial was found: its rows, and where it leads.
static SingularTurn go_along(Leap *x, const OdeObserver *observer, OdeAction *action) {
  SingularState *s = x->r->constraints.singular;
  EventSearch *search;
  bool event, timed;
  x->end = x->t + x->h;
  list_places(x);
  choose_end(x);
  double to = landing(x, &search, &event, &timed);
  if (!give_rows(x, to, observer)) return singular_ended;
  *action = land(x, to, observer, search, event, timed);
  s->expected = x->places[0].t;
  for (uint32_t i = 0; i < x->count && to >= x->places[i].t; i++) {
    double t = x->places[i].t;
    if (s->passed && !(t > s->last + 1e-6 * x->h)) continue; // it was passed before
    if (s->passed < singular_places) s->places[s->passed] = x->places[i];
    s->passed++;
    s->last = t;
  }
  s->tries = s->points = 0;
  s->vain = INFINITY;
  return singular_passed;
}

SingularTurn singular_leap(Run *r, const OdeObserver *observer, OdeAction *action) {
  SingularState *s = r->constraints.singular;
  Leap leap = {.r = r, .from = r->s->t, .wall = INFINITY, .floor = -INFINITY}, *x = &leap;
  bool simple;
  *action = action_go;
  s->waits = s->close = false;
  if (!make_rooms(x)) {
    *action = action_no_memory;
    return singular_passed;
  }
  if (!find_from_points(x, &simple)) return in_vain(r);
  // others may lose their rank next to it, and none looks simple then: from nearer one sees this one alone
  if (!simple && s->tries < first_tries) return in_vain(r);
  if (!simple) {
    at_time(x, x->found, x->state);
    return end_there(r, x->found, x->state);
  }
  return go_along(x, observer, action);
}

// ---- away from a start

static SingularTurn cannot_start(Run *r, const char *why) {
  char at[number_text_size];
  number_format(at, sizeof at, "%.8g", r->ode.t0);
  const char *ways = singular_directions(r, r->ode.t0, r->y);
  r->failure = (RunFailure){run_failed,
                            arena_printf(r->scratch,
                                         "stopped at t = %s: the constraints lose rank where the motion starts%s; "
                                         "directions that they leave open: %s",
                                         at, why, ways ? ways : "none"),
                            r->p->s.constraints.items[0].span, NULL};
  return singular_ended;
}

// The rate at which rows of G change along the velocity: the largest one. That of all together grows with their number,
// and a polynomial would become the shorter the more mechanisms there are.
static double rate_of_rows(Leap *x) {
  const ConstraintPlan *plan = x->r->p->constraints;
  const double reach = 1e-4 * fmax(x->r->constraints.singular->place, 1) / x->r->constraints.singular->fastest;
  void (*rows)(Run *, double, const double *, double *) = plan->gram ? singular_entries : singular_rows;
  size_t size = plan->gram ? gram_entries(plan->gram) : (size_t)plan->count * plan->coord_count;
  double *before = arena_array(x->r->scratch, size, sizeof *before), most = 0;
  if (!before) return NAN;
  memcpy(x->state, x->start, x->n * sizeof *x->state);
  rows(x->r, x->from, x->start, before);
  for (uint32_t i = 0; i < plan->moved_count; i++)
    bound_move(&plan->coords[i], reach * x->start[plan->coords[i].v], x->state);
  rows(x->r, x->from, x->state, x->rows);
  for (uint32_t k = 0; k < plan->count; k++) {
    size_t from = plan->gram ? plan->start[k] : (size_t)k * plan->coord_count;
    size_t to = plan->gram ? plan->start[k + 1] : from + plan->coord_count;
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += (x->rows[i] - before[i]) * (x->rows[i] - before[i]);
    most = fmax(most, sum);
  }
  return sqrt(most) / reach;
}

// The nearness at `ahead` from the start, on the straight line along its velocity.
static double value_along(Leap *x, double ahead) {
  const ConstraintPlan *plan = x->r->p->constraints;
  memcpy(x->state, x->start, x->n * sizeof *x->state);
  for (uint32_t i = 0; i < plan->moved_count; i++)
    bound_move(&plan->coords[i], ahead * x->start[plan->coords[i].v], x->state);
  return singular_look(x->r, x->from, x->state);
}

// A polynomial with the start in its middle, of which one half counts.
static bool find_from_start(Leap *x, bool starts, bool *simple) {
  enum { tries = 15 };
  const OdeBreaks *b = &x->r->ode.breaks;
  for (uint32_t k = 0; k < b->count; k++) {
    if (b->times[k] == x->from) x->floor = x->from;
  }
  double rate = rate_of_rows(x), limit = 2 * (limit_of(x->r, x->from) - x->from), P[nodes + 2];
  x->middle = true;
  legendre(0, P);
  for (int k = 0; k < nodes; k++) x->offset[k] = (P[k + 2] - P[k]) / (2 * k + 1);
  double h = fmin(8 / rate, limit); // where it is far enough away equations say most, and rounding counts least
  for (int i = 0; i < tries && h > 0 && isfinite(h); i++, h *= 0.5) {
    x->t = x->from - 0.5 * h;
    x->value = value_along(x, 0.5 * h);
    x->found = x->from;
    if (!solve(x, h)) continue;
    if (!starts) locate(x, x->from); // it holds near the singular configuration, not at it
    if (fabs(x->found - x->from) < 0.02 * h && is_motion(x) && vanishes(x, simple)) return true;
  }
  return false;
}

SingularTurn singular_leave(Run *r, const OdeObserver *observer, bool starts, OdeAction *action) {
  const SingularState *s = r->constraints.singular;
  Leap leap = {.r = r, .from = r->s->t, .wall = INFINITY, .floor = -INFINITY}, *x = &leap;
  bool simple = false;
  *action = action_go;
  if (!make_rooms(x)) {
    *action = action_no_memory;
    return singular_passed;
  }
  if (starts && !observer->row(observer->self, r->s->t, r->y)) return singular_ended;
  if (starts && !(s->fastest > 0))
    return cannot_start(r, ", and no velocity says along which way it goes (`init` would)");
  memcpy(x->start, r->y, x->n * sizeof *x->start);
  bool found = find_from_start(x, starts, &simple) && simple;
  if (!found && !starts) return end_there(r, r->s->t, r->y);
  if (!found) return cannot_start(r, ", and no single way leads on with its velocity");
  return go_along(x, observer, action);
}

bool singular_land(Run *r) {
  SingularState *s = r->constraints.singular;
  const double well = 0.05; // of the largest nearness
  singular_remember(r, r->s->t, r->y, singular_look(r, r->s->t, r->y));
  bool near = s->value < well * s->most;
  if (near) s->vain = s->value;
  return near;
}

bool singular_is_there(const Run *r) {
  const SingularState *s = r->constraints.singular;
  return s->value < there * s->most;
}
