// The words of emitted C: numbers, operands, formulas of operations, and names of values.
//
// Operations are written as the interpreter does them, one rounding each: compiled without contraction, both give the
// same bits.
#include "tape/emit_parts.h"

#include <math.h>
#include <string.h>

const char *emit_formula(uint16_t code) {
  switch ((TapeCode)code) {
  case tape_add: return "a + b";
  case tape_sub: return "a - b";
  case tape_mul: return "a*b";
  case tape_div: return "a/b";
  case tape_neg: return "-a";
  case tape_sqrt: return "M(sqrt)(a)";
  case tape_pow: return "M(pow)(a, b)";
  case tape_madd: return "a*b + c";
  case tape_msub: return "a*b - c";
  case tape_nmadd: return "c - a*b";
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case tape_##name:                                                                                                    \
    return #value;
#include "expr/ops.def"
#undef OP
  default: return "0";
  }
}

void emit_literal(const Emit *e, double x) {
  char number[number_text_size];
  if (isnan(x) || isinf(x) || (e->job->single && fabs(x) > 3.4e38)) {
    text_put(e->out, isnan(x) ? "(viva_real)NAN" : x > 0 ? "(viva_real)INFINITY" : "(-(viva_real)INFINITY)");
    return;
  }
  number_print(x, number);
  bool whole = !strpbrk(number, ".e"), negative = signbit(x);
  text_printf(e->out, "%s%s%s%s%s", negative ? "(" : "", number, whole ? ".0" : "", e->job->single ? "f" : "",
              negative ? ")" : "");
}

void emit_operand(const Emit *e, uint32_t slot) {
  if (e->stamp[slot] == e->piece) {
    text_printf(e->out, "r%u", e->local[slot]);
    return;
  }
  if (e->constant[slot]) {
    double x = e->tape->constants[e->constant[slot] - 1].value;
    // native text has no name for what is not finite, and compilers differ over -0.0
    const EmitTarget *d = e->job->target;
    if (d->alone || (isfinite(x) && (x != 0 || !signbit(x)))) {
      text_put(e->out, d->all);
      emit_literal(e, x);
      text_put(e->out, d->end);
      return;
    }
  }
  if (e->job->names && slot < e->tape->param_count + e->tape->var_count) text_put(e->out, e->job->names[slot]);
  else text_printf(e->out, "w[%u]%s", slot, e->job->target->in_slot);
}

// A slot of iteration i.
void emit_slots(const Emit *e, const RolledSlots *s, uint32_t table) {
  if (s->each) text_printf(e->out, "w[t%u[i]]%s", table, e->job->target->in_slot);
  else if (s->stride) text_printf(e->out, "w[%u + %lld*i]%s", s->first, (long long)s->stride, e->job->target->in_slot);
  else emit_operand(e, s->first);
}

// Operand k (0, 1, 2) of an operation.
void emit_given(const Emit *e, const TapeOp *op, uint32_t k) {
  if (!e->loop) {
    emit_operand(e, k == 0 ? op->a : k == 1 ? op->b : op->c);
    return;
  }
  uint32_t at = e->loop_op * 3 + k;
  const RolledOperand *o = &e->loop->operands[at];
  if (o->kind == rolled_slot) emit_slots(e, &o->slots, at);
  else text_printf(e->out, "%c%u", o->kind == rolled_local ? 'r' : 'c', e->names[o->op] + o->result);
}

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == 'M' || c == '.'; }

// The C text of an operation with its operands in place; M(f) becomes viva_f.
void emit_put_formula(Emit *e, const TapeOp *op) {
  for (const char *s = emit_formula(op->code); *s;) {
    size_t n = 0;
    while (is_word(s[n])) n++; // strspn makes a table for each call
    if (n == 0) {
      text_putc(e->out, *s++);
      continue;
    }
    if (n == 1 && *s >= 'a' && *s <= 'c') {
      emit_given(e, op, (uint32_t)(*s - 'a'));
    } else if (n == 1 && *s == 'M') {
      size_t name = strcspn(s + 2, ")");
      text_put(e->out, "viva_");
      text_putn(e->out, s + 2, name);
      s += name + 3;
      continue;
    } else if (n == 5 && memcmp(s, "floor", 5) == 0) {
      text_put(e->out, "viva_floor");
    } else {
      text_putn(e->out, s, n);
      if (e->job->single && strchr("0123456789", *s) && memchr(s, '.', n)) text_putc(e->out, 'f');
    }
    s += n;
  }
}

// A value now stands in a local variable; in the workspace as well where it is needed there.
void emit_name_value(Emit *e, uint32_t slot, uint32_t number) {
  if (e->loop) return; // put_turn stores
  e->local[slot] = number;
  e->stamp[slot] = e->piece;
  if (e->keep[number]) text_printf(e->out, "  w[%u]%s = r%u;\n", slot, e->job->target->in_slot, number);
}

void emit_operands(const Emit *e, const uint32_t *slots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(e->out, i % 8 ? ", " : ",\n      ");
    emit_operand(e, slots[i]);
  }
}

void emit_array(const Emit *e, const char *name, const uint32_t *slots, uint32_t count) {
  text_printf(e->out, "  {\n    const viva_real %s[%u] = {\n      ", name, count);
  emit_operands(e, slots, count);
  text_put(e->out, "};\n");
}

void emit_left_in_slots(Emit *e, const TapeOp *op) {
  uint32_t results = tape_leaves(e->tape, op);
  for (uint32_t i = 0; i < results; i++) e->stamp[op->dst + i] = 0;
  e->values += results;
}
