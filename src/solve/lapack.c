// The buffers of OpenBLAS, counted. They belong to the process, as the pool that they are in does, and so do the
// counts.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include "solve/lapack.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgemm_(const char *first, const char *second, const int *m, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc, size_t, size_t);
// not there in other libraries, which have no threads
int openblas_get_num_threads(void) __attribute__((weak));

// Its BUFFER_SIZE for x86-64 and ARM, 32 << 22, with some to spare for tables beside it.
static const size_t buffer_size = ((size_t)32 << 22) + ((size_t)4 << 20);

static atomic_uint buffers; // that it has for calls
static atomic_uint used;    // by calls on their way
static atomic_uint growing; // calls for which it takes a new one

static bool has_room(size_t count) {
  void *room =
      mmap(NULL, count * buffer_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, count * buffer_size);
  return true;
}

// A product that is shared out to all its threads, so that each has taken its buffer afterwards: it gives each of them
// 64^3 multiplications at least, and computes products of up to 100^3 without threads and buffers where registers have
// eight numbers.
static bool wake_threads(int threads) {
  int n = (int)ceil(128 * cbrt(threads)) + 1;
  size_t count = (size_t)n * (size_t)n;
  double *a = calloc(3 * count, sizeof *a), one = 1, none = 0;
  if (!a) return false;
  dgemm_("N", "N", &n, &n, &n, &one, a, &n, a + count, &n, &none, a + 2 * count, &n, 1, 1);
  free(a);
  return true;
}

bool lapack_ready(void) {
  if (atomic_load(&buffers)) return true;
  bool ok = has_room(atomic_fetch_add(&growing, 1) + 1);
  if (ok) { // any factorization takes a buffer
    double a = 1;
    int one = 1, pivot, info, threads = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    dgetrf_(&one, &one, &a, &one, &pivot, &info);
    ok = threads <= 1 || wake_threads(threads);
    unsigned before = 0;
    if (ok) atomic_compare_exchange_strong(&buffers, &before, 1);
  }
  atomic_fetch_sub(&growing, 1);
  return ok;
}

// True: OpenBLAS takes a new buffer for this call.
bool lapack_enter(void) {
  while (true) {
    unsigned now = atomic_load(&used);
    if (now < atomic_load(&buffers)) {
      if (atomic_compare_exchange_weak(&used, &now, now + 1)) return false;
      continue;
    }
    if (has_room(atomic_fetch_add(&growing, 1) + 1)) {
      atomic_fetch_add(&used, 1);
      atomic_fetch_add(&buffers, 1);
      return true;
    }
    atomic_fetch_sub(&growing, 1);
    sched_yield();
  }
}

void lapack_leave(bool grew) {
  if (grew) atomic_fetch_sub(&growing, 1);
  atomic_fetch_sub(&used, 1);
}
