// Large pages from the system, zeroed, for memory that is about to be filled.
//
// A page of 4 kB that is touched for the first time costs about as much as filling it. Memory that begins and ends at a
// large page (2 MB) is given one by one of those, where the system has them; what is never touched takes no memory.
#ifndef VIVA_BASE_PAGES_H
#define VIVA_BASE_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#if defined __linux__ && !defined VIVA_ARENA_EXACT
#include <sys/mman.h>
#endif

enum { pages_large = 2 * 1024 * 1024 };

// *size is rounded up. NULL: there is no room.
static inline void *pages_take(size_t *size) {
#if defined __linux__ && !defined VIVA_ARENA_EXACT
  if (*size > SIZE_MAX / 4) return NULL;
  size_t whole = (*size + pages_large - 1) & ~(size_t)(pages_large - 1), more = whole + pages_large;
  unsigned char *p = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return NULL;
  size_t before = (pages_large - (uintptr_t)p % pages_large) % pages_large;
  if (before) munmap(p, before);
  munmap(p + before + whole, pages_large - before);
  p += before;
  *size = whole;
#ifdef MADV_HUGEPAGE
  madvise(p, whole, MADV_HUGEPAGE); // where it is refused, small pages do
#endif
  return p;
#else
  return calloc(1, *size);
#endif
}

static inline void pages_give(void *p, size_t size) {
#if defined __linux__ && !defined VIVA_ARENA_EXACT
  munmap(p, size);
#else
  (void)size;
  free(p);
#endif
}

#endif
