// Dimensional synthesis by least squares over many positions and their parameters at once. See synthesis.h.
#include "positions/synthesis.h"

#include "base/random.h"
#include "fit/least.h"
#include "positions/deformed.h"

#include <math.h>
#include <string.h>

enum { short_steps = 40, long_steps = 1000, finalists = 5 };
static const double held = 1e4; // how much equations count that do not give way

typedef struct Blocks {
  Places *s;
  const SynthesisRequest *w;
  uint32_t n, m, d, N;
  double *u, *p, *P;         // where it is; P: values of all drives at a point
  double *trial_u, *trial_p; // where it would go
  double *R, *T, *q;         // by point: n x n, n x d, n: R du + T dp + q = 0
  double *a, *k, *r;         // (m + n) x n, d columns of m + n, m + n
  double *rows, *rest, *S;   // what is left over p: (N m + d) x d, N m + d, d x d
  double *scale_u, *scale_p; // lengths of columns, the largest so far
  double *dp, *room, *lengths;
  bool *free;
} Blocks;

static bool open(Blocks *x, Places *s, const SynthesisRequest *w) {
  Arena *arena = s->arena;
  *x = (Blocks){.s = s, .w = w, .n = s->n, .m = s->m, .d = s->k - w->targets, .N = w->count};
  size_t n = x->n, m = x->m, d = x->d, N = x->N;
  const struct {
    double **to;
    size_t count;
  } rooms[] = {{&x->u, N * n},        {&x->p, d},       {&x->P, s->k},
               {&x->trial_u, N * n},  {&x->trial_p, d}, {&x->R, N * n * n},
               {&x->T, N * n * d},    {&x->q, N * n},   {&x->a, (m + n) * n},
               {&x->k, d * (m + n)},  {&x->r, m + n},   {&x->rows, (N * m + d) * d},
               {&x->rest, N * m + d}, {&x->S, d * d},   {&x->scale_u, N * n},
               {&x->scale_p, d},      {&x->dp, d},      {&x->room, d * (3 * d + 2)},
               {&x->lengths, d}};
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
    *rooms[i].to = arena_array(arena, rooms[i].count + 1, sizeof(double));
  x->free = arena_array(arena, d + 1, sizeof *x->free);
  return !arena_failed(arena);
}

static double weight_of(const Blocks *x, uint32_t row) { return x->s->soft.rows[row] ? 1 : held; }

static void set_drives(Blocks *x, const double *p, uint32_t j) {
  memcpy(x->P, x->w->points + (size_t)j * x->w->targets, x->w->targets * sizeof *x->P);
  memcpy(x->P + x->w->targets, p, x->d * sizeof *p);
}

static double cost_of(Blocks *x, const double *u, const double *p) {
  double sum = 0;
  for (uint32_t j = 0; j < x->N; j++) {
    set_drives(x, p, j);
    places_eval(x->s, u + (size_t)j * x->n, x->P);
    for (uint32_t i = 0; i < x->m; i++) {
      double f = weight_of(x, i) * places_value(x->s, i);
      sum += f * f;
    }
  }
  return isfinite(sum) ? sum / 2 : INFINITY;
}

// ---- one step

// The block of a point, weighted: a = J, k = K (by columns), r = F. Column lengths grow with it.
static void fill_block(Blocks *x, uint32_t j) {
  const Places *s = x->s;
  uint32_t rows = x->m + x->n;
  memset(x->a, 0, (size_t)rows * x->n * sizeof *x->a);
  memset(x->k, 0, (size_t)rows * x->d * sizeof *x->k);
  memset(x->r, 0, rows * sizeof *x->r);
  set_drives(x, x->p, j);
  places_eval(x->s, x->u + (size_t)j * x->n, x->P);
  for (uint32_t i = 0; i < x->m; i++) x->r[i] = weight_of(x, i) * places_value(s, i);
  for (uint32_t e = 0; e < s->entries; e++) {
    uint32_t row = s->entry_row[e], column = s->entry_column[e];
    double value = weight_of(x, row) * places_entry(s, e);
    if (column < x->n) x->a[(size_t)row * x->n + column] = value;
    else if (column >= x->n + x->w->targets) x->k[(size_t)(column - x->n - x->w->targets) * rows + row] = value;
  }
}

static void grow_scales(Blocks *x, uint32_t j, double *columns) {
  uint32_t rows = x->m + x->n;
  for (uint32_t c = 0; c < x->n; c++) {
    double sum = 0, *scale = &x->scale_u[(size_t)j * x->n + c];
    for (uint32_t i = 0; i < x->m; i++) sum += x->a[(size_t)i * x->n + c] * x->a[(size_t)i * x->n + c];
    *scale = fmax(*scale, sqrt(sum));
  }
  for (uint32_t c = 0; c < x->d; c++) {
    for (uint32_t i = 0; i < x->m; i++) columns[c] += x->k[(size_t)c * rows + i] * x->k[(size_t)c * rows + i];
  }
}

static double or_one(double scale) { return scale > 0 ? scale : 1; }

// Blocks are reduced; what is left over p goes to x->rows and x->rest.
static void reduce(Blocks *x, double mu) {
  uint32_t rows = x->m + x->n, n = x->n, d = x->d;
  memset(x->lengths, 0, d * sizeof *x->lengths);
  for (uint32_t j = 0; j < x->N; j++) {
    fill_block(x, j);
    grow_scales(x, j, x->lengths);
    for (uint32_t c = 0; c < n; c++)
      x->a[(size_t)(x->m + c) * n + c] = sqrt(mu) * or_one(x->scale_u[(size_t)j * n + c]);
    least_reduce(x->a, x->r, rows, n, x->R + (size_t)j * n * n);
    for (uint32_t c = 0; c < d; c++) {
      double *column = x->k + (size_t)c * rows;
      least_rotate(x->a, rows, n, column);
      for (uint32_t i = 0; i < n; i++) x->T[((size_t)j * n + i) * d + c] = column[i];
      for (uint32_t i = 0; i < x->m; i++) x->rows[((size_t)j * x->m + i) * d + c] = column[n + i];
    }
    memcpy(x->q + (size_t)j * n, x->r, n * sizeof *x->q);
    memcpy(x->rest + (size_t)j * x->m, x->r + n, x->m * sizeof *x->rest);
  }
  for (uint32_t c = 0; c < d; c++) x->scale_p[c] = fmax(x->scale_p[c], sqrt(x->lengths[c]));
}

// R du = -(T dp + q), from below.
static void solve_points(Blocks *x) {
  uint32_t n = x->n, d = x->d;
  for (uint32_t j = 0; j < x->N; j++) {
    const double *R = x->R + (size_t)j * n * n, *u = x->u + (size_t)j * n;
    double *to = x->trial_u + (size_t)j * n;
    for (uint32_t i = n; i-- > 0;) {
      double sum = -x->q[(size_t)j * n + i];
      for (uint32_t c = 0; c < d; c++) sum -= x->T[((size_t)j * n + i) * d + c] * x->dp[c];
      for (uint32_t c = i + 1; c < n; c++) sum -= R[(size_t)i * n + c] * to[c];
      to[i] = R[(size_t)i * n + i] != 0 ? sum / R[(size_t)i * n + i] : 0;
    }
    for (uint32_t i = 0; i < n; i++) to[i] += u[i];
  }
}

// The step over p inside its bounds: one that would leave them at once is held.
static void solve_parameters(Blocks *x, double mu) {
  uint32_t d = x->d;
  size_t rows = (size_t)x->N * x->m;
  least_reduce(x->rows, x->rest, rows > 0 ? rows : 1, d, x->S);
  for (uint32_t c = 0; c < d; c++) {
    x->lengths[c] = sqrt(mu) * or_one(x->scale_p[c]);
    x->free[c] = true;
  }
  for (uint32_t round = 0; round <= d; round++) {
    bool out = false;
    least_damped(x->S, x->rest, x->lengths, x->free, d, x->dp, x->room);
    for (uint32_t c = 0; c < d; c++) {
      bool leaves = (x->p[c] <= x->w->low[c] && x->dp[c] < 0) || (x->p[c] >= x->w->high[c] && x->dp[c] > 0);
      if (!leaves || !x->free[c]) continue;
      x->free[c] = false;
      out = true;
    }
    if (!out) break;
  }
  double part = 1; // up to the first bound
  for (uint32_t c = 0; c < d; c++) {
    double to = x->p[c] + x->dp[c];
    if (to < x->w->low[c]) part = fmin(part, (x->w->low[c] - x->p[c]) / x->dp[c]);
    if (to > x->w->high[c]) part = fmin(part, (x->w->high[c] - x->p[c]) / x->dp[c]);
  }
  for (uint32_t c = 0; c < d; c++) {
    x->dp[c] *= part;
    x->trial_p[c] = fmin(fmax(x->p[c] + x->dp[c], x->w->low[c]), x->w->high[c]);
  }
}

// ---- downhill

static void accept(Blocks *x) {
  memcpy(x->u, x->trial_u, (size_t)x->N * x->n * sizeof *x->u);
  memcpy(x->p, x->trial_p, x->d * sizeof *x->p);
}

// At most `most` steps. True: no step leads down any more.
static bool descend(Blocks *x, uint32_t most, double *cost, uint64_t *steps) {
  double mu = 1e-2;
  uint32_t still = 0;
  memset(x->scale_u, 0, (size_t)x->N * x->n * sizeof *x->scale_u);
  memset(x->scale_p, 0, x->d * sizeof *x->scale_p);
  for (uint32_t k = 0; k < most; k++) {
    double size = fmax(x->s->size, 1e-300);
    if (!isfinite(*cost)) return false;
    if (*cost <= 1e-30 * size * size) return true;
    bool down = false;
    for (int tries = 0; tries < 30 && !down; tries++) {
      reduce(x, mu);
      solve_parameters(x, mu);
      solve_points(x);
      ++*steps;
      double trial = cost_of(x, x->trial_u, x->trial_p);
      down = trial < *cost;
      if (!down) {
        mu = fmin(1e12, 4 * mu);
        continue;
      }
      still = *cost - trial <= 1e-13 * *cost ? still + 1 : 0;
      accept(x);
      *cost = trial;
      mu = fmax(1e-14, mu / 5);
    }
    if (!down || still >= 5) return true;
  }
  return false;
}

// Where the mechanism is at each point with parameters x->p, one after the other. False: no memory.
static bool place_points(Blocks *x) {
  for (uint32_t j = 0; j < x->N; j++) {
    NearestPoint g;
    double *u = x->u + (size_t)j * x->n;
    memcpy(u, j ? u - x->n : x->s->start, x->n * sizeof *u);
    set_drives(x, x->p, j);
    NearestStatus status = deformed_near(x->s, x->P, j > 0, u, &g);
    if (status == nearest_no_memory || status == nearest_no_module) return false;
  }
  return true;
}

// Angles that are held also fit the bar the other way round: such an answer is none.
static bool is_turned(Blocks *x) {
  for (uint32_t j = 0; j < x->N; j++) {
    set_drives(x, x->p, j);
    places_eval(x->s, x->u + (size_t)j * x->n, x->P);
    if (!places_angles_right(x->s)) return true;
  }
  return false;
}

typedef struct Start {
  double cost, *p, *u;
} Start;

static void keep(const Blocks *x, Start *best, double cost) {
  uint32_t at = finalists;
  while (at > 0 && cost < best[at - 1].cost) at--;
  if (at == finalists) return;
  Start last = best[finalists - 1];
  memmove(best + at + 1, best + at, (finalists - 1 - at) * sizeof *best);
  last.cost = cost;
  memcpy(last.p, x->p, x->d * sizeof *x->p);
  memcpy(last.u, x->u, (size_t)x->N * x->n * sizeof *x->u);
  best[at] = last;
}

static void set_start(Blocks *x, uint32_t k) {
  const SynthesisRequest *w = x->w;
  for (uint32_t c = 0; c < x->d; c++) {
    double at = k ? w->low[c] + (w->high[c] - w->low[c]) * random_uniform(w->seed, (uint64_t)k * x->d + c)
                  : x->s->from[w->targets + c];
    x->p[c] = fmin(fmax(at, w->low[c]), w->high[c]);
  }
}

static void finish(Blocks *x, Synthesis *out) {
  out->cost = 0; // of elongations alone
  for (uint32_t j = 0; j < x->N; j++) {
    double sum = 0;
    set_drives(x, out->p, j);
    places_eval(x->s, out->u + (size_t)j * x->n, x->P);
    for (uint32_t i = 0; i < x->m; i++) {
      if (x->s->soft.rows[i]) sum += places_value(x->s, i) * places_value(x->s, i);
      else out->missed = fmax(out->missed, fabs(places_value(x->s, i)));
    }
    out->off[j] = sqrt(sum);
    out->cost += sum / 2;
  }
}

bool synthesis_find(Synthesis *out, Places *s, const SynthesisRequest *w) {
  Blocks x;
  Start best[finalists];
  *out = (Synthesis){.count = w->count, .d = s->k - w->targets, .cost = INFINITY};
  if (!open(&x, s, w)) return false;
  out->p = arena_array(s->arena, (size_t)x.d + 1, sizeof *out->p);
  out->u = arena_array(s->arena, (size_t)x.N * x.n + 1, sizeof *out->u);
  out->off = arena_array(s->arena, (size_t)x.N + 1, sizeof *out->off);
  for (int i = 0; i < finalists; i++) {
    best[i] = (Start){.cost = INFINITY, .p = arena_array(s->arena, (size_t)x.d + 1, sizeof *best[i].p)};
    best[i].u = arena_array(s->arena, (size_t)x.N * x.n + 1, sizeof *best[i].u);
  }
  if (arena_failed(s->arena)) return false;
  for (uint32_t k = 0; k <= w->starts; k++) {
    if (w->interrupted && w->interrupted(w->self)) {
      out->interrupted = true;
      break;
    }
    if (w->progress) w->progress(w->self, (double)k / (double)(w->starts + 1));
    set_start(&x, k);
    if (!place_points(&x)) return false;
    double cost = cost_of(&x, x.u, x.p);
    descend(&x, short_steps, &cost, &out->steps);
    out->starts++;
    if (isfinite(cost) && !is_turned(&x)) keep(&x, best, cost);
    else out->failed++;
  }
  for (int i = 0; i < finalists; i++) {
    double cost = best[i].cost;
    if (!isfinite(cost)) continue;
    memcpy(x.p, best[i].p, x.d * sizeof *x.p);
    memcpy(x.u, best[i].u, (size_t)x.N * x.n * sizeof *x.u);
    bool settled = descend(&x, long_steps, &cost, &out->steps);
    if (!(cost < out->cost) || is_turned(&x)) continue;
    out->cost = cost;
    out->settled = settled;
    memcpy(out->p, x.p, x.d * sizeof *x.p);
    memcpy(out->u, x.u, (size_t)x.N * x.n * sizeof *x.u);
  }
  if (isfinite(out->cost)) finish(&x, out);
  return !arena_failed(s->arena);
}
