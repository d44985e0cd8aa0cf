// A chain of n identical blocks costs O(n): the memory that is asked for, from text to motion, grows with the length of
// the chain and not with its square. Memory stands for time as well: what looks at everything again for each block
// keeps it.
//
// A chain of masses takes at most 5.75 kB of memory a mass from text to first row, beside 25 MB for what is there
// however long it is, so that 100,000 of them take 600 MB: the most that was resident at once, as the system tells it.
// The test goes by 20,000; with a number behind it, by so many.
//
// A chain of links in Cartesian coordinates, whose accelerations and multipliers are one block of 3n unknowns, takes at
// most 28 kB a link, beside the same: a dense matrix of expressions for 1,500 links would take 81 MB.
//
// malloc, calloc and realloc of the library are wrapped by the linker (--wrap).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { own_memory = 1 }; // of the sanitizer, beside that of the library
#else
enum { own_memory = 0 };
#endif

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static uint64_t asked; // bytes

void *__wrap_malloc(size_t size) {
  asked += size;
  return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  asked += count * size;
  return __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
  asked += size;
  return __real_realloc(old, size);
}

// The block i of a chain: y[i-1] goes in, y[i] comes out; z[i] are states of their own.
static const char *const blocks[] = {
    "sin(y[i-1])",
    "y[i-1] + z[i]",
    "0.9*y[i-1] + 0.1*z[i]^2",
    "y[i-1]*(1 + 0.001*z[i])",
    "y[i-1]^2 + 0.1*x",
    "limit(y[i-1], -0.9, 0.9)",
    "deadzone(y[i-1], 0.0001)",
    "max(y[i-1], 0.2*x)",
    "abs(y[i-1] - 0.001)",
    "if(y[i-1] > 0.5, y[i-1], 0.9*y[i-1])",
    "y[i-1] + 0.0001*compare(y[i-1], 0.3, 0, 1)",
    "y[i-1] + 0.0001*hysteresis(y[i-1], -0.1, 0.1, 0, 2)",
    "0.5*y[i-1] + latch(y[i-1] > 2, y[i-1] < -2)",
    "y[i-1] + 0.001*pulse(y[i-1] > 0.5, 0.1)",
    "backlash(y[i-1], 0.1)",
    "delay(y[i-1], 0.1)",
    "integral(y[i-1] - 0.1*y[i], 0)",
    "tf(y[i-1], [1], [1, 1])",
    "0.5*y[i-1] + 0.2*sin(y[i])", // an algebraic loop each
};

static uint64_t cost(const char *block, unsigned n) {
  char text[1000];
  snprintf(
      text, sizeof text,
      "param n = %u\nstate x = 0.00004\nstate z[i] = 0.1 for i in 1 .. n\nlet y[0] = x\nlet y[i] = %s for i in 1 .. n\n"
      "x' = 1e-6*cos(t) - 1e-9*y[n]\nz[i]' = -z[i] for i in 1 .. n\noutput x\nsimulate to 0.01 every 0.01\n",
      n, block);
  asked = 0;
  viva_model *model;
  viva_status status = viva_model_parse("chain.viva", text, strlen(text), NULL, &model);
  if (status != VIVA_OK) print_error("%s", viva_model_diagnostic(model, 0).text);
  assert_int_equal(status, VIVA_OK);
  viva_run_options o = viva_run_defaults();
  o.backend = "interp";
  viva_run *run;
  assert_int_equal(viva_run_model(model, &o, NULL, &run), VIVA_OK);
  viva_run_free(run);
  viva_model_free(model);
  return asked;
}

static void chains_of_blocks_cost_what_their_blocks_cost(void **state) {
  (void)state;
  enum { n = 400, times = 5 };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    uint64_t a = cost(blocks[i], n), b = cost(blocks[i], times * n);
    double ratio = (double)b / (double)a;
    print_message("%5.2f  %s\n", ratio, blocks[i]);
    assert_true(ratio < 1.6 * times); // room doubles as it fills; a square would give 25
  }
}

static unsigned masses = 20000;

static double most_resident(int who) { // bytes; the system counts in 1,024 of them
  struct rusage use;
  assert_int_equal(getrusage(who, &use), 0);
  return 1024 * (double)use.ru_maxrss;
}

// Reads and runs it.
static void run_chain(const char *text) {
  viva_model *model;
  assert_int_equal(viva_model_parse("chain.viva", text, strlen(text), NULL, &model), VIVA_OK);
  viva_run_options o = viva_run_defaults();
  o.backend = "interp";
  viva_run *run;
  assert_int_equal(viva_run_model(model, &o, NULL, &run), VIVA_OK);
  viva_run_free(run);
  viva_model_free(model);
}

static void chains_of_links_take_little_memory(void **state) {
  (void)state;
  if (own_memory) skip();
  enum { links = 1500 };
  char text[600];
  snprintf(text, sizeof text,
           "param n = %d, l = 1/n, g = 9.81\ncoord x[i] = l*i for i in 1 .. n\ncoord y[i] for i in 1 .. n\n"
           "kinetic 1/2*(1/n)*(x[i]'^2 + y[i]'^2) for i in 1 .. n\npotential (1/n)*g*y[i] for i in 1 .. n\n"
           "constraint link[1]: x[1]^2 + y[1]^2 = l^2\n"
           "constraint link[i]: (x[i]-x[i-1])^2 + (y[i]-y[i-1])^2 = l^2 for i in 2 .. n\n"
           "simulate to 0.0001 step 0.0001 by rk4\n",
           links);
  // in a process of its own: what was resident once is never told again
  int status;
  pid_t child = fork();
  if (child == 0) {
    run_chain(text);
    _exit(0);
  }
  assert_true(child > 0);
  assert_true(waitpid(child, &status, 0) == child && status == 0);
  double most = most_resident(RUSAGE_CHILDREN);
  print_message("%.1f MB\n", most / 1e6);
  assert_true(most < 25e6 + 28e3 * links);
}

static void chains_of_masses_take_little_memory(void **state) {
  (void)state;
  if (own_memory) skip();
  char text[400];
  snprintf(text, sizeof text,
           "param n = %u\nparam m = 1, k = 100\ncoord x[i] = 0.01*i for i in 1 .. n\n"
           "kinetic 1/2*m*x[i]'^2 for i in 1 .. n\npotential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n\n"
           "simulate to 0.001 step 0.001 by rk4\n",
           masses);
  run_chain(text);
  double most = most_resident(RUSAGE_SELF);
  print_message("%.1f MB\n", most / 1e6);
  assert_true(most < 25e6 + 5.75e3 * masses);
}

int main(int count, char **words) {
  if (count > 1) masses = (unsigned)atoi(words[1]);
  // what was resident once is never told again: the masses come before the blocks
  const struct CMUnitTest tests[] = {cmocka_unit_test(chains_of_links_take_little_memory),
                                     cmocka_unit_test(chains_of_masses_take_little_memory),
                                     cmocka_unit_test(chains_of_blocks_cost_what_their_blocks_cost)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
