// The results of a tape that is to be built: what is put says where it will stand.
#ifndef VIVA_HYBRID_RESULTS_H
#define VIVA_HYBRID_RESULTS_H

#include "system/system.h"

typedef struct ResultList {
  Arena *arena;
  VEC(ExprId) list;
} ResultList;

static inline uint32_t result_put(ResultList *r, ExprId id) {
  uint32_t at = r->list.count;
  vec_push(r->arena, &r->list, id); // a failure is the arena's, asked for when the tape is built
  return at;
}

// Several; the index of the first.
static inline uint32_t result_put_all(ResultList *r, const ExprId *ids, uint32_t count) {
  uint32_t at = r->list.count;
  for (uint32_t i = 0; i < count; i++) result_put(r, ids[i]);
  return at;
}

// y', with the powers of the quadratures: the right-hand side.
static inline uint32_t result_put_rates(ResultList *r, const System *s) {
  uint32_t at = r->list.count;
  for (uint32_t i = 0; i < s->y.count; i++) result_put(r, s->y.items[i].rate ? s->y.items[i].rate : s->pool->zero);
  return at;
}

#endif
