// Chains and cantilevers of 10^3 to 10^6 bars at rest: time, memory, exponents; beside IPOPT where it is installed.
//
//   bench_statics [LARGEST [KIND]]      KIND: 0 chain, 1 chain with springs, 2 cantilever; else all
//
// Times are of the processor: one thread, and other work on the machine does not count.
#define _XOPEN_SOURCE 700
#include "bench/statics_ipopt.h"
#include "tests/unit/statics/structures.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Measure {
  double seconds, megabytes, force, length;
  uint32_t bars, iterations, factorizations;
  int status, verdict;
  double mid[2], potential;
} Measure;

static void measure(bool chain, uint32_t every, uint32_t n, Measure *out) {
  Arena *arena = arena_new();
  Structure s = chain ? chain_of(arena, n, every) : ladder_of(arena, n / 3);
  BalanceOptions o = balance_defaults(balance_auto);
  double start = now();
  BalanceResult r = balance_find(arena, &s, NULL, &o);
  struct rusage use;
  *out = (Measure){.seconds = now() - start,
                   .force = r.force_residue,
                   .length = r.length_residue,
                   .bars = s.bars.count + s.springs.count,
                   .iterations = r.iterations,
                   .factorizations = r.factorizations,
                   .status = r.status,
                   .verdict = r.verdict,
                   .potential = r.potential};
  uint32_t node = chain ? n / 2 : s.nodes - 1;
  out->mid[0] = r.x[2 * node];
  out->mid[1] = r.x[2 * node + 1];
  getrusage(RUSAGE_SELF, &use);
  out->megabytes = (double)use.ru_maxrss / 1024;
  arena_free(arena);
}

// In a process of its own: its memory is then its own.
static Measure measure_apart(bool chain, uint32_t every, uint32_t n) {
  Measure m = {0};
  int pipes[2];
  if (pipe(pipes) != 0) return m;
  pid_t child = fork();
  if (child == 0) {
    measure(chain, every, n, &m);
    ssize_t written = write(pipes[1], &m, sizeof m);
    _exit(written == sizeof m ? 0 : 1);
  }
  close(pipes[1]);
  if (read(pipes[0], &m, sizeof m) != sizeof m) m.status = -1;
  close(pipes[0]);
  waitpid(child, NULL, 0);
  return m;
}

#ifdef VIVA_IPOPT
static BalanceResult ours(Arena *arena, const Structure *s, bool verdict, double *best) {
  BalanceOptions o = balance_defaults(balance_auto);
  o.no_verdict = !verdict;
  double start = now();
  BalanceResult r = balance_find(arena, s, NULL, &o);
  *best = fmin(*best, now() - start);
  return r;
}

// Ours twice: with the verdict (stability, soft directions, self-stress), and places and forces alone, as the peer's.
// The three take turns, each has as many, and the best of each counts: what else the machine does is in all of them.
static void beside_ipopt(bool chain, uint32_t every, uint32_t n) {
  enum { rounds = 15 };
  const double long_enough = 2; // s: one more tells nothing new
  IpoptAnswer theirs = {0};
  double their_time = INFINITY, plain = INFINITY, judged = INFINITY;
  BalanceResult r = {0};
  uint32_t bars = 0;
  for (int k = 0; k < rounds; k++) {
    Arena *arena = arena_new();
    Structure s = chain ? chain_of(arena, n, every) : ladder_of(arena, n / 3);
    double *x = arena_array(arena, 2 * (size_t)s.nodes, sizeof *x), start = now();
    if (!(their_time > long_enough && their_time < INFINITY)) {
      ipopt_solve(arena, &s, 30, x, &theirs);
      their_time = fmin(their_time, now() - start);
    }
    r = ours(arena, &s, true, &judged);
    r = ours(arena, &s, false, &plain);
    bars = s.bars.count + s.springs.count;
    arena_free(arena);
  }
  printf("  %8u bars: IPOPT status %d, %.4f s, %u iterations, potential %.10g\n"
         "            ours %.4f s, %u iterations, %u factorizations, %.10g: %.1f times faster; with verdict %.4f s, "
         "%.1f times\n",
         bars, theirs.status, their_time, theirs.iterations, theirs.potential, plain, r.iterations, r.factorizations,
         r.potential, their_time / plain, judged, their_time / judged);
  fflush(stdout);
}
#endif

int main(int count, char **args) {
  uint32_t largest = count > 1 ? (uint32_t)atoi(args[1]) : 1000000;
  const struct {
    const char *name;
    bool chain;
    uint32_t every;
  } kinds[] = {{"chain", true, 0}, {"chain, every 4th a spring", true, 4}, {"cantilever", false, 0}};
  int only = count > 2 ? atoi(args[2]) : -1;
  for (int k = 0; k < 3; k++) {
    if (only >= 0 && only != k) continue;
    printf("%s\n", kinds[k].name);
    Measure last = {0};
    for (uint32_t n = 1000; n <= largest; n *= 10) {
      Measure m = measure_apart(kinds[k].chain, kinds[k].every, n);
      printf("  %8u bars %8.3f s %7.0f MB  %2u iterations, %2u factorizations, status %d, verdict %d, residues %.1e N "
             "%.1e m, node %.14g %.14g, potential %.14g",
             m.bars, m.seconds, m.megabytes, m.iterations, m.factorizations, m.status, m.verdict, m.force, m.length,
             m.mid[0], m.mid[1], m.potential);
      if (last.seconds > 0) {
        double by = log((double)m.bars / last.bars);
        printf("  exponents %.2f %.2f", log(m.seconds / last.seconds) / by, log(m.megabytes / last.megabytes) / by);
      }
      printf("\n");
      fflush(stdout);
      last = m;
    }
#ifdef VIVA_IPOPT
    for (uint32_t n = 1000; n <= 10000 && n <= largest; n *= 10) beside_ipopt(kinds[k].chain, kinds[k].every, n);
#endif
  }
  return 0;
}
