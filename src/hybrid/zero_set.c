// Which guards are zero within rounding and integration errors: all of them at one point.
//
// in    guards g_i, their rounding errors rho_i, errors e_v of the variables they are computed from
// out   the zero set; the sign of every other guard at the shifted point
// how   A candidate has |g| <= bound = rho + sum |dg/dv| e_v. Candidates join in the order of |g|/bound, those inside
//       of others first. With u_v = shift_v/e_v, a further variable for the rounding of each guard, and the rows
//       a_i = (dg_i/dv) e_v, rho_i the set is zero where a_i u = -g_i: the least u is kept, and an orthogonal basis of
//       the rows that joined. One that would need |u| > 1 does not join.
#include "hybrid/zero_set.h"

#include <math.h>

// A guard further from zero than this part of the largest value it had is no candidate: errors are some last digits.
static const double near_part = 0x1p-20;
// More candidates than these at one instant are taken to be zero all together.
enum { most_joined = 200 };
// Rounding of rows: what is left of a row that depends on the others, and of a guard beside what errors shift it by.
static const double dependent = 1e-10;

double zero_set_distance(BranchKind kind, double g) { return kind == branch_whole ? g - nearbyint(g) : g; }

static int sign_of(double g) { return (g > 0) - (g < 0); }

// It sticks, or it is the guard that was located, on the branches with which it was.
static bool is_forced(const Instant *x, uint32_t i) {
  if (x->held[i]) return true;
  return x->arrived.located != UINT32_MAX && x->plan->leader[x->arrived.located] == i &&
         fabs(x->arrived.g - x->g[i]) <= x->bound[i] &&
         fabs(zero_set_distance((BranchKind)x->plan->kind[i], x->g[i])) <= 64 * x->bound[i];
}

void zero_set_signs(Instant *x) {
  const InstantPlan *p = x->plan;
  for (uint32_t i = 0; i < p->guards; i++) {
    x->zero[i] = x->held[i] = false;
    x->sign[i] = (int8_t)sign_of(zero_set_distance((BranchKind)p->kind[i], x->g[i]));
  }
}

// Those that stick. True: some guard is near zero.
static bool look(Instant *x) {
  const InstantPlan *p = x->plan;
  bool near = false;
  zero_set_signs(x);
  for (uint32_t i = 0; i < p->guards; i++) {
    bool sticks = x->sticks[i] && fabs(x->g[i]) <= x->drift[i];
    x->held[p->leader[i]] = x->held[p->leader[i]] || sticks;
    double size = p->kind[i] == branch_whole ? fmax(1, fabs(x->g[i])) : x->scale[i],
           d = fabs(zero_set_distance((BranchKind)p->kind[i], x->g[i]));
    // larger than it was: its size is not known; within the bound that it had last: it may be zero all the time
    near = near || x->sticks[i] || d <= near_part * size || d > size || d <= x->bound[i];
  }
  x->sides.near = x->sides.near || near || x->start.sizes || x->arrived.located != UINT32_MAX;
  return x->sides.near;
}

// What stands inside of a guard is decided before it.
static bool comes_before(const Instant *x, uint32_t a, uint32_t b) {
  const uint32_t *depth = x->plan->depth;
  return depth[a] != depth[b] ? depth[a] < depth[b] : x->ratio[a] < x->ratio[b];
}

// Leaders that may be zero, in the order of |g|/bound; those that are known to be first.
static uint32_t list_candidates(Instant *x) {
  const InstantPlan *p = x->plan;
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->guards; i++) {
    if (p->leader[i] != i) continue;
    double d = fabs(zero_set_distance((BranchKind)p->kind[i], x->g[i]));
    bool forced = is_forced(x, i);
    if (!forced && !(d <= x->bound[i])) continue;
    x->ratio[i] = forced ? 0 : x->bound[i] > 0 ? d / x->bound[i] : 0; // room: the ratio
    uint32_t k = count++;
    for (; k > 0 && comes_before(x, i, x->order[k - 1]); k--) x->order[k] = x->order[k - 1];
    x->order[k] = i;
  }
  return count;
}

// Is a component of y read by a candidate? Of other variables that is not known.
static bool is_read(const Instant *x, uint32_t variable) {
  const InstantPlan *p = x->plan;
  if (variable == 0 || variable > p->body) return true;
  for (uint32_t r = p->reads_first[variable - 1]; r < p->reads_first[variable]; r++) {
    if (x->zero[p->leader[p->reads[r]]]) return true;
  }
  return false;
}

// The rows of all candidates: rates by each variable, times its error; behind them a column for the rounding of each.
static void find_rows(Instant *x, uint32_t count, double *rows) {
  const InstantPlan *p = x->plan;
  uint32_t n = p->variables, width = n + count;
  for (uint32_t v = 0; v < n; v++) x->direction[v] = 0;
  for (size_t k = 0; k < (size_t)count * width; k++) rows[k] = 0;
  for (uint32_t c = 0; c < count; c++) rows[(size_t)c * width + n + c] = x->rounding[x->order[c]];
  for (uint32_t v = 0; v < n; v++) {
    if (!(x->off[v] > 0) || !is_read(x, v)) continue;
    x->direction[v] = 1;
    x->host->slopes(x->host->self, x->direction, x->slope);
    x->direction[v] = 0;
    for (uint32_t c = 0; c < count; c++) {
      double slope = x->slope[x->order[c]];
      rows[(size_t)c * width + v] = isfinite(slope) ? slope * x->off[v] : 0;
    }
  }
}

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// Joins the candidates one after the other. rows: theirs; those that joined become the basis. u: the shift.
static void join(Instant *x, uint32_t count, double *rows, double *u) {
  const InstantPlan *p = x->plan;
  uint32_t n = p->variables + count, basis = 0;
  for (uint32_t v = 0; v < n; v++) u[v] = 0;
  for (uint32_t c = 0; c < count; c++) {
    uint32_t i = x->order[c];
    double *row = rows + (size_t)c * n, size = dot(row, row, n);
    double d = zero_set_distance((BranchKind)p->kind[i], x->g[i]), moved = dot(row, u, n), left = d + moved;
    bool joins = fabs(left) <= dependent * sqrt(size) || is_forced(x, i);
    if (dot(row, row, p->variables) == 0) { // no error of a variable moves it
      x->zero[i] = fabs(d) <= x->rounding[i] || is_forced(x, i);
      continue;
    }
    for (uint32_t b = 0; b < basis; b++) {
      const double *other = rows + (size_t)b * n;
      double part = dot(row, other, n);
      for (uint32_t v = 0; v < n; v++) row[v] -= part * other[v];
    }
    double rest = dot(row, row, n);
    if (rest > dependent * dependent * size) {
      double by = -left / rest, reach = 0;
      for (uint32_t v = 0; v < n; v++) reach = fmax(reach, fabs(u[v] + by * row[v]));
      if (reach <= 1) {
        joins = true;
        for (uint32_t v = 0; v < n; v++) u[v] += by * row[v];
        for (uint32_t v = 0; v < n; v++) rows[(size_t)basis * n + v] = row[v] / sqrt(rest);
        basis++;
      }
    }
    x->zero[i] = joins;
    if (!joins) x->sign[i] = (int8_t)sign_of(left);
  }
}

void zero_set_find(Instant *x) {
  const InstantPlan *p = x->plan;
  if (!p->guards || !look(x)) return;
  x->host->errors(x->host->self, x->off, 8, x->bound);
  for (uint32_t v = 0; v < p->variables; v++) x->direction[v] = 0;
  x->host->errors(x->host->self, x->direction, 8, x->rounding);
  uint32_t count = list_candidates(x);
  if (count == 1) x->zero[x->order[0]] = true;
  if (count < 2) return;
  for (uint32_t c = 0; c < count; c++) x->zero[x->order[c]] = true;
  if (count > most_joined) return;
  double *rows = x->host->room(x->host->self, ((size_t)count + 1) * (p->variables + count));
  if (!rows) return;
  find_rows(x, count, rows);
  join(x, count, rows, rows + (size_t)count * (p->variables + count));
}
