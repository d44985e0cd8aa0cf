// OpenBLAS asks for its buffers without end where there is no room. Children with little memory, and a clock that ends
// them, show that it is asked for first: a call comes back, or out of memory.
#include "tests/support.h"

#include "solve/module.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static bool sanitized(void) { // sanitizers take terabytes of addresses
#if defined(__SANITIZE_ADDRESS__)
  return true;
#else
  return false;
#endif
}

// From now on there are so many MB more of addresses.
static void leave_room(unsigned megabytes) {
  FILE *f = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (!f || fscanf(f, "%lu", &pages) != 1) _exit(90);
  fclose(f);
  rlim_t most = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)megabytes << 20);
  setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
}

enum { size = 300 };
static double matrix[4][size * size];
static int pivot[4][size];

static void fill(double *a) {
  for (int k = 0; k < size * size; k++) a[k] = sin(7.0 * k) + (k % (size + 1) == 0 ? size : 0);
}

// A system of known solution; 0: it is right.
static int check(const SolveModule *m, int i) {
  double *a = matrix[i], b[size];
  fill(a);
  for (int r = 0; r < size; r++) {
    b[r] = 0;
    for (int c = 0; c < size; c++) b[r] += a[c * size + r] * (c - 3);
  }
  if (m->factor(size, a, pivot[i]) != 0) return 1;
  m->solve(size, a, pivot[i], b);
  for (int c = 0; c < size; c++) {
    if (fabs(b[c] - (c - 3)) > 1e-9) return 2;
  }
  return 0;
}

static const SolveModule *shared;
static void *check_thread(void *self) {
  for (int k = 0; k < 20; k++) {
    int bad = check(shared, (int)(intptr_t)self);
    if (bad) return (void *)(intptr_t)bad;
  }
  return NULL;
}

// The status of a child that does this; killed by its clock: 1000.
static int status_of(int (*work)(unsigned), unsigned room) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(work(room));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

static int load_in(unsigned room) {
  leave_room(room);
  const SolveModule *m = module_load();
  if (!m) return module_has_room() ? 50 : 60;
  return check(m, 0);
}

static int load_first(unsigned room) {
  const SolveModule *m = module_load();
  leave_room(room);
  return m ? check(m, 0) : 50;
}

static int threads_in(unsigned room) {
  shared = module_load();
  pthread_t thread[4];
  int made = 0, bad = shared ? 0 : 50;
  // stacks of their own, and the arenas of malloc, before there is little room
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 8 << 20);
  leave_room(room);
  for (; shared && made < 4; made++) {
    if (pthread_create(&thread[made], &small, check_thread, (void *)(intptr_t)made) != 0) break;
  }
  for (int i = 0; i < made; i++) {
    void *result;
    pthread_join(thread[i], &result);
    if (result) bad = (int)(intptr_t)result;
  }
  return made == 4 ? bad : bad ? bad : 70;
}

static void loading_comes_back_whatever_room_there_is(void **state) {
  (void)state;
  if (sanitized()) skip();
  int refused = 0, done = 0;
  unsigned most = 300 + 150 * (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
  for (unsigned room = 10; room <= most; room += room < 600 ? 30 : 300) {
    int status = status_of(load_in, room);
    if (status != 0 && status != 60) print_error("%u MB: status %d\n", room, status);
    assert_true(status == 0 || status == 60);
    refused += status == 60;
    done += status == 0;
    assert_true(status == 0 || done == 0); // more room does no harm
  }
  assert_true(refused > 2 && done > 2);
}

// The buffer of the first call was taken when the module was loaded; its threads do without where there is none for
// them.
static void calls_come_back_when_room_is_gone(void **state) {
  (void)state;
  if (sanitized()) skip();
  const unsigned rooms[] = {20, 40, 140, 300}; // its stack grows by some MB
  for (int i = 0; i < 4; i++) assert_int_equal(status_of(load_first, rooms[i]), 0);
}

static void callers_share_the_buffers_that_there_are(void **state) {
  (void)state;
  if (sanitized()) skip();
  const unsigned rooms[] = {80, 200, 400, 1000};
  for (int i = 0; i < 4; i++) {
    int status = status_of(threads_in, rooms[i]);
    if (status != 0) print_error("%u MB: status %d\n", rooms[i], status);
    assert_int_equal(status, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loading_comes_back_whatever_room_there_is),
      cmocka_unit_test(calls_come_back_when_room_is_gone),
      cmocka_unit_test(callers_share_the_buffers_that_there_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
