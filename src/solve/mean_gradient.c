// The gradient of an energy in the mean: weights, and the rates of one iteration.
//
// in    a problem whose rates are F g + b (OdeGradient), the nodes of a line integral, its stages
// out   rates at the stages that lie on a polynomial of degree s - 1
// how   u lies on a polynomial of degree s, u(0) = z, so (u - z)/c on one of degree s - 1: the same projection leads
//       from stages to u at the nodes of Gauss. What the time changes of H is summed up over the stages.
#include "solve/mean_gradient.h"

#include <string.h>

// Nodes of Gauss, s of them.
static void put_nodes(MeanGradient *x) {
  const CollocationTable *m = x->s == 2 ? &gauss4_table : &gauss6_table;
  for (int i = 0; i < x->s; i++) x->c[i] = x->s == 1 ? 0.5 : m->c[i];
}

double legendre_kernel(int s, double a, double b) {
  double u = 2 * a - 1, v = 2 * b - 1, pa = 1, pb = 1, qa = 0, qb = 0, sum = 0;
  for (int j = 0; j < s; j++) {
    sum += (2 * j + 1) * pa * pb;
    double na = ((2 * j + 1) * u * pa - j * qa) / (j + 1), nb = ((2 * j + 1) * v * pb - j * qb) / (j + 1);
    qa = pa;
    qb = pb;
    pa = na;
    pb = nb;
  }
  return sum;
}

static void put_weights(MeanGradient *x) {
  const CollocationTable *m = x->m;
  for (int l = 0; l < m->stages; l++) {
    for (int i = 0; i < x->s; i++) {
      x->project[i][l] = (m->b[l].large + m->b[l].small) * legendre_kernel(x->s, x->c[i], m->c[l]);
      x->place[i][l] = x->project[i][l] * x->c[i] / m->c[l];
      double value = 1;
      for (int k = 0; k < x->s; k++) {
        if (k != i) value *= (m->c[l] - x->c[k]) / (x->c[i] - x->c[k]);
      }
      x->spread[l][i] = value;
    }
  }
}

bool mean_gradient_new(MeanGradient *x, Arena *arena, const OdeProblem *p, const CollocationTable *m) {
  uint32_t count = p->gradient->count;
  *x = (MeanGradient){.p = p, .m = m, .s = m->order / 2};
  put_nodes(x);
  put_weights(x);
  x->gradient = arena_array(arena, (size_t)m->stages * (count + 1), sizeof *x->gradient);
  x->mean = arena_array(arena, (size_t)count + 1, sizeof *x->mean);
  x->at = arena_array(arena, p->n, sizeof *x->at);
  x->rate = arena_array(arena, (size_t)x->s * p->n, sizeof *x->rate);
  return !arena_failed(arena);
}

// At node i: the gradient in the mean, and where u is.
static void find_node(MeanGradient *x, int i, const double *z, const double *stage) {
  uint32_t count = x->p->gradient->count, n = x->p->n;
  memset(x->mean, 0, count * sizeof *x->mean);
  memcpy(x->at, z, n * sizeof *x->at);
  for (int l = 0; l < x->m->stages; l++) {
    const double *g = x->gradient + (size_t)l * (count + 1), *from = stage + (size_t)l * n;
    for (uint32_t e = 0; e < count; e++) x->mean[e] += x->project[i][l] * g[e];
    for (uint32_t e = 0; e < x->p->checked; e++) x->at[e] += x->place[i][l] * (from[e] - z[e]);
  }
}

bool mean_gradient_rates(MeanGradient *x, double t, double h, const double *z, const double *stage, double *rate,
                         uint64_t *evaluations) {
  const OdeGradient *o = x->p->gradient;
  const CollocationTable *m = x->m;
  uint32_t n = x->p->n, count = o->count;
  *evaluations += (uint64_t)(m->stages + x->s);
  for (int l = 0; l < m->stages; l++) {
    double *g = x->gradient + (size_t)l * (count + 1);
    if (!o->gradient(x->p->self, t + m->c[l] * h, stage + (size_t)l * n, g)) return false;
  }
  for (int i = 0; i < x->s; i++) {
    find_node(x, i, z, stage);
    if (!o->rates(x->p->self, t + x->c[i] * h, x->at, x->mean, x->rate + (size_t)i * n)) return false;
  }
  for (int l = 0; l < m->stages; l++) {
    double *to = rate + (size_t)l * n;
    for (uint32_t e = 0; e < n; e++) {
      to[e] = 0;
      for (int i = 0; i < x->s; i++) to[e] += x->spread[l][i] * x->rate[(size_t)i * n + e];
    }
    to[o->entered] += x->gradient[(size_t)l * (count + 1) + count];
  }
  return true;
}
