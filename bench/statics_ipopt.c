// A structure at rest by IPOPT, with exact derivatives from the same sums over parts: the peer of bench_statics.
#include "bench/statics_ipopt.h"

#include "statics/problem.h"

#include <IpStdCInterface.h>
#include <string.h>

typedef struct Peer {
  Problem *p;
  double *x, *all, *lambda;
  uint32_t jacobian, hessian; // entries
  uint32_t iterations;
} Peer;

static void spread(Peer *peer, const double *z) {
  Problem *p = peer->p;
  for (uint32_t i = 0; i < p->size; i++)
    peer->x[i] = p->unknown[i] == structure_none ? p->s->place[i] : z[p->unknown[i]];
}

static Bool eval_f(Index n, Number *z, Bool new_x, Number *value, UserDataPtr data) {
  Peer *peer = data;
  (void)n, (void)new_x;
  spread(peer, z);
  *value = problem_energy(peer->p, peer->x, NULL);
  return TRUE;
}

static Bool eval_grad_f(Index n, Number *z, Bool new_x, Number *gradient, UserDataPtr data) {
  Peer *peer = data;
  (void)n, (void)new_x;
  spread(peer, z);
  problem_gradient(peer->p, peer->x, NULL, peer->all, gradient);
  return TRUE;
}

static Bool eval_g(Index n, Number *z, Bool new_x, Index m, Number *g, UserDataPtr data) {
  Peer *peer = data;
  (void)n, (void)new_x, (void)m;
  spread(peer, z);
  problem_constraints(peer->p, peer->x, g);
  return TRUE;
}

// Entries of G' (rows from n on) or of the lower triangle of H, in the order of the matrix.
static void visit(const Problem *p, bool jacobian, Index *rows, Index *columns, Number *values, double by) {
  uint32_t at = 0;
  for (uint32_t c = 0; c < p->n; c++) {
    for (uint32_t k = p->start[c]; k < p->start[c + 1]; k++) {
      uint32_t r = p->row[k];
      if (jacobian ? r < p->n : r >= p->n || r < c) continue;
      if (values) values[at] = by * p->values[k];
      else {
        rows[at] = (Index)(jacobian ? r - p->n : r);
        columns[at] = (Index)c;
      }
      at++;
    }
  }
}

static Bool eval_jac_g(Index n, Number *z, Bool new_x, Index m, Index count, Index *rows, Index *columns,
                       Number *values, UserDataPtr data) {
  Peer *peer = data;
  (void)n, (void)new_x, (void)m, (void)count;
  if (values) {
    spread(peer, z);
    problem_fill(peer->p, peer->x, &(ProblemFill){0});
  }
  visit(peer->p, true, rows, columns, values, 1);
  return TRUE;
}

static Bool eval_h(Index n, Number *z, Bool new_x, Number factor, Index m, Number *lambda, Bool new_lambda, Index count,
                   Index *rows, Index *columns, Number *values, UserDataPtr data) {
  Peer *peer = data;
  (void)n, (void)new_x, (void)new_lambda, (void)count;
  if (values) {
    double by = factor != 0 ? factor : 1;
    for (Index i = 0; i < m; i++) peer->lambda[i] = lambda[i] / by;
    spread(peer, z);
    problem_fill(peer->p, peer->x, &(ProblemFill){.energy = factor != 0, .lambda = peer->lambda});
    visit(peer->p, false, NULL, NULL, values, by);
  } else visit(peer->p, false, rows, columns, NULL, 1);
  return TRUE;
}

static Bool follow(Index mode, Index iteration, Number f, Number c, Number g, Number mu, Number d, Number shift,
                   Number by, Number part, Index trials, UserDataPtr data) {
  Peer *peer = data;
  (void)mode, (void)f, (void)c, (void)g, (void)mu, (void)d, (void)shift, (void)by, (void)part, (void)trials;
  peer->iterations = (uint32_t)iteration;
  return TRUE;
}

static void count_entries(Peer *peer) {
  const Problem *p = peer->p;
  for (uint32_t c = 0; c < p->n; c++) {
    for (uint32_t k = p->start[c]; k < p->start[c + 1]; k++) {
      peer->jacobian += p->row[k] >= p->n;
      peer->hessian += p->row[k] < p->n && p->row[k] >= c;
    }
  }
}

void ipopt_solve(Arena *arena, const Structure *s, double seconds, double *x, IpoptAnswer *out) {
  Peer peer = {.p = problem_new(arena, s)};
  uint32_t n = peer.p->n, m = peer.p->m;
  peer.x = arena_array(arena, peer.p->size, sizeof(double));
  peer.all = arena_array(arena, peer.p->size, sizeof(double));
  peer.lambda = arena_array(arena, m, sizeof(double));
  double *z = arena_array(arena, n, sizeof *z), *low = arena_array(arena, n, sizeof *low);
  double *high = arena_array(arena, n, sizeof *high), *zero = arena_array(arena, m, sizeof *zero);
  problem_start(peer.p, NULL, peer.x);
  problem_accept(peer.p, peer.x);
  problem_gather(peer.p, peer.x, z);
  for (uint32_t i = 0; i < n; i++) {
    low[i] = -2e19;
    high[i] = 2e19;
  }
  count_entries(&peer);
  IpoptProblem nlp = CreateIpoptProblem((Index)n, low, high, (Index)m, zero, zero, (Index)peer.jacobian,
                                        (Index)peer.hessian, 0, eval_f, eval_g, eval_grad_f, eval_jac_g, eval_h);
  char word[32];
  AddIpoptIntOption(nlp, strcpy(word, "print_level"), 0);
  AddIpoptNumOption(nlp, strcpy(word, "max_cpu_time"), seconds);
  AddIpoptNumOption(nlp, strcpy(word, "tol"), 1e-9);
  SetIntermediateCallback(nlp, follow);
  out->status = (int)IpoptSolve(nlp, z, NULL, &out->potential, NULL, NULL, NULL, &peer);
  out->iterations = peer.iterations;
  FreeIpoptProblem(nlp);
  spread(&peer, z);
  memcpy(x, peer.x, peer.p->size * sizeof *x);
}
