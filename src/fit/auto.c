// `auto`. See auto.h.
#include "fit/auto.h"

#include "fit/batch_runs.h"

#include <string.h>

enum { locals = 3 };                                // local searches a round
enum { most_motions = 2000, most_values = 100000 }; // a search may spend; values of curves cost nothing

typedef struct Auto {
  FitResult *r;
  Lm *m;
  Explore *s;
  uint64_t most;
  bool ranged;
  double *u, *best, best_cost;
  double *twin; // elsewhere, and as good
  bool has_twin;
  bool noise;          // it leaves nothing but noise
  double *column;      // room for residuals
  double careful_cost; // of the best point from which a careful search began
  bool rests;          // the best is a minimum that the data tells in all directions
  double *room;        // of its rank
  uint32_t again;      // how often the best point was found once more
  uint32_t rounds;     // begun
  double begin, end;   // of the data
  bool stopped;
} Auto;

// ---- candidates

// Ranges of one sign are taken by their logarithm: how small, the range itself does not say where it begins at 0.
static double by_logarithm(double from, double to, double z) {
  bool negative = to <= 0;
  double high = negative ? -from : to, low = negative ? -to : from;
  if (low < 0) return NAN;
  if (low == 0) low = 1e-3 * high;
  double v = low * pow(high / low, z);
  return negative ? -v : v;
}

static void draw_candidates(Auto *a) {
  Explore *s = a->s;
  for (uint32_t j = 0; j < s->k; j++) {
    double from = s->from[j], to = s->to[j];
    for (uint32_t i = 0; i < s->size; i++) { // one in each layer
      double z = (i + explore_uniform(&s->random)) / s->size;
      double *to_z = &s->z[(size_t)i * s->k + j];
      double v = i % 2 ? NAN : by_logarithm(from, to, z);
      *to_z = isnan(v) ? z : (v - from) / (to - from);
    }
    // layers in any order; even and odd ones stay apart
    for (uint32_t i = s->size; i-- > 2;) {
      uint32_t other = 2 * explore_below(&s->random, i / 2 + (i % 2 == 0)) + i % 2;
      if (other > i) continue;
      double swap = s->z[(size_t)i * s->k + j];
      s->z[(size_t)i * s->k + j] = s->z[(size_t)other * s->k + j];
      s->z[(size_t)other * s->k + j] = swap;
    }
  }
}

// ---- local searches

static bool is_over(const Auto *a) { return a->stopped || a->s->f->motions >= a->most; }

bool auto_only_noise_is_left(const FitProblem *f, const double *r, double *room) {
  bool white = !f->curve && r;
  for (uint32_t e = 0; e < f->count && white; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width && white; c++) {
      size_t count;
      const double *one = fit_column(f, r, e, c, room, &count);
      white = count >= 20 && residual_tests(one, count).p_white > 0.05;
    }
  }
  return white;
}

// Where much of the data is explained: a little of it may look white, too.
static bool only_noise_is_left(Auto *a) {
  const FitProblem *f = a->s->f;
  if (f->curve || !(fit_r2(f, a->best_cost) > 0.9)) return false;
  return auto_only_noise_is_left(f, lm_residuals(a->m, a->u), a->column);
}

static bool is_elsewhere(const Auto *a) {
  bool differs = false;
  for (uint32_t j = 0; j < a->s->f->k; j++)
    differs = differs || fabs(a->u[j] - a->best[j]) > 0.02 * lm_scale(a->m, a->best, j);
  return differs;
}

// The same cost again: the same point, or one that the data cannot tell from it.
static void take_local(Auto *a, const LmResult *found) {
  const FitProblem *f = a->s->f;
  double cost = found->cost;
  if (!isfinite(cost)) return;
  double exact = 1e-10 * f->total; // data without noise: all below is rounding
  if (cost < a->best_cost * (1 - 1e-3) && a->best_cost > exact) a->again = 0, a->has_twin = false;
  else if (cost < a->best_cost * (1 + 1e-3) || cost < exact) a->again++;
  if (a->again && fabs(cost - a->best_cost) < 1e-3 * a->best_cost && is_elsewhere(a)) {
    memcpy(a->twin, cost < a->best_cost ? a->best : a->u, f->k * sizeof *a->twin);
    a->has_twin = true;
  }
  if (!(cost < a->best_cost)) return;
  a->best_cost = cost;
  a->rests = found->status == lm_found && !(found->offset > 0.1) && least_rank(a->m->R, f->k, a->room) == f->k;
  a->noise = a->rests && only_noise_is_left(a);
  memcpy(a->best, a->u, f->k * sizeof *a->u);
}

// How a local search goes: which parts of the data it begins with, and by what it moves.
typedef struct LocalWay {
  int halvings; // it begins with 2^-halvings of the data
  bool logarithms;
} LocalWay;

// The time until which a part of the data reaches.
static double part_of(const Auto *a, double part) { return a->begin + part * (a->end - a->begin); }

// How far a rough descent goes down: until what is left is small beside the noise of all points.
static double rough_gain(const FitProblem *f) { return fmin(1e-6, 0.005 * f->k / (double)f->points); }

// From a->u, by parts of the data.
static void search_locally(Auto *a, LocalWay way) {
  FitProblem *f = a->s->f;
  LmResult found = {.cost = INFINITY};
  bool ranged = a->ranged && !f->curve; // a curve costs nothing: it is followed to the end at once
  f->level = ranged ? level_rough : level_exact;
  for (int i = f->curve ? 0 : way.halvings; i >= 0 && !is_over(a); i--) {
    f->horizon = i ? part_of(a, ldexp(1, -i)) : INFINITY;
    if (i && fit_points_within(f) < 4 * (size_t)f->k) continue;
    LmSettings settings = {.most = i        ? 6
                                   : ranged ? 30
                                            : 300,
                           .gain = i        ? 1e-2
                                   : ranged ? rough_gain(f)
                                            : 1e-12,
                           .step = ranged || i ? 1e-4 : 1e-7,
                           .logarithms = way.logarithms};
    found = lm_run(a->m, a->u, &settings);
    if (found.status == lm_failed && i) continue;
    if (found.status != lm_found && found.status != lm_many) break;
  }
  f->horizon = INFINITY;
  f->level = level_exact;
  if (found.status == lm_interrupted || found.status == lm_no_memory) a->stopped = true;
  if (!is_over(a) || isfinite(found.cost)) take_local(a, &found);
}

// The best so far leaves more than noise. Perhaps the system forgets its start: once more by parts of the data that
// grow by little, with simulations as exact as they can be.
static void search_carefully(Auto *a) {
  enum { parts = 13 };
  FitProblem *f = a->s->f;
  LmResult found = {.cost = INFINITY};
  if (f->curve || a->noise || !(a->best_cost < a->careful_cost) || !(fit_r2(f, a->best_cost) > 0)) return;
  a->careful_cost = a->best_cost;
  memcpy(a->u, a->best, f->k * sizeof *a->u);
  for (int i = parts; i-- > 0 && !is_over(a);) {
    f->horizon = i ? part_of(a, pow(1.25, -i)) : INFINITY;
    if (i && fit_points_within(f) < 4 * (size_t)f->k) continue;
    LmSettings settings = {.most = i ? 8 : 30, .gain = i ? 1e-4 : 1e-9, .step = 1e-6};
    found = lm_run(a->m, a->u, &settings);
    if (found.status != lm_found && found.status != lm_many) break;
  }
  f->horizon = INFINITY;
  if (found.status == lm_interrupted || found.status == lm_no_memory) a->stopped = true;
  else take_local(a, &found);
}

// ---- rounds

// Are two candidates neighbours? By relative distances: small values differ as large ones do.
static bool are_near(const Explore *s, uint32_t a, uint32_t b) {
  for (uint32_t j = 0; j < s->k; j++) {
    double x = s->z[(size_t)a * s->k + j], y = s->z[(size_t)b * s->k + j];
    if (fabs(x - y) > 0.2 * (x + y) + 0.004) return false;
  }
  return true;
}

// The best that begins no search yet, nor has a neighbour that does.
static uint32_t best_left(const Explore *s, const bool *used) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < s->size; i++) {
    bool taken = used[i] || !isfinite(s->costs[i]) || (best != UINT32_MAX && s->costs[i] >= s->costs[best]);
    for (uint32_t n = 0; n < s->size && !taken; n++) taken = used[n] && are_near(s, n, i);
    if (!taken) best = i;
  }
  return best;
}

// The same point again and again; a poor one is believed later.
static bool is_good(const Auto *a) { return fit_r2(a->s->f, a->best_cost) > 0.9; }
static bool is_settled(const Auto *a) {
  if (a->noise || (!a->ranged && a->rests && is_good(a))) return true;
  if (!a->ranged) return a->rounds >= 1 && (a->again >= 2 || (a->rests && a->rounds >= 3));
  return a->rounds >= 2 && a->again >= (is_good(a) ? 1 : 8);
}

// So often the data is halved until few points are left.
static int most_halvings(const Auto *a) {
  FitProblem *f = a->s->f;
  int n = 0;
  do f->horizon = part_of(a, ldexp(1, -++n));
  while (n < 30 && fit_points_within(f) >= 4 * ((size_t)f->k + 1));
  f->horizon = INFINITY;
  return n - 1;
}

// Costs of the candidates; of a short round on the beginning of the data alone.
static bool judge(Auto *a, int halvings) {
  Explore *s = a->s;
  FitProblem *f = s->f;
  if (!halvings) {
    bool ok = explore_costs(s, s->z, s->size, s->costs);
    if (ok) explore_note(s, s->costs);
    return ok;
  }
  for (uint32_t i = 0; i < s->size; i++) explore_values(s, s->z + (size_t)i * s->k, s->u + (size_t)i * s->k);
  f->horizon = part_of(a, ldexp(1, -halvings));
  bool ok = batch_costs(f, s->u, s->size, s->costs);
  f->horizon = INFINITY;
  return ok;
}

// Every second round is a short one where nothing good was found: of many periods the whole data has a narrow valley
// for each that is counted wrong, its beginning has one.
static void run_round(Auto *a, bool *used) {
  Explore *s = a->s;
  bool is_short = !s->f->curve && a->rounds % 2 && !is_good(a);
  int halvings = is_short ? most_halvings(a) : 0;
  draw_candidates(a);
  if (!judge(a, halvings)) {
    a->stopped = true;
    return;
  }
  memset(used, 0, s->size * sizeof *used);
  a->rounds++;
  for (int i = 0; i < locals && !is_settled(a) && !is_over(a); i++) {
    uint32_t which = best_left(s, used);
    if (which == UINT32_MAX) return;
    used[which] = true;
    explore_values(s, s->z + (size_t)which * s->k, a->u);
    search_locally(a, (LocalWay){.halvings = halvings > 3 ? halvings : 3, .logarithms = i % 2});
  }
  if (!is_settled(a) && !is_over(a)) search_carefully(a);
}

// From the model's own values, where it has some.
static void begin_at_home(Auto *a) {
  const FitProblem *f = a->s->f;
  for (uint32_t j = 0; j < f->k; j++) {
    const FitUnknown *u = &f->unknowns[j];
    if (!isfinite(u->own) || u->own < f->least[j] || u->own > f->most[j]) return;
    a->u[j] = u->own;
  }
  search_locally(a, (LocalWay){0});
  if (a->ranged || is_over(a)) return;
  for (uint32_t j = 0; j < f->k; j++) a->u[j] = f->unknowns[j].own;
  search_locally(a, (LocalWay){.logarithms = true});
}

void auto_run(FitResult *r, Lm *m, Explore *s, const AutoSettings *settings) {
  FitProblem *f = r->f;
  Auto a = {.r = r,
            .m = m,
            .s = s,
            .most = settings->most ? settings->most
                    : f->curve     ? most_values
                                   : most_motions,
            .best_cost = INFINITY,
            .careful_cost = INFINITY};
  a.ranged = settings->ranged;
  a.u = arena_array(f->arena, f->k, sizeof *a.u);
  a.best = arena_array(f->arena, f->k, sizeof *a.best);
  a.twin = arena_array(f->arena, f->k, sizeof *a.twin);
  a.room = arena_array(f->arena, (size_t)f->k * (2 * f->k + 2), sizeof *a.room);
  a.column = arena_array(f->arena, fit_column_room(f), sizeof *a.column);
  bool *used = arena_array(f->arena, (size_t)s->size + 1, sizeof *used);
  r->status = run_no_memory;
  if (arena_failed(f->arena)) return;
  a.begin = f->experiments[0].of->times[0];
  a.end = a.begin;
  for (uint32_t e = 0; e < f->count; e++) {
    a.begin = fmin(a.begin, f->experiments[e].of->times[0]);
    a.end = fmax(a.end, f->experiments[e].of->times[f->experiments[e].of->count - 1]);
  }
  begin_at_home(&a);
  while (!is_settled(&a) && !is_over(&a)) run_round(&a, used);
  if (a.stopped) {
    r->status = arena_failed(f->arena) ? run_no_memory : run_interrupted;
    return;
  }
  r->status = run_failed;
  if (!isfinite(a.best_cost)) {
    r->message = "the motion fails everywhere in the range: no candidate reaches the end of the data";
    if (f->failure && f->failure_place.source) // why, and where: of the last simulation with sensitivities
      r->message = arena_printf(f->arena, "the motion fails everywhere in the range: %s", f->failure);
    r->place = f->failure_place;
    return;
  }
  memcpy(r->u, a.best, f->k * sizeof *r->u);
  r->rest.twin = a.has_twin ? a.twin : NULL;
  r->once = a.ranged && !is_settled(&a) && !a.again;
  r->status = run_done;
}
