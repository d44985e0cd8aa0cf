// C text from tapes.
//
// A value is a local variable of its piece (r1, r2, ...), in a loop of its turn. It is also stored in its slot of the
// workspace w when a later piece or turn, a kernel or the caller reads it there. Operations are written as the
// interpreter does them, one rounding each: compiled without contraction, both give the same bits.
#include "tape/emit_c.h"

#include "tape/kernels.h"
#include "tape/operands.h"

#include <math.h>
#include <string.h>

typedef struct Emit {
  const EmitJob *job;
  Text *out;
  const Tape *tape;
  const TapeOp *ops;
  uint32_t count, piece_size;
  const RolledPart *parts;
  uint32_t part_count;
  uint32_t *unit;     // by operation: where its values are local: a piece, or a turn of a loop
  uint32_t *constant; // by slot: index plus one
  uint32_t *def;      // by slot: the value that stands there now, plus one
  bool *keep;         // by value: stored in the workspace
  uint32_t values;
  uint32_t *local, *stamp; // by slot: local variable, and the piece it belongs to
  uint32_t piece, end;     // the piece, from 1; behind its last operation
  const RolledLoop *loop;  // the one that is written; NULL: none
  uint32_t loop_op;        // operation of its pattern
  uint32_t *names;         // by operation of the pattern: its first value
  uint32_t *group;         // by operation: 0, or 1 + where a group of sincos keeps its pair
} Emit;

// ---- operations

static const char *text_of(uint16_t code) {
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

// Small symmetric blocks are solved in line, as solve_definite does; the kernel takes over where that fails.
static bool solved_inline(const Emit *e, const TapeOp *op) {
  if (e->job->style == emit_export || op->code != tape_solve) return false;
  const TapeCall *call = &e->tape->calls[op->a];
  return call->symmetric && !call->large && call->size <= emit_inline_solve;
}

// A kernel that this program runs: it reads and writes the workspace.
static bool called_back(const Emit *e, const TapeOp *op) {
  return e->job->style != emit_export && tape_is_kernel(op->code) && !solved_inline(e, op);
}

// Straight parts are cut into pieces; the turns of a loop are units of their own.
static bool find_units(Emit *e) {
  uint32_t unit = 0;
  e->unit = arena_array(e->job->arena, (size_t)e->count + 1, sizeof *e->unit);
  for (uint32_t p = 0; e->unit && p < e->part_count; p++) {
    const RolledPart *part = &e->parts[p];
    uint32_t size = part->loop ? part->loop->period : e->piece_size;
    for (uint32_t i = part->from; i < part->to; i++) e->unit[i] = unit += (i - part->from) % size == 0;
  }
  return e->unit != NULL;
}

// ---- which values must stand in the workspace

// A value that an operation reads and that is carried from turn to turn needs its slot only before the first.
static bool is_carried(const RolledPart *part, uint32_t op, uint32_t k) {
  if (!part->loop || op < part->from + part->loop->period) return false;
  return part->loop->operands[(op - part->from) % part->loop->period * 3 + k].kind == rolled_carried;
}

static bool find_kept(Emit *e) {
  Arena *arena = e->job->arena;
  const RolledPart *part = e->parts;
  uint32_t slots = e->tape->slot_count;
  e->constant = arena_array(arena, slots, sizeof *e->constant);
  e->def = arena_array(arena, slots, sizeof *e->def);
  e->local = arena_array(arena, slots, sizeof *e->local);
  e->stamp = arena_array(arena, slots, sizeof *e->stamp);
  size_t most = 0;
  for (uint32_t i = 0; i < e->count; i++) most += tape_leaves(e->tape, &e->ops[i]);
  e->keep = arena_array(arena, most + 1, sizeof *e->keep);
  e->group = arena_array(arena, (size_t)e->count + 1, sizeof *e->group);
  uint32_t *where = arena_array(arena, most + 1, sizeof *where); // unit of each value
  if (!e->constant || !e->def || !e->local || !e->stamp || !e->keep || !e->group || !where) return false;
  for (uint32_t i = 0; i < e->tape->constant_count; i++) e->constant[e->tape->constants[i].slot] = i + 1;
  for (uint32_t i = 0; i < e->count; i++) {
    const TapeOp *op = &e->ops[i];
    uint32_t own[3], count;
    const uint32_t *reads = tape_operands(e->tape, op, own, &count);
    if (i >= part->to) part++;
    for (uint32_t k = 0; k < count; k++) {
      uint32_t value = e->def[reads[k]];
      if (value && ((where[value] != e->unit[i] && !is_carried(part, i, k)) || called_back(e, op)))
        e->keep[value] = true;
    }
    uint32_t results = tape_leaves(e->tape, op);
    for (uint32_t k = 0; k < results; k++) {
      e->def[tape_left_in(op, k)] = ++e->values;
      where[e->values] = e->unit[i];
      e->keep[e->values] = called_back(e, op);
    }
  }
  // results of the whole, and all a prologue leaves
  bool all = e->ops == e->tape->prologue;
  for (uint32_t i = 0; all && i < slots; i++) {
    if (e->def[i]) e->keep[e->def[i]] = true;
  }
  for (uint32_t i = 0; i < e->tape->output_count; i++) {
    uint32_t value = e->def[e->tape->outputs[i]];
    if (value) e->keep[value] = true;
  }
  memset(e->def, 0, slots * sizeof *e->def);
  e->values = 0;
  return true;
}

// ---- words

static const char *real(const Emit *e) {
  return e->job->style == emit_export ? "viva_real" : e->job->style == emit_lanes ? "viva_lanes" : "double";
}

static void put_literal(const Emit *e, double x) {
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

static void put_operand(const Emit *e, uint32_t slot) {
  if (e->stamp[slot] == e->piece) {
    text_printf(e->out, "r%u", e->local[slot]);
    return;
  }
  if (e->constant[slot]) {
    double x = e->tape->constants[e->constant[slot] - 1].value;
    // native text has no name for what is not finite, and compilers differ over -0.0
    if (e->job->style == emit_export || (isfinite(x) && (x != 0 || !signbit(x)))) {
      if (e->job->style == emit_lanes) text_printf(e->out, "VIVA_ALL(");
      put_literal(e, x);
      if (e->job->style == emit_lanes) text_putc(e->out, ')');
      return;
    }
  }
  if (e->job->names && slot < e->tape->param_count + e->tape->var_count) text_put(e->out, e->job->names[slot]);
  else text_printf(e->out, "w[%u]", slot);
}

// A slot of the turn i.
static void put_slots(const Emit *e, const RolledSlots *s, uint32_t table) {
  if (s->each) text_printf(e->out, "w[t%u[i]]", table);
  else if (s->stride) text_printf(e->out, "w[%u + %lld*i]", s->first, (long long)s->stride);
  else put_operand(e, s->first);
}

// Operand k (0, 1, 2) of an operation.
static void put_given(const Emit *e, const TapeOp *op, uint32_t k) {
  if (!e->loop) {
    put_operand(e, k == 0 ? op->a : k == 1 ? op->b : op->c);
    return;
  }
  uint32_t at = e->loop_op * 3 + k;
  const RolledOperand *o = &e->loop->operands[at];
  if (o->kind == rolled_slot) put_slots(e, &o->slots, at);
  else text_printf(e->out, "%c%u", o->kind == rolled_local ? 'r' : 'c', e->names[o->op] + o->result);
}

// The C text of an operation with its operands in place; M(f) becomes viva_f.
static void put_formula(const Emit *e, const TapeOp *op, const char *text) {
  for (const char *s = text; *s;) {
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzM0123456789.");
    if (n == 0) {
      text_putc(e->out, *s++);
      continue;
    }
    if (n == 1 && *s >= 'a' && *s <= 'c') {
      put_given(e, op, (uint32_t)(*s - 'a'));
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
static void name_value(Emit *e, uint32_t slot, uint32_t number) {
  if (e->loop) return; // put_turn stores
  e->local[slot] = number;
  e->stamp[slot] = e->piece;
  if (e->keep[number]) text_printf(e->out, "  w[%u] = r%u;\n", slot, number);
}

// ---- sines and cosines together

// Sines and cosines of values that are known now are computed two at once, as vectors: the same bits, half the time.
// The later one of the two is looked for in the same piece.
static uint32_t find_partner(Emit *e, uint32_t index) {
  for (uint32_t i = index + 1; i < e->end && i < index + 200; i++) {
    const TapeOp *op = &e->ops[i];
    if (op->code != tape_sincos || e->group[i]) continue;
    // its operand must not come from between
    bool known = true;
    for (uint32_t k = index; k < i && known; k++) {
      const TapeOp *between = &e->ops[k];
      uint32_t results = between->code == tape_sincos ? 1 : tape_leaves(e->tape, between);
      known = op->a - between->dst >= results && (between->code != tape_sincos || op->a != between->b);
    }
    if (known) return i;
  }
  return 0;
}

static void put_sincos(Emit *e, uint32_t index) {
  const TapeOp *op = &e->ops[index];
  Text *o = e->out;
  uint32_t number = ++e->values, other = ++e->values;
  uint32_t partner = e->job->style == emit_native && !e->loop && !e->group[index] ? find_partner(e, index) : 0;
  if (partner) {
    text_printf(o, "  double q%u[4];\n  k->sincos2(", index);
    put_operand(e, op->a);
    text_put(o, ", ");
    put_operand(e, e->ops[partner].a);
    text_printf(o, ", q%u);\n", index);
    e->group[index] = e->group[partner] = index + 1;
  }
  if (e->group[index]) {
    uint32_t name = e->group[index] - 1, place = name == index ? 0 : 1;
    text_printf(o, "  const double r%u = q%u[%u], r%u = q%u[%u];\n", number, name, place, other, name, place + 2);
  } else if (e->job->style == emit_lanes) {
    text_printf(o, "  viva_lanes r%u, r%u;\n  { const viva_lanes x = ", number, other);
    put_given(e, op, 0);
    text_printf(o, "; k->sincos(&x, &r%u, &r%u); }\n", number, other);
  } else {
    text_printf(o, "  const viva_pair p%u = viva_sincos(", number);
    put_given(e, op, 0);
    text_printf(o, ");\n  const %s r%u = p%u.x, r%u = p%u.y;\n", real(e), number, number, other, number);
  }
  name_value(e, op->dst, number);
  name_value(e, op->b, other);
}

// ---- kernels

// Lower triangle of M row by row, then h.
static uint32_t triangle(uint32_t i, uint32_t j) { return i * (i + 1) / 2 + j; }

// One right-hand side, from operand h on, into the variables first .. first + n - 1.
static void put_column_solve(Emit *e, const uint32_t *h, uint32_t n, uint32_t base, uint32_t first) {
  Text *o = e->out;
  for (uint32_t i = 0; i < n; i++) {
    text_printf(o, "  %s r%u = -", real(e), first + i);
    put_operand(e, h[i]);
    for (uint32_t k = 0; k < i; k++) text_printf(o, " - l%u_%u_%u*r%u", base, i, k, first + k);
    text_put(o, ";\n");
  }
  for (uint32_t i = 0; i < n; i++) text_printf(o, "  r%u = r%u/d%u_%u;\n", first + i, first + i, base, i);
  for (uint32_t i = n - 1; i-- > 0;) {
    text_printf(o, "  r%u = r%u", first + i, first + i);
    for (uint32_t k = i + 1; k < n; k++) text_printf(o, " - l%u_%u_%u*r%u", base, k, i, first + k);
    text_put(o, ";\n");
  }
}

// M a = -h by M = L D L'. Names: dJ pivots, lIJ below them, rK the solution; N makes them different from others.
static void put_inline_solve(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args;
  uint32_t n = call->size, base = e->values + 1, h = n * (n + 1) / 2, results = tape_leaves(e->tape, op);
  Text *o = e->out;
  const char *type = real(e);
  for (uint32_t j = 0; j < n; j++) {
    text_printf(o, "  const %s d%u_%u = ", type, base, j);
    put_operand(e, args[triangle(j, j)]);
    for (uint32_t k = 0; k < j; k++) text_printf(o, " - l%u_%u_%u*l%u_%u_%u*d%u_%u", base, j, k, base, j, k, base, k);
    text_put(o, ";\n");
    for (uint32_t i = j + 1; i < n; i++) {
      text_printf(o, "  const %s l%u_%u_%u = (", type, base, i, j);
      put_operand(e, args[triangle(i, j)]);
      for (uint32_t k = 0; k < j; k++) text_printf(o, " - l%u_%u_%u*l%u_%u_%u*d%u_%u", base, i, k, base, j, k, base, k);
      text_printf(o, ")/d%u_%u;\n", base, j);
    }
  }
  for (uint32_t c = 0; c <= call->more; c++) put_column_solve(e, args + h + c * n, n, base, base + c * n);
  // not positive definite here: the kernel decides
  bool lanes = e->job->style == emit_lanes;
  text_put(o, lanes ? "  if (!VIVA_EVERY(" : "  if (!(");
  for (uint32_t j = 0; j < n; j++) {
    text_printf(o, "%s(d%u_%u > %s*", j ? lanes ? " & " : " && " : "", base, j, lanes ? "VIVA_ALL(1e-12)" : "1e-12");
    put_operand(e, args[triangle(j, j)]);
    text_putc(o, ')');
  }
  text_put(o, ")) {\n");
  for (uint32_t i = 0; i < call->count; i++) {
    if (e->stamp[args[i]] == e->piece) text_printf(o, "    w[%u] = r%u;\n", args[i], e->local[args[i]]);
  }
  text_printf(o, "    k->step(k->tape, %u, %s);\n", index, lanes ? "(double *)w" : "w");
  for (uint32_t i = 0; i < results; i++) text_printf(o, "    r%u = w[%u];\n", base + i, op->dst + i);
  text_put(o, "  }\n");
  for (uint32_t i = 0; i < results; i++) name_value(e, op->dst + i, ++e->values);
}

static void put_list(Emit *e, const uint32_t *slots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(e->out, i % 8 ? ", " : ",\n      ");
    put_operand(e, slots[i]);
  }
}

// Kernels in text that stands alone.
static void put_exported_kernel(Emit *e, const TapeOp *op) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args;
  Text *o = e->out;
  uint32_t number = ++e->values;
  switch ((TapeCode)op->code) {
  case tape_solve:
    text_printf(o, "  {\n    const viva_real a[%u] = {\n      ", call->count);
    put_list(e, args, call->count);
    text_printf(o, "};\n    viva_solve(a, %u, %u, %d, w + %u);\n  }\n", call->size, 1 + call->more, call->symmetric,
                op->dst);
    for (uint32_t i = 0; i < tape_leaves(e->tape, op); i++) e->stamp[op->dst + i] = 0;
    e->values += tape_leaves(e->tape, op) - 1;
    return;
  case tape_table:
    text_printf(o, "  const viva_real r%u = viva_table(", number);
    put_operand(e, args[0]);
    text_printf(o, ", %u, %s_x%u, %s_y%u, %d);\n", call->table->count, e->job->name, op->a, e->job->name, op->a,
                call->slope);
    break;
  case tape_noise:
    text_printf(o, "  const viva_real r%u = viva_noise(", number);
    put_list(e, args, 2);
    text_put(o, ");\n");
    break;
  case tape_integral:
  case tape_inverse: {
    uint32_t own = op->code == tape_integral ? 2 : 1;
    for (uint32_t i = own; i < call->count; i++) {
      text_printf(o, "  w[%u] = ", call->scratch + 1 + i - own);
      put_operand(e, args[i]);
      text_put(o, ";\n");
    }
    text_printf(o, "  %s_body%u_prepare(w + %u);\n", e->job->name, op->a, call->scratch);
    text_printf(o, "  const viva_real r%u = viva_%s(%s_body%u_at, 0, w + %u, ", number,
                own == 2 ? "integral" : "inverse", e->job->name, op->a, call->scratch);
    if (own == 2) {
      const uint32_t watches = call->body->output_count - 1;
      if (watches) text_printf(o, "%s_body%u_watches, ", e->job->name, op->a);
      else text_put(o, "0, ");
      text_printf(o, "%u, w + %u, ", watches, call->scratch + call->body->slot_count);
    }
    put_list(e, args, own);
    if (own == 2) {
      text_put(o, ", ");
      put_literal(e, kernel_digits(call));
    }
    if (own == 1) text_printf(o, ", %d", call->moving);
    text_put(o, ", 0);\n");
    break;
  }
  default: return;
  }
  name_value(e, op->dst, number);
}

static void put_op(Emit *e, uint32_t index) {
  const TapeOp *op = &e->ops[index];
  Text *o = e->out;
  if (solved_inline(e, op)) {
    put_inline_solve(e, op, index);
    return;
  }
  if (called_back(e, op)) {
    text_printf(o, "  k->step(k->tape, %u, %s);\n", index, e->job->style == emit_lanes ? "(double *)w" : "w");
    uint32_t results = tape_leaves(e->tape, op);
    for (uint32_t i = 0; i < results; i++) e->stamp[op->dst + i] = 0;
    e->values += results;
    return;
  }
  if (tape_is_kernel(op->code)) {
    put_exported_kernel(e, op);
    return;
  }
  if (op->code == tape_sincos) {
    put_sincos(e, index);
    return;
  }
  uint32_t number = ++e->values;
  text_printf(o, "  const %s r%u = ", real(e), number);
  // arithmetic is the same in lanes; everything else has a function for them
  if (e->job->style == emit_lanes && (op->code > tape_nmadd || op->code == tape_sqrt || op->code == tape_pow)) {
    uint32_t arity = tape_arity(op->code);
    text_printf(o, "viva_op%u(k", op->code);
    for (uint32_t i = 0; i < arity; i++) {
      text_put(o, ", ");
      put_given(e, op, i);
    }
    text_put(o, ");\n");
  } else {
    put_formula(e, op, text_of(op->code));
    text_put(o, ";\n");
  }
  name_value(e, op->dst, number);
}

// ---- pieces

static const char *parameters(const Emit *e) {
  return e->job->style == emit_export  ? "viva_real *w"
         : e->job->style == emit_lanes ? "viva_lanes *w, const viva_kit *k"
                                       : "double *w, const viva_kit *k";
}

// The named slots that a piece reads become local constants.
static void put_names(Emit *e, uint32_t from, uint32_t to) {
  uint32_t named = e->tape->param_count + e->tape->var_count;
  bool *seen = e->job->names ? arena_array(e->job->arena, (size_t)named + 1, sizeof *seen) : NULL;
  if (!seen) return;
  for (uint32_t i = from; i < to; i++) {
    uint32_t own[3], count;
    const uint32_t *reads = tape_operands(e->tape, &e->ops[i], own, &count);
    for (uint32_t k = 0; k < count; k++) {
      if (reads[k] < named) seen[reads[k]] = true;
    }
  }
  for (uint32_t i = 0; i < named; i++) {
    if (seen[i]) text_printf(e->out, "  const %s %s = w[%u];\n", real(e), e->job->names[i], i);
  }
}

// Pieces of long native text are spread over several texts, so that several compilers can work on them.
static Text *text_of_piece(const Emit *e, uint32_t pieces) {
  const EmitJob *job = e->job;
  return job->part_count ? &job->parts[(uint64_t)(e->piece - 1) * job->part_count / pieces] : job->out;
}

// ---- loops

static void put_table(const Emit *e, const RolledSlots *s, uint32_t table, uint32_t turns) {
  if (!s->each) return;
  text_printf(e->out, "  static const unsigned t%u[%u] = {", table, turns);
  for (uint32_t i = 0; i < turns; i++) text_printf(e->out, "%s%u", i ? i % 16 ? ", " : ",\n    " : "", s->each[i]);
  text_put(e->out, "};\n");
}

// The operations of the pattern, once; values: those of a turn.
static void put_turn(Emit *e, const RolledPart *part, uint32_t values) {
  const RolledLoop *l = part->loop;
  for (uint32_t j = 0; j < l->period; j++) {
    e->loop_op = j;
    put_op(e, part->from + j);
    for (uint32_t k = 0; k < tape_leaves(e->tape, &e->ops[part->from + j]); k++) {
      bool kept = false;
      for (uint32_t t = 0; t < l->turns && !kept; t++) kept = e->keep[e->names[j] + k + t * values];
      if (!kept) continue;
      text_put(e->out, "  ");
      put_slots(e, &l->results[j * 2 + k], 3 * l->period + j * 2 + k);
      text_printf(e->out, " = r%u;\n", e->names[j] + k);
    }
  }
}

static bool put_loop(Emit *e, const RolledPart *part) {
  const RolledLoop *l = part->loop;
  uint32_t values = 0, first = e->values + 1;
  e->names = arena_array(e->job->arena, l->period, sizeof *e->names);
  bool *carried = arena_array(e->job->arena, (size_t)l->period * 2, sizeof *carried);
  if (!e->names || !carried) return false;
  for (uint32_t j = 0; j < l->period; j++) {
    e->names[j] = first + values;
    values += tape_leaves(e->tape, &e->ops[part->from + j]);
  }
  for (uint32_t j = 0; j < l->period * 3; j++) {
    const RolledOperand *o = &l->operands[j];
    if (o->kind == rolled_slot) put_table(e, &o->slots, j, l->turns);
    if (o->kind != rolled_carried || carried[o->op * 2 + o->result]) continue;
    carried[o->op * 2 + o->result] = true;
    text_printf(e->out, "  %s c%u = w[%u];\n", real(e), e->names[o->op] + o->result, o->slots.first);
  }
  for (uint32_t j = 0; j < l->period * 2; j++) put_table(e, &l->results[j], 3 * l->period + j, l->turns);
  text_printf(e->out, "  for (int i = 0; i < %u; i++) {\n", l->turns);
  e->loop = l;
  put_turn(e, part, values);
  for (uint32_t j = 0; j < l->period * 2; j++) {
    uint32_t value = e->names[j / 2] + j % 2;
    if (carried[j]) text_printf(e->out, "  c%u = r%u;\n", value, value);
  }
  e->loop = NULL;
  text_put(e->out, "  }\n");
  e->values = first - 1 + values * l->turns;
  return true;
}

// ---- functions

static uint32_t pieces_of(const Emit *e) {
  uint32_t pieces = 0;
  for (uint32_t p = 0; p < e->part_count; p++)
    pieces += e->parts[p].loop ? 1 : (e->parts[p].to - e->parts[p].from + e->piece_size - 1) / e->piece_size;
  return pieces;
}

static bool put_function(const EmitJob *job, const TapeOp *ops, uint32_t count, const char *suffix,
                         const char *visible) {
  Emit emit = {.job = job, .out = job->out, .tape = job->tape, .ops = ops, .count = count}, *e = &emit;
  const RolledPart straight = {0, count, NULL};
  e->parts = job->rolled ? job->rolled->parts : &straight;
  e->part_count = job->rolled ? job->rolled->part_count : count > 0;
  e->piece_size = job->rolled && rolled_is_long(job->rolled) ? emit_short_piece : emit_piece;
  if (!find_units(e) || !find_kept(e)) return false;
  uint32_t pieces = pieces_of(e);
  const char *linkage = job->part_count ? "VIVA_HIDDEN " : "static VIVA_NOINLINE ";
  for (uint32_t p = 0; p < e->part_count; p++) {
    const RolledPart *part = &e->parts[p];
    for (uint32_t from = part->from; from < part->to; from = e->end) {
      e->piece++;
      e->end = part->loop || part->to - from <= e->piece_size ? part->to : from + e->piece_size;
      e->out = text_of_piece(e, pieces);
      if (pieces > 1)
        text_printf(e->out, "%svoid %s%s_%u(%s) {\n", linkage, job->name, suffix, e->piece, parameters(e));
      else text_printf(e->out, "%svoid %s%s(%s) {\n", visible, job->name, suffix, parameters(e));
      if (job->style == emit_export) put_names(e, from, e->end);
      if (part->loop && !put_loop(e, part)) return false;
      for (uint32_t i = from; !part->loop && i < e->end; i++) put_op(e, i);
      text_put(e->out, "}\n\n");
    }
  }
  if (pieces == 1) return !arena_failed(job->arena);
  e->out = job->out;
  for (uint32_t i = 1; job->part_count && i <= pieces; i++)
    text_printf(e->out, "%svoid %s%s_%u(%s);\n", linkage, job->name, suffix, i, parameters(e));
  text_printf(e->out, "%svoid %s%s(%s) {\n", visible, job->name, suffix, parameters(e));
  for (uint32_t i = 1; i <= pieces; i++)
    text_printf(e->out, "  %s%s_%u(%s);\n", job->name, suffix, i, job->style == emit_export ? "w" : "w, k");
  if (!pieces) text_put(e->out, job->style == emit_export ? "  (void)w;\n" : "  (void)w, (void)k;\n");
  text_put(e->out, "}\n\n");
  return !arena_failed(job->arena);
}

// ---- bodies and tables of exported text

void emit_result(const EmitJob *job, uint32_t i) {
  uint32_t slot = job->tape->outputs[i];
  Emit e = {.job = job, .out = job->out};
  for (uint32_t k = 0; k < job->tape->constant_count; k++) {
    if (job->tape->constants[k].slot != slot) continue;
    put_literal(&e, job->tape->constants[k].value);
    return;
  }
  text_printf(job->out, "w[%u]", slot);
}

static bool put_body(const EmitJob *job, uint32_t call) {
  const Tape *body = job->tape->calls[call].body;
  EmitJob inner = *job;
  inner.tape = body;
  inner.names = NULL;
  inner.name = arena_printf(job->arena, "%s_body%u", job->name, call);
  if (!inner.name || !emit_c(&inner)) return false;
  text_printf(job->out,
              "static viva_real %s_at(const void *self, viva_real *w, viva_real s, viva_real *more) {\n  (void)self;\n "
              " (void)more;\n  w[0] = s;\n  %s(w);\n",
              inner.name, inner.name);
  for (uint32_t i = 1; i < body->output_count; i++) {
    text_printf(job->out, "  more[%u] = ", i - 1);
    emit_result(&inner, i);
    text_put(job->out, ";\n");
  }
  text_put(job->out, "  return ");
  emit_result(&inner, 0);
  text_put(job->out, ";\n}\n");
  const uint8_t *watches = job->tape->calls[call].watches;
  for (uint32_t i = 0; watches && i + 1 < body->output_count; i++) {
    if (i == 0)
      text_printf(job->out, "static const unsigned char %s_watches[%u] = {", inner.name, body->output_count - 1);
    text_printf(job->out, i + 2 < body->output_count ? "%u, " : "%u};\n", watches[i]);
  }
  text_put(job->out, "\n");
  return true;
}

static void put_column(const EmitJob *job, char letter, uint32_t call, const double *values, uint32_t count) {
  Emit e = {.job = job, .out = job->out};
  text_printf(job->out, "static const viva_real %s_%c%u[%u] = {", job->name, letter, call, count);
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(job->out, i % 8 ? ", " : ",\n  ");
    put_literal(&e, values[i]);
  }
  text_put(job->out, "};\n");
}

// What a right-hand side does around its tape, in one function: y goes in, rates come out, and whether all are finite.
static void put_rates(const EmitJob *job) {
  const Tape *t = job->tape;
  Text *o = job->out;
  bool lanes = job->style == emit_lanes;
  const char *type = lanes ? "viva_lanes" : "double";
  text_printf(o, "int %s_rates(%s, const %s *y, %s *dydt, %s *w, const viva_kit *k) {\n", job->name,
              lanes ? "const double *t" : "double t", type, type, type);
  text_printf(o, lanes ? "  %s sum = VIVA_ALL(0.0);\n" : "  %s sum = 0;\n  int bad = 0;\n", type);
  text_printf(o, lanes ? "  for (int i = 0; i < 8; i++) w[%u][i] = t[i];\n" : "  w[%u] = t;\n", t->param_count);
  text_printf(o, "  for (int i = 0; i < %u; i++) w[%u + i] = y[i];\n", t->var_count - 1 - t->held_count,
              t->param_count + 1);
  text_printf(o, "  %s(w, k);\n", job->name);
  enum { least_turns = 8 };
  for (uint32_t i = 0, n; i < t->output_count; i += n) {
    const uint32_t *from = t->outputs + i;
    uint32_t left = t->output_count - i;
    int64_t stride = left > 1 ? (int64_t)from[1] - from[0] : 0;
    for (n = 1; n < left && (int64_t)from[n] - from[n - 1] == stride;) n++;
    if (n < least_turns) {
      n = 1;
      text_printf(o, "  dydt[%u] = w[%u];\n  sum += w[%u] - w[%u];\n", i, *from, *from, *from);
      continue;
    }
    text_printf(o, "  for (int i = 0; i < %u; i++) {\n    const %s r = w[%u + %lld*i];\n    dydt[%u + i] = r;\n", n,
                type, *from, (long long)stride, i);
    // counted in whole numbers, which the compiler may do several at once
    text_put(o, lanes ? "    sum += r - r;\n  }\n" : "    bad |= !(r - r == 0);\n  }\n");
  }
  if (lanes)
    text_put(o,
             "  int finite = 0;\n  for (int i = 0; i < 8; i++) finite |= (sum[i] == 0) << i;\n  return finite;\n}\n");
  else text_put(o, "  return sum == 0 && !bad;\n}\n");
}

bool emit_c(const EmitJob *job) {
  const Tape *t = job->tape;
  if (job->style != emit_export) {
    if (!put_function(job, t->ops, t->op_count, "", "")) return false;
    if (job->rates) put_rates(job);
    return !arena_failed(job->arena);
  }
  for (uint32_t part = 0; part < 2; part++) {
    const TapeOp *ops = part ? t->ops : t->prologue;
    for (uint32_t i = 0; i < (part ? t->op_count : t->prologue_count); i++) {
      if (!tape_is_kernel(ops[i].code)) continue;
      const TapeCall *call = &t->calls[ops[i].a];
      if (call->body && !put_body(job, ops[i].a)) return false;
      if (!call->table) continue;
      put_column(job, 'x', ops[i].a, call->table->x, call->table->count);
      put_column(job, 'y', ops[i].a, call->table->y, call->table->count);
    }
  }
  return put_function(job, t->prologue, t->prologue_count, "_prepare", "static ") &&
         put_function(job, t->ops, t->op_count, "", "static ");
}

void emit_needs(const Tape *t, EmitNeeds *needs) {
  for (uint32_t part = 0; part < 2; part++) {
    const TapeOp *ops = part ? t->ops : t->prologue;
    for (uint32_t i = 0; i < (part ? t->op_count : t->prologue_count); i++) {
      switch ((TapeCode)ops[i].code) {
      case tape_sincos: needs->sincos = true; break;
      case tape_solve: needs->solve = true; break;
      case tape_table: needs->table = true; break;
      case tape_noise: needs->noise = true; break;
      case tape_integral:
        needs->integral = true;
        emit_needs(t->calls[ops[i].a].body, needs);
        break;
      case tape_inverse:
        needs->inverse = true;
        emit_needs(t->calls[ops[i].a].body, needs);
        break;
      default: break;
      }
    }
  }
}

// ---- the head of native text

static const char *const parameter_letters[] = {"a", "b", "c"};

// A function for lanes that does the operation lane by lane; the compiler makes vectors of it where it can.
static void put_lane_op(Text *out, uint16_t code) {
  uint32_t arity = tape_arity(code);
  const char *text = text_of(code), *math = strstr(text, "M(");
  text_printf(out, "static inline viva_lanes viva_op%u(const viva_kit *k", code);
  for (uint32_t i = 0; i < arity; i++) text_printf(out, ", viva_lanes %s_", parameter_letters[i]);
  text_put(out, ") {\n  viva_lanes r_;\n  (void)k;\n");
  if (math) {
    size_t name = strcspn(math + 2, ")");
    text_printf(out, "  k->%.*s(&a_, %s&r_);\n", (int)name, math + 2, arity > 1 ? "&b_, " : "");
  } else {
    text_put(out, "  for (int i_ = 0; i_ < 8; i_++) {\n");
    for (uint32_t i = 0; i < arity; i++)
      text_printf(out, "    const double %s = %s_[i_];\n", parameter_letters[i], parameter_letters[i]);
    text_printf(out, "    r_[i_] = %s;\n  }\n", text);
  }
  text_put(out, "  return r_;\n}\n");
}

bool rolled_is_long(const Rolled *rolled) { return rolled->length > 12000; }

// Passes that look through all of a function for each store, and find nothing in text like ours: three quarters of the
// time that a long tape takes to compile.
static const char *const long_pragma =
    "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n#pragma GCC optimize (\"no-tree-dse\", "
    "\"no-dse\", \"no-ipa-modref\", "
    "\"no-tree-pta\", \"no-ipa-pure-const\", \"no-tree-ccp\", \"no-tree-forwprop\", \"no-tree-fre\", "
    "\"no-tree-dominator-opts\", \"no-tree-sink\", "
    "\"no-tree-dce\", \"no-tree-sra\", \"no-tree-ter\", \"no-tree-slsr\", \"no-cprop-registers\", "
    "\"no-forward-propagate\", \"no-tree-copy-prop\")\n#endif\n";

void emit_head(Text *out, EmitStyle style, const Rolled *rolled) {
  text_put(
      out,
      "#if defined(__GNUC__)\n#define VIVA_NOINLINE __attribute__((noinline))\n#else\n#define VIVA_NOINLINE\n#endif\n"
      "#define VIVA_HIDDEN __attribute__((visibility(\"hidden\")))\n");
  if (rolled_is_long(rolled)) text_put(out, long_pragma);
  if (style == emit_lanes) {
    text_put(
        out,
        "typedef double viva_lanes __attribute__((vector_size(64), aligned(64)));\n"
        "typedef long long viva_mask __attribute__((vector_size(64), aligned(64)));\n"
        "#define VIVA_ALL(x) ((viva_lanes){x, x, x, x, x, x, x, x})\n"
        "static inline int viva_every(viva_mask m) {\n  long long all = -1;\n"
        "  for (int i = 0; i < 8; i++) all &= m[i];\n  return all != 0;\n}\n"
        "#define VIVA_EVERY(m) viva_every(m)\n"
        "typedef struct viva_kit {\n  const void *tape;\n  void (*step)(const void *tape, unsigned op, double *w);\n"
        "  void (*sincos)(const viva_lanes *, viva_lanes *, viva_lanes *);\n");
#define X(name, arity)                                                                                                 \
  text_put(out, arity == 1 ? "  void (*" #name ")(const viva_lanes *, viva_lanes *);\n"                                \
                           : "  void (*" #name ")(const viva_lanes *, const viva_lanes *, viva_lanes *);\n");
    TAPE_MATH(X)
#undef X
    text_put(out, "} viva_kit;\n#define floor(x) __builtin_floor(x)\n");
    for (uint16_t code = tape_sqrt; code < tape_code_count; code++) {
      if ((code > tape_nmadd || code == tape_sqrt || code == tape_pow) && !tape_is_kernel(code) && code != tape_sincos)
        put_lane_op(out, code);
    }
    return;
  }
  // newer versions of tcc negate with a zero of their runtime library, which is not linked
  text_put(out, "#ifdef __TINYC__\ndouble __mzerodf = -0.0;\nfloat __mzerosf = -0.0f;\n#endif\n");
  text_put(out,
           "typedef struct viva_pair {\n  double x, y;\n} viva_pair;\n"
           "typedef struct viva_kit {\n  const void *tape;\n  void (*step)(const void *tape, unsigned op, double *w);\n"
           "  viva_pair (*sincos)(double);\n  void (*sincos2)(double, double, double *);\n");
#define X(name, arity)                                                                                                 \
  text_put(out, arity == 1 ? "  double (*" #name ")(double);\n" : "  double (*" #name ")(double, double);\n");
  TAPE_MATH(X)
#undef X
  text_put(out, "} viva_kit;\n#define viva_sincos k->sincos\n");
#define X(name, arity) text_put(out, "#define viva_" #name " k->" #name "\n");
  TAPE_MATH(X)
#undef X
  text_put(
      out,
      "#if defined(__GNUC__) && !defined(__TINYC__)\n#undef viva_sqrt\n#define viva_sqrt __builtin_sqrt\n#endif\n");
}

// ---- names

static bool reserved(const char *s) {
  static const char *const words[] = {"auto",    "break",  "case",     "char",   "const",    "continue", "default",
                                      "do",      "double", "else",     "enum",   "extern",   "float",    "for",
                                      "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
                                      "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
                                      "typedef", "union",  "unsigned", "void",   "volatile", "while",    "w",
                                      "a",       "NAN",    "INFINITY", "main",   "errno",    "assert"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i], s) == 0) return true;
  }
  if (strncmp(s, "viva_", 5) == 0 || strncmp(s, "VIVA_", 5) == 0 || strncmp(s, "M_", 2) == 0 ||
      strncmp(s, "FP_", 3) == 0)
    return true;
  return (*s == 'r' || *s == 'p') && s[1] && strspn(s + 1, "0123456789") == strlen(s + 1);
}

const char *emit_name(Arena *arena, const char *name, const char *const *taken, uint32_t count) {
  Text t = text_in(arena);
  for (const char *s = name; *s; s++) {
    unsigned char c = (unsigned char)*s;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    if (letter || (digit && s > name) || (c == '_' && s > name)) text_putc(&t, (char)c);
    else if (c == '\'') text_put(&t, "_d");
    else if (c >= 128) text_printf(&t, "u%02x", c);
    else if (c != ']') text_putc(&t, s > name ? '_' : 'x');
  }
  if (reserved(text_str(&t))) text_putc(&t, '_');
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(taken[i], text_str(&t)) != 0) continue;
    text_putc(&t, '_');
    i = UINT32_MAX; // from the start again
  }
  return arena_failed(arena) ? NULL : text_str(&t);
}
