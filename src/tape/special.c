// Specialization (partial evaluation) of a tape to known parameter values, without changing a bit.
//
//   x*1, x/1, x - 0 and x + (-0) are x;  x*(-1), x/(-1) are -x;  -(-x) is x;  a branch that is known is taken
//
// What depends on parameters alone is in the prologue already. Their values do not enter the tape, so code that was
// compiled for one set of parameters serves the next. x*0 stays: x may not be finite, and 0 has a sign.
#include "tape/builder.h"

#include <math.h>
#include <string.h>

typedef struct Special {
  TapeBuilder *b;
  Val *now;       // what stands for each value
  double *number; // of values that are known
  bool *known;
} Special;

static bool has(const Special *s, Val v, double x) {
  return v && s->known[v] && s->number[v] == x && signbit(s->number[v]) == signbit(x);
}

// The value of an operation on known numbers. Sines are left alone: they may be computed together with cosines.
static void find_number(Special *s, Val v, const double *params, uint32_t param_count) {
  const TapeValue *x = &s->b->vals.items[v];
  if (x->code == val_const) {
    s->known[v] = true;
    s->number[v] = x->number;
  } else if (x->code == val_slot) {
    s->known[v] = x->a < param_count && !isnan(params[x->a]);
    if (s->known[v]) s->number[v] = params[x->a];
  } else if (x->level == level_static && x->code != val_part && x->code != tape_call && x->code != tape_sin &&
             x->code != tape_cos) {
    if (!s->known[x->a] || (x->b && !s->known[x->b]) || (x->c && !s->known[x->c])) return;
    double w[4] = {s->number[x->a], x->b ? s->number[x->b] : 0, x->c ? s->number[x->c] : 0};
    tape_eval_op(NULL, &(TapeOp){.code = x->code, .a = 0, .b = 1, .c = 2, .dst = 3}, w);
    s->known[v] = true;
    s->number[v] = w[3];
  }
}

static Val negate(TapeValue *x, Val of) {
  *x = (TapeValue){.code = tape_neg, .level = x->level, .origin = x->origin, .a = of};
  return 0;
}

// What an operation is the same as; 0: itself, perhaps changed.
static Val simpler(const Special *s, TapeValue *x) {
  switch (x->code) {
  case tape_mul:
    if (has(s, x->a, 1)) return x->b;
    if (has(s, x->b, 1)) return x->a;
    if (has(s, x->a, -1)) return negate(x, x->b);
    if (has(s, x->b, -1)) return negate(x, x->a);
    return 0;
  case tape_div:
    if (has(s, x->b, 1)) return x->a;
    return has(s, x->b, -1) ? negate(x, x->a) : 0;
  case tape_sub: return has(s, x->b, 0.0) ? x->a : 0;
  case tape_add: return has(s, x->a, -0.0) ? x->b : has(s, x->b, -0.0) ? x->a : 0;
  case tape_if: return s->known[x->a] ? s->number[x->a] != 0 ? x->b : x->c : 0;
  default: return 0;
  }
}

static Val look_up(TapeBuilder *b, Val v) {
  uint32_t *place = tape_value_place(b, &b->vals.items[v]);
  if (!*place) *place = v;
  return *place;
}

static void visit(Special *s, Val v) {
  TapeBuilder *b = s->b;
  TapeValue *x = &b->vals.items[v];
  if (x->code == tape_call) {
    const TapeCall *call = &b->calls.items[x->a];
    for (uint32_t i = 0; i < call->count; i++) b->args.items[call->args + i] = s->now[b->args.items[call->args + i]];
  } else if (x->code != val_const && x->code != val_slot) {
    x->a = s->now[x->a];
    if (x->code != val_part) {
      x->b = s->now[x->b];
      x->c = s->now[x->c];
    }
    if ((x->code == tape_add || x->code == tape_mul) && x->a > x->b) {
      Val swap = x->a;
      x->a = x->b;
      x->b = swap;
    }
    Val same = x->level == level_dynamic && x->code != val_part ? simpler(s, x) : 0;
    if (!same && x->code == tape_neg && b->vals.items[x->a].code == tape_neg) same = b->vals.items[x->a].a;
    if (same) {
      s->now[v] = same;
      return;
    }
  }
  s->now[v] = look_up(b, v);
}

bool tape_specialise(TapeBuilder *b, Val *results, uint32_t count, const double *params, uint32_t param_count) {
  Special special = {.b = b}, *s = &special;
  uint32_t n = b->vals.count;
  s->now = arena_array(b->arena, (size_t)n + 1, sizeof *s->now);
  s->number = arena_array(b->arena, (size_t)n + 1, sizeof *s->number);
  s->known = arena_array(b->arena, (size_t)n + 1, sizeof *s->known);
  if (!s->now || !s->number || !s->known) return false;
  if (b->table_size) memset(b->table, 0, b->table_size * sizeof *b->table);
  for (Val v = 1; v < n; v++) {
    visit(s, v);
    if (s->now[v] == v) find_number(s, v, params, param_count);
  }
  for (uint32_t i = 0; i < count; i++) results[i] = s->now[results[i]];
  return true;
}
