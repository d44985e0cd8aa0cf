// Estimation of variance components. See noise.h.
#include "fit/noise.h"

#include <string.h>

static const double least_ratio = 1e-9; // of a scale to the largest one: what is more exact is exact

// ---- groups

static double base_of(const FitColumn *c) { return isnan(c->given) ? c->spread : c->given; }

static uint32_t add_group(FitProblem *f, bool given) {
  f->groups[f->group_count] = (FitNoiseGroup){.given = given, .scale = 1, .freedom = given ? INFINITY : NAN};
  return f->group_count++;
}

typedef enum ColumnKind { column_given, column_long, column_short } ColumnKind;

static ColumnKind kind_of(const FitExperiment *x, const FitColumn *c) {
  if (!isnan(c->given)) return column_given;
  return c->points > x->k ? column_long : column_short;
}

// Columns of one kind into one group, or into one each.
static void put_kind(FitProblem *f, ColumnKind kind, bool together, size_t *points) {
  uint32_t group = UINT32_MAX;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t i = 0; i < x->width; i++) {
      FitColumn *c = &x->columns[i];
      if (kind_of(x, c) != kind) continue;
      if (!together || group == UINT32_MAX) group = add_group(f, kind == column_given);
      c->group = group;
      f->groups[group].points += c->points;
      *points += c->points;
    }
  }
}

// All columns without a standard deviation into one group.
static void put_together(FitProblem *f, uint32_t from) {
  f->group_count = from;
  uint32_t group = add_group(f, false);
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t i = 0; i < x->width; i++) {
      if (!isnan(x->columns[i].given)) continue;
      x->columns[i].group = group;
      f->groups[group].points += x->columns[i].points;
    }
  }
}

static void refuse_few(const FitProblem *f, Diags *diags) {
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    for (uint32_t i = 0; i < x->width; i++) {
      const SystemMeasured *m = &x->of->fit->measured.items[i];
      if (!isnan(x->columns[i].given)) continue;
      diag_error(diags, diag_bad_table, m->column_span,
                 "the column `%s` of \"%s\" has too few points for the size of its noise: %u, and %u unknown%s",
                 m->column, x->of->fit->path, x->columns[i].points, f->k, f->k == 1 ? "" : "s");
      diag_hint(diags, "say how exact it is: `by %s sd 0.01`", m->name);
    }
  }
}

static bool make_sums(FitProblem *f) {
  uint32_t block = 2 * f->k + 2;
  for (uint32_t g = 0; g < f->group_count; g++) {
    double *room = arena_array(f->arena, least_sums_room(f->k, block), sizeof *room);
    if (!room) return false;
    least_sums_init(&f->groups[g].sums, f->k, block, room);
  }
  return true;
}

bool noise_make_groups(FitProblem *f, Diags *diags) {
  size_t columns = 0, given = 0, own = 0, shared = 0;
  for (uint32_t e = 0; e < f->count; e++) columns += f->experiments[e].width;
  f->groups = arena_array(f->arena, columns + 1, sizeof *f->groups);
  if (!f->groups) return false;
  put_kind(f, column_given, true, &given);
  uint32_t estimated = f->group_count;
  put_kind(f, column_long, false, &own);
  put_kind(f, column_short, true, &shared);
  if (shared && shared <= f->k) put_together(f, estimated);
  if (given && shared && own + shared <= f->k) refuse_few(f, diags);
  f->noise_unit = 1;
  return !noise_is_weighed(f) || make_sums(f);
}

// ---- what is seen at a point

static void begin_looking(void *self) {
  FitProblem *f = self;
  for (uint32_t g = 0; g < f->group_count; g++) least_sums_clear(&f->groups[g].sums);
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t i = 0; i < f->experiments[e].width; i++) f->experiments[e].columns[i].left = 0;
  }
}

// Rows in parts of the spread, or of the standard deviation that is given.
static void look_at_point(void *self, const FitPoint *p) {
  FitProblem *f = self;
  FitColumn *c = &f->experiments[p->experiment].columns[p->column];
  double by = c->sd / base_of(c), off = p->r * c->sd;
  c->left += off * off;
  for (uint32_t j = 0; j < f->k; j++) f->wide[j] = by * p->slopes[j];
  least_sums_add(&f->groups[c->group].sums, by * p->r, f->wide);
}

bool noise_look(FitProblem *f, const double *u) {
  if (!fit_pass(f, u, true, &(FitPass){f, begin_looking, look_at_point})) return false;
  for (uint32_t g = 0; g < f->group_count; g++) least_sums_finish(&f->groups[g].sums);
  return true;
}

double noise_search_cost(const FitProblem *f) {
  double sum = 0;
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t i = 0; i < f->experiments[e].width; i++) {
      const FitColumn *c = &f->experiments[e].columns[i];
      sum += c->left / (c->start * c->start);
    }
  }
  return sum;
}

// ---- variances

typedef struct Leverages {
  uint32_t rank;
  double *a, *r, *R; // the weighed R of all groups, one below the other
  double *room;      // of the rank: directions, singular values, lengths
} Leverages;

static bool open_leverages(const FitProblem *f, Arena *arena, uint32_t rank, Leverages *x) {
  size_t k = f->k, rows = f->group_count * k;
  x->rank = rank;
  x->a = arena_array(arena, rows * k, sizeof *x->a);
  x->r = arena_array(arena, rows, sizeof *x->r);
  x->R = arena_array(arena, k * k, sizeof *x->R);
  x->room = arena_array(arena, k * (2 * k + 2), sizeof *x->room);
  return !arena_failed(arena);
}

// k_g of all groups at the scales that stand there.
static void find_used(FitProblem *f, const Leverages *x) {
  size_t k = f->k, block = k * k;
  for (uint32_t g = 0; g < f->group_count; g++) {
    for (size_t i = 0; i < block; i++) x->a[g * block + i] = f->groups[g].sums.R[i] / f->groups[g].scale;
  }
  least_reduce(x->a, x->r, f->group_count * k, f->k, x->R);
  uint32_t rank = least_rank(x->R, f->k, x->room);
  const double *v = x->room, *values = v + block, *length = values + k;
  if (rank > x->rank) rank = x->rank;
  for (uint32_t g = 0; g < f->group_count; g++) {
    double sum = 0;
    for (size_t i = 0; i < k; i++) {
      const double *row = f->groups[g].sums.R + i * k;
      for (uint32_t c = 0; c < rank; c++) {
        double along = 0;
        for (size_t j = i; j < k; j++) along += length[j] > 0 ? row[j] * v[j * k + c] / length[j] : 0;
        along /= values[c] * f->groups[g].scale;
        sum += along * along;
      }
    }
    f->groups[g].used = sum;
    if (!f->groups[g].given) f->groups[g].freedom = (double)f->groups[g].points - sum;
  }
}

// One pass of the fixed point. Returns the largest relative change of a scale.
static double follow_residuals(FitProblem *f) {
  double change = 0, most = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t g = 0; g < f->group_count; g++) {
      FitNoiseGroup *x = &f->groups[g];
      if (x->given) most = fmax(most, 1);
      if (x->given || !(x->freedom > 0)) continue;
      double scale = sqrt(x->sums.cost / x->freedom);
      if (pass == 0) most = fmax(most, scale);
      else if (most > 0) {
        scale = fmax(scale, least_ratio * most);
        change = fmax(change, fabs(scale / x->scale - 1));
        x->scale = scale;
      }
    }
  }
  return change;
}

static bool solve(FitProblem *f, uint32_t rank, int most) {
  Arena *arena = arena_new_scratch(f->arena);
  Leverages x;
  if (!arena) return false;
  bool ok = open_leverages(f, arena, rank, &x);
  for (int i = 0; ok && i <= most; i++) {
    find_used(f, &x);
    if (i < most && follow_residuals(f) < 1e-12) break;
  }
  arena_free_scratch(arena);
  return ok;
}

bool noise_estimate(FitProblem *f, uint32_t rank) { return solve(f, rank, 500); }
bool noise_count_freedom(FitProblem *f, uint32_t rank) { return solve(f, rank, 0); }

double noise_weigh(FitProblem *f) {
  double change = 0;
  bool given = false;
  f->noise_unit = 0;
  for (uint32_t g = 0; g < f->group_count; g++) {
    given = given || f->groups[g].given;
    f->noise_unit = fmax(f->noise_unit, f->groups[g].scale);
  }
  if (given) f->noise_unit = 1;
  if (!noise_is_weighed(f)) return 0; // columns that share their scale count as they did
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t i = 0; i < f->experiments[e].width; i++) {
      FitColumn *c = &f->experiments[e].columns[i];
      double sd = base_of(c) * f->groups[c->group].scale / f->noise_unit;
      change = fmax(change, fabs(sd / c->sd - 1));
      c->sd = sd;
    }
  }
  f->weighed = true;
  return change;
}

// ---- degrees of freedom

double noise_freedom(const FitProblem *f, const double *w, double variance, double own, uint32_t group) {
  uint32_t k = f->k;
  double all = 0, sum = 0;
  if (f->group_count == 1) return f->groups[0].freedom;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t g = 0; g < f->group_count; g++) {
      double share = 0;
      for (uint32_t i = 0; i < k; i++) {
        double along = 0;
        for (uint32_t j = i; j < k; j++) along += f->groups[g].sums.R[(size_t)i * k + j] * w[j];
        share += along * along / (f->groups[g].scale * f->groups[g].scale);
      }
      if (pass == 0) all += share;
      else {
        share = (all > 0 ? share / all * variance : 0) + (g == group ? own : 0);
        sum += share * share / f->groups[g].freedom;
      }
    }
  }
  return sum > 0 ? (variance + own) * (variance + own) / sum : INFINITY;
}
