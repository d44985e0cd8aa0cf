// From numbered values to a tape: sines and cosines are paired, products and sums fused, dead values dropped, and slots
// given out again after their last use.
#include "tape/batch.h"
#include "tape/builder.h"

#include <string.h>

// sin(x) and cos(x) of one x are computed together.
static void pair_sines(TapeBuilder *b) {
  for (Val v = 1; v < b->vals.count; v++) {
    TapeValue *s = &b->vals.items[v];
    if (s->code != tape_sin || !s->uses) continue;
    TapeValue probe = {.code = tape_cos, .a = s->a};
    Val other = *tape_value_place(b, &probe);
    const TapeValue *c = &b->vals.items[other];
    if (!other || !c->uses || c->level != s->level) continue;
    // the earlier one does both
    Val first = v < other ? v : other, second = v < other ? other : v;
    b->vals.items[first].c = second; // marks the pair
    b->vals.items[second].c = first;
  }
}

static void count_uses(TapeBuilder *b, const Val *results, uint32_t count) {
  for (Val v = 1; v < b->vals.count; v++) b->vals.items[v].uses = 0;
  for (uint32_t i = 0; i < count; i++) b->vals.items[results[i]].uses++;
  for (Val v = b->vals.count; v-- > 1;) {
    TapeValue *x = &b->vals.items[v];
    if (!x->uses || x->code == val_const || x->code == val_slot) continue;
    if (x->code == val_part) {
      b->vals.items[x->a].uses++;
      continue;
    }
    if (x->code == tape_call) {
      const TapeCall *call = &b->calls.items[x->a];
      for (uint32_t i = 0; i < call->count; i++) b->vals.items[b->args.items[call->args + i]].uses++;
      continue;
    }
    if (x->a) b->vals.items[x->a].uses++;
    if (x->b) b->vals.items[x->b].uses++;
    if (x->c) b->vals.items[x->c].uses++;
  }
}

// a*b + c and its sisters, where the product is needed nowhere else
static void fuse_products(TapeBuilder *b) {
  for (Val v = 1; v < b->vals.count; v++) {
    TapeValue *x = &b->vals.items[v];
    if (!x->uses || x->level != level_dynamic || (x->code != tape_add && x->code != tape_sub)) continue;
    for (int side = 0; side < 2; side++) {
      Val inner = side ? x->a : x->b, other = side ? x->b : x->a;
      TapeValue *m = &b->vals.items[inner];
      if (m->code != tape_mul || m->uses != 1 || m->level != level_dynamic || inner == other) continue;
      m->uses = 0;
      x->code = x->code == tape_add ? tape_madd : side ? tape_msub : tape_nmadd;
      x->a = m->a;
      x->b = m->b;
      x->c = other;
      break;
    }
  }
}

typedef struct Emission {
  TapeBuilder *b;
  VEC(TapeOp) ops[2];       // prologue, main
  VEC(uint32_t) origins[2]; // of each; empty: the tape keeps none
  uint32_t *last;           // last use of each value, by position
  VEC(uint32_t) free;
} Emission;

static uint32_t new_slot(Emission *em) {
  if (em->free.count) return em->free.items[--em->free.count];
  return em->b->next_slot++;
}

// Slots of dynamic values are given out again; static ones and kernel results stay.
static void release(Emission *em, Val v, uint32_t position) {
  const TapeValue *x = &em->b->vals.items[v];
  bool several = x->code == tape_call && em->b->calls.items[x->a].kernel->results;
  bool reusable = v && x->level == level_dynamic && x->code != val_slot && x->code != val_part && !several;
  if (reusable && em->last[v] == position) {
    vec_push(em->b->arena, &em->free, x->slot);
    em->last[v] = UINT32_MAX; // an operand that stands twice is released once
  }
}

static void find_last_uses(Emission *em, const Val *results, uint32_t count) {
  TapeBuilder *b = em->b;
  for (Val v = 1; v < b->vals.count; v++) {
    const TapeValue *x = &b->vals.items[v];
    if (!x->uses || x->code == val_const || x->code == val_slot) continue;
    if (x->code == val_part) {
      em->last[x->a] = v;
      continue;
    }
    if (x->code == tape_call) {
      const TapeCall *call = &b->calls.items[x->a];
      for (uint32_t i = 0; i < call->count; i++) em->last[b->args.items[call->args + i]] = v;
      continue;
    }
    bool paired = (x->code == tape_sin || x->code == tape_cos) && x->c;
    if (x->a) em->last[x->a] = v;
    if (x->b) em->last[x->b] = v;
    if (x->c && !paired) em->last[x->c] = v;
  }
  for (uint32_t i = 0; i < count; i++) em->last[results[i]] = UINT32_MAX - 1;
}

static void emit_op(Emission *em, Val v) {
  TapeBuilder *b = em->b;
  TapeValue *x = &b->vals.items[v];
  TapeOp op = {.code = x->code};
  bool pair = (x->code == tape_sin || x->code == tape_cos) && x->c;
  if (pair && x->c < v) return; // done with the other one
  if (x->code == tape_call) {
    TapeCall *call = &b->calls.items[x->a];
    op.a = x->a;
    const TapeKernel *kernel = call->kernel;
    call->scratch = b->next_slot;
    b->next_slot += kernel->room ? kernel->room(call->data) : 0;
    for (uint32_t i = 0; i < call->count; i++) release(em, b->args.items[call->args + i], v);
    x->slot = kernel->results ? call->scratch : new_slot(em);
    op.dst = x->slot;
  } else {
    op.a = b->vals.items[x->a].slot;
    if (x->b) op.b = b->vals.items[x->b].slot;
    if (x->c && !pair) op.c = b->vals.items[x->c].slot;
    // a pair writes twice, so its operand stays until both are written
    if (!pair) {
      release(em, x->a, v);
      release(em, x->b, v);
      release(em, x->c, v);
    }
    x->slot = new_slot(em);
    op.dst = x->slot;
    if (pair) {
      TapeValue *y = &b->vals.items[x->c];
      y->slot = new_slot(em);
      op.code = tape_sincos;
      op.dst = x->code == tape_sin ? x->slot : y->slot;
      op.b = x->code == tape_sin ? y->slot : x->slot;
    }
  }
  vec_push(b->arena, &em->ops[x->level], op);
  if (b->node_origin) vec_push(b->arena, &em->origins[x->level], x->origin);
}

// A list of the making as a part of the tape. NULL: it is empty, or out of memory.
static void *keep(const TapeBuilder *b, const void *items, uint32_t count, size_t size) {
  void *kept = count ? arena_array(b->kept, count, size) : NULL;
  return kept ? memcpy(kept, items, count * size) : NULL;
}

static bool order_for_interpreters(const TapeBuilder *b, Tape *t) {
  if (!b->often || t->call_count || t->op_count < batch_least || t->op_count > batch_most) return true;
  if (!t->ops) return false;
  t->batched = tape_batch(b->kept, t, &t->slot_count);
  return t->batched != NULL;
}

const Tape *tape_finish(TapeBuilder *b, const Val *results, uint32_t count, uint32_t params, uint32_t vars) {
  if (arena_failed(b->arena)) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (!results[i]) return NULL;
  }
  Tape *t = arena_new_of(b->kept, Tape);
  if (!t) return NULL;
  count_uses(b, results, count);
  pair_sines(b);
  fuse_products(b);
  t->param_count = params;
  t->var_count = vars;
  t->held_count = b->held_count;
  b->next_slot = params + vars;
  // constants and given slots
  TapeConstant *constants = arena_array(b->arena, b->vals.count, sizeof *constants);
  if (!constants) return NULL;
  for (Val v = 1; v < b->vals.count; v++) {
    TapeValue *x = &b->vals.items[v];
    if (x->code == val_slot) x->slot = x->a;
    if (x->code != val_const || !x->uses) continue;
    x->slot = b->next_slot++;
    constants[t->constant_count].slot = x->slot;
    constants[t->constant_count++].value = x->number;
  }
  t->constants = keep(b, constants, t->constant_count, sizeof *constants);
  Emission em = {.b = b, .last = arena_array(b->arena, b->vals.count, sizeof(uint32_t))};
  if (!em.last) return NULL;
  find_last_uses(&em, results, count);
  // static values never share slots with dynamic ones: give theirs out first
  for (int pass = 0; pass < 2; pass++) {
    for (Val v = 1; v < b->vals.count; v++) {
      TapeValue *x = &b->vals.items[v];
      if (!x->uses || x->code == val_const || x->code == val_slot || x->level != pass) continue;
      if (x->code == val_part) x->slot = b->vals.items[x->a].slot + x->b;
      else emit_op(&em, v);
    }
  }
  for (uint32_t i = 0; i < b->args.count; i++) b->args.items[i] = b->vals.items[b->args.items[i]].slot;
  t->outputs = arena_array(b->kept, count, sizeof *t->outputs);
  if (!t->outputs) return NULL;
  for (uint32_t i = 0; i < count; i++) t->outputs[i] = b->vals.items[results[i]].slot;
  t->output_count = count;
  t->prologue = keep(b, em.ops[0].items, em.ops[0].count, sizeof *t->prologue);
  t->prologue_count = em.ops[0].count;
  t->ops = keep(b, em.ops[1].items, em.ops[1].count, sizeof *t->ops);
  t->op_count = em.ops[1].count;
  t->args = keep(b, b->args.items, b->args.count, sizeof *t->args);
  t->calls = keep(b, b->calls.items, b->calls.count, sizeof *t->calls);
  t->call_count = b->calls.count;
  t->slot_count = b->next_slot;
  if (!order_for_interpreters(b, t)) return NULL;
  t->origins = b->origins.items;
  t->origin_count = b->origins.count;
  for (int part = 0; part < 2; part++)
    t->origin_of[part] = keep(b, em.origins[part].items, em.origins[part].count, sizeof(uint32_t));
  return arena_failed(b->kept) || arena_failed(b->arena) ? NULL : t;
}
