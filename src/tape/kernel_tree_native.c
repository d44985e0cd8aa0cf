// Native text of the kernel of trees: the passes of kernel_tree_text.h, compiled for each class of links.
//
// in    classes of links that are alike (kernel_tree_plan.c), the operands of a call
// out   a function that does on the workspace what the kernel does, with its bits. What is constant in all links of a
//       class is a number in the text, so products with zeros and ones vanish
//
// Compiler options say that zeros have no sign and that numbers are finite, else it would have to keep 0 x. So a zero
// may have another sign than the interpreter's, which no comparison sees; and beyond overflow a result may be a number
// where the interpreter, which multiplies infinity by zero, has none. Margins are compared outside.
#include "tape/emit_parts.h"
#include "tape/kernel_tree_parts.h"

#include <string.h>

// What a link is given, column by column, as it stands in viva_tree_given.
enum { column_q = 22, column_v = 26, column_tau = 29, column_sine = 32, column_ground = 34, column_count = 37 };

typedef enum Given { given_number, given_table, given_slot, given_stride } Given;

typedef struct Front {
  const EmitJob *job;
  Text *out;
  uint32_t call;
  const TreeData *t;
  const uint32_t *args;
  const double *constant; // by slot; is_constant
  const bool *is_constant;
  uint32_t *members, *start; // links, class by class
  uint32_t *row;             // of each link: its index in its class
  bool one;                  // state; else eight
} Front;

// ---- columns

static bool is_needed(uint32_t joint, uint32_t how, uint32_t column) {
  const bool turns = joint < viva_tree_prismatic, ball = joint == viva_tree_ball;
  if (column < 3) return !turns || (how & viva_tree_turned) || column != joint;
  if (column < 12) return !turns || (how & viva_tree_turned);
  if (column < column_q) return true;
  if (column < column_v) return !turns && (ball || column == column_q);
  if (column < column_tau) return ball || column == column_v;
  if (column < column_sine) return ball || column == column_tau;
  if (column < column_ground) return turns;
  return how & viva_tree_root;
}

// The operand of a link that stands in a column.
static uint32_t operand_of(const viva_tree *s, uint32_t link, uint32_t column) {
  if (column < column_q) return s->number + viva_tree_numbers * link + column;
  if (column < column_v) return s->position[link] + column - column_q;
  if (column < column_tau) return s->positions + s->velocity[link] + column - column_v;
  if (column < column_sine) return s->force + s->velocity[link] + column - column_tau;
  if (column < column_ground) return s->sine[link] + column - column_sine;
  return s->gravity + column - column_ground;
}

static uint32_t slot_of(const Front *f, uint32_t link, uint32_t column) {
  return f->args[operand_of(&f->t->s, link, column)];
}

// The slot of a link follows from its number: slot + stride number.
static bool has_stride(const Front *f, uint32_t class, uint32_t column, int64_t *slot, int64_t *stride) {
  const uint32_t *links = f->members + f->start[class], count = f->start[class + 1] - f->start[class];
  const int64_t first = slot_of(f, links[0], column), last = slot_of(f, links[count - 1], column);
  const int64_t far = (int64_t)links[count - 1] - links[0];
  *stride = far ? (last - first) / far : 0;
  *slot = first - *stride * links[0];
  for (uint32_t i = 0; i < count; i++) {
    if (slot_of(f, links[i], column) != *slot + *stride * links[i]) return false;
  }
  return true;
}

static Given given_of(const Front *f, uint32_t class, uint32_t column) {
  const uint32_t *links = f->members + f->start[class], count = f->start[class + 1] - f->start[class];
  Given way = given_number;
  const uint32_t first = slot_of(f, links[0], column);
  int64_t slot, stride;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t at = slot_of(f, links[i], column);
    if (!f->is_constant[at]) return has_stride(f, class, column, &slot, &stride) ? given_stride : given_slot;
    if (f->constant[at] != f->constant[first]) way = given_table;
  }
  return way;
}

static void put_field(Text *o, uint32_t column) {
  if (column < 3) text_printf(o, "r[%u]", column);
  else if (column < 12) text_printf(o, "turn[%u]", column - 3);
  else if (column < 13) text_put(o, "mass");
  else if (column < 16) text_printf(o, "h[%u]", column - 13);
  else if (column < column_q) text_printf(o, "m[%u]", column - 16);
  else if (column < column_v) text_printf(o, "q[%u]", column - column_q);
  else if (column < column_tau) text_printf(o, "v[%u]", column - column_v);
  else if (column < column_sine) text_printf(o, "tau[%u]", column - column_tau);
  else if (column < column_ground) text_put(o, column == column_sine ? "s" : "c");
  else text_printf(o, "ground[%u]", column - column_ground);
}

static void put_column(const Front *f, uint32_t class, uint32_t column, Given way) {
  const uint32_t *links = f->members + f->start[class], count = f->start[class + 1] - f->start[class];
  text_printf(f->out, "static const %s viva_%u_%u_%u[%u] = {", way == given_table ? "double" : "unsigned", f->call,
              class, column, count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t slot = slot_of(f, links[i], column);
    text_put(f->out, i ? i % 8 ? ", " : ",\n  " : "");
    if (way == given_table) text_printf(f->out, "%a", f->constant[slot]);
    else text_printf(f->out, "%u", slot);
  }
  text_put(f->out, "};\n");
}

// What the links of a class are given.
static void put_reader(const Front *f, uint32_t class) {
  const uint32_t link = f->members[f->start[class]], joint = f->t->s.joint[link], how = f->t->s.how[link];
  Text *o = f->out;
  Given ways[column_count];
  int64_t slot, stride;
  for (uint32_t k = 0; k < column_count; k++) {
    if (!is_needed(joint, how, k)) continue;
    ways[k] = given_of(f, class, k);
    if (ways[k] == given_table || ways[k] == given_slot) put_column(f, class, k, ways[k]);
  }
  text_printf(o,
              "static inline void viva_read_%u_%u(const viva_real *w, long link, unsigned row, viva_tree_given *g) {\n",
              f->call, class);
  for (uint32_t k = 0; k < column_count; k++) {
    if (!is_needed(joint, how, k)) continue;
    text_put(o, "  g->");
    put_field(o, k);
    text_put(o, k < column_ground ? " = " : " = -");
    if (ways[k] == given_number) text_printf(o, "VIVA_EACH(%a)", f->constant[slot_of(f, link, k)]);
    else if (ways[k] == given_table) text_printf(o, "VIVA_EACH(viva_%u_%u_%u[row])", f->call, class, k);
    else if (ways[k] == given_slot) text_printf(o, "VIVA_AT(w, viva_%u_%u_%u[row])", f->call, class, k);
    else if (has_stride(f, class, k, &slot, &stride))
      text_printf(o, "VIVA_AT(w, %lld + %lld * link)", (long long)slot, (long long)stride);
    text_put(o, ";\n");
  }
  text_put(o, "}\n");
}

// ---- the order

static void put_list(const Front *f, const char *name, const uint32_t *list, uint32_t count) {
  text_printf(f->out, "static const unsigned viva_%s_%u[%u] = {", name, f->call, count);
  for (uint32_t i = 0; i < count; i++) text_printf(f->out, "%s%u", i ? i % 16 ? ", " : ",\n  " : "", list[i]);
  text_put(f->out, "};\n");
}

// A leaf whose inertia is in the text: what follows of it is as well.
static uint32_t flags_of(const Front *f, uint32_t class) {
  const uint32_t link = f->members[f->start[class]];
  uint32_t how = f->t->s.how[link];
  if (!(how & viva_tree_leaf) || f->t->s.joint[link] == viva_tree_ball) return how;
  for (uint32_t k = 12; k < column_q; k++) {
    if (given_of(f, class, k) != given_number) return how;
  }
  return how | viva_tree_again;
}

#define PASSED "const viva_real *w, viva_real *z, viva_real *kept, viva_frame *frame"

static bool is_leaf(const Front *f, uint32_t class) {
  return f->t->s.how[f->members[f->start[class]]] & viva_tree_leaf;
}

// What is done with a link of a class. A leaf moves when it comes inwards, so it has to know what is above it.
static void put_visit(const Front *f, uint32_t class, uint32_t what) {
  const uint32_t joint = f->t->s.joint[f->members[f->start[class]]], how = flags_of(f, class);
  const bool in = what == viva_tree_inwards, again = what == viva_tree_out_again, carries = in && !is_leaf(f, class);
  Text *o = f->out;
  text_printf(
      o,
      "static %s void viva_visit_%u_%u(const viva_real *w, long link, unsigned row, %s%s, viva_real *kept%s) {\n"
      "  viva_tree_given g;\n  viva_read_%u_%u(w, link, row, &g);\n",
      f->one ? "inline" : "__attribute__((noinline))", f->call, 3 * class + what, in ? "viva_frame *up, " : "",
      carries ? "const viva_frame *own" : "const viva_real *above", again ? ", viva_real *z" : "", f->call, class);
  if (again) text_printf(o, "  viva_tree_speed_up(%u, %u, &g, above, kept, z);\n}\n", joint, how);
  else if (in)
    text_printf(o, "  viva_tree_come(%u, %u, &g, up, %s, kept);\n}\n", joint, how, carries ? "own, 0" : "0, above");
  else
    text_printf(o, "  viva_tree_move(%u, %u, &g, above + viva_tree_speed, kept + viva_tree_speed, kept);\n}\n", joint,
                how);
}

// Where something of a link stands: in a loop a list tells.
static void put_place(const Front *f, const char *in, const char *list, uint32_t number) {
  if (f->one) text_printf(f->out, ", %s + viva_%s_%u[i]", in, list, f->call);
  else text_printf(f->out, ", %s + %u", in, number);
}

static void put_call(const Front *f, const viva_tree_order *o, uint32_t class, uint32_t what, uint32_t link) {
  const viva_tree *s = &f->t->s;
  text_printf(f->out, "  viva_visit_%u_%u(w, ", f->call, 3 * class + what);
  if (f->one) text_printf(f->out, "i, viva_row_%u[i]", f->call);
  else text_printf(f->out, "%u, %u", link, f->row[link]);
  if (what == viva_tree_inwards) put_place(f, "frame", "up", o->up[link]);
  if (what == viva_tree_inwards && !is_leaf(f, class)) put_place(f, "frame", "own", o->own[link]);
  else put_place(f, "kept", "above", s->above[link]);
  put_place(f, "kept", "kept", s->kept[link]);
  if (what == viva_tree_out_again && f->one) put_place(f, "z", "velocity", 0);
  else if (what == viva_tree_out_again) text_printf(f->out, ", z + VIVA_TREE_APART * %u", s->velocity[link]);
  text_put(f->out, ");\n");
}

// The same with a run of links.
static void put_loop(const Front *f, const viva_tree_order *o, uint32_t class, uint32_t what) {
  text_printf(f->out,
              "static __attribute__((noinline)) void viva_loop_%u_%u(" PASSED ", unsigned at, unsigned end) {\n"
              "  for (; at < end; at++) {\n    const unsigned i = viva_link_%u[at];\n  ",
              f->call, 3 * class + what, f->call);
  put_call(f, o, class, what, f->members[f->start[class]]);
  text_put(f->out, "  }\n}\n");
}

static void put_tables(const Front *f, const viva_tree_order *o) {
  const viva_tree *s = &f->t->s;
  put_list(f, "link", o->link, o->end[o->runs - 1]);
  put_list(f, "row", f->row, s->links);
  put_list(f, "own", o->own, s->links);
  put_list(f, "up", o->up, s->links);
  put_list(f, "kept", s->kept, s->links);
  put_list(f, "above", s->above, s->links);
  put_list(f, "velocity", s->velocity, s->links);
}

// All runs, one behind the other: where a loop chooses classes, a processor guesses wrongly which comes next. One state
// goes through a run in a loop; eight would only move the constants of a class from one memory into another in front of
// it, so each visit is a call. In pieces, for which a compiler takes time that grows with their number alone.
static void put_run(const Front *f, const viva_tree_order *o, const uint32_t *class) {
  enum { piece = 500 };
  uint32_t calls = 0;
  for (uint32_t r = 0, at = 0; r < o->runs; r++) {
    for (uint32_t from = at; at < o->end[r]; calls++) {
      if (calls % piece == 0)
        text_printf(f->out, "%sstatic __attribute__((noinline)) void viva_piece_%u_%u(" PASSED ") {\n",
                    calls ? "}\n" : "", f->call, calls / piece);
      if (!f->one) put_call(f, o, class[r], o -> what[r], o -> link[at++]);
      else
        text_printf(f->out, "  viva_loop_%u_%u(w, z, kept, frame, %u, %u);\n", f->call, 3 * class[r] + o->what[r], from,
                    at = o->end[r]);
    }
  }
  text_printf(f->out, "}\nstatic void viva_run_%u(" PASSED ") {\n", f->call);
  for (uint32_t k = 0; k * piece < calls; k++)
    text_printf(f->out, "  viva_piece_%u_%u(w, z, kept, frame);\n", f->call, k);
  text_put(f->out, "}\n");
}

static void put_margins(const Front *f) {
  const viva_tree *s = &f->t->s;
  uint32_t margins = 0;
  text_printf(f->out, "static const unsigned viva_margin_%u[] = {", f->call);
  for (uint32_t i = 0; i < s->links; i++) {
    const bool ball = s->joint[i] == viva_tree_ball;
    for (uint32_t k = 0; k < (ball ? 3 : 1); k++)
      text_printf(f->out, margins++ % 16 ? "%u, " : "\n  %u, ",
                  s->kept[i] + (ball ? viva_tree_margin_ball : viva_tree_margin) + k);
  }
  text_printf(f->out, "};\nenum { viva_margins_%u = %u };\n", f->call, margins);
}

// ---- the whole

static const char *const head =
    "#pragma GCC push_options\n"
    "#pragma GCC optimize (\"O3\", \"no-signed-zeros\", \"finite-math-only\", \"no-tree-vectorize\", "
    "\"no-tree-slp-vectorize\", \"tree-ter\", \"no-tree-loop-distribute-patterns\", \"no-schedule-insns2\")\n";

static const char *const one_state = "typedef double viva_real;\n"
                                     "#define VIVA_EACH(x) (x)\n"
                                     "#define VIVA_AT(w, slot) (w)[slot]\n";

// By halves, where a register has four numbers.
static const char *const many_states =
    "#ifdef __AVX512F__\n"
    "typedef double viva_real __attribute__((vector_size(64), aligned(64), may_alias));\n"
    "typedef long long viva_front_mask __attribute__((vector_size(64), aligned(64), may_alias));\n"
    "#define VIVA_EACH(x) ((viva_real){(x), (x), (x), (x), (x), (x), (x), (x)})\n"
    "#define VIVA_AT(w, slot) (w)[slot]\n"
    "#define VIVA_STEP 8\n"
    "#else\n"
    "typedef double viva_real __attribute__((vector_size(32), aligned(32), may_alias));\n"
    "typedef long long viva_front_mask __attribute__((vector_size(32), aligned(32), may_alias));\n"
    "#define VIVA_EACH(x) ((viva_real){(x), (x), (x), (x)})\n"
    "#define VIVA_AT(w, slot) (w)[2 * (slot)]\n"
    "#define VIVA_STEP 4\n"
    "#define VIVA_TREE_APART 2\n"
    "#endif\n";

static void put_one_state(const Front *f, uint32_t scratch) {
  const viva_tree *s = &f->t->s;
  text_printf(f->out,
              "__attribute__((visibility(\"hidden\"))) void viva_front_%u(double *w) {\n"
              "  double *z = w + %u, *kept = z + %u;\n"
              "  int fine = 1;\n"
              "  viva_run_%u(w, z, kept, (viva_frame *)(void *)(kept + %u));\n"
              "  for (unsigned k = 0; k < viva_margins_%u; k++) fine &= kept[viva_margin_%u[k]] > 0;\n"
              "  for (unsigned i = 0; i < %u && !fine; i++) z[i] = __builtin_nan(\"\");\n}\n",
              f->call, scratch, s->velocities, f->call, s->keeps, f->call, f->call, s->velocities);
}

static void put_many_states(const Front *f, uint32_t scratch) {
  const viva_tree *s = &f->t->s;
  text_printf(
      f->out,
      "__attribute__((visibility(\"hidden\"))) void viva_front_%u(double *w) {\n"
      "  double *results = w + 8 * %u;\n"
      "  viva_real *kept = (viva_real *)(void *)(results + 8 * %u);\n"
      "  viva_frame *frame = (viva_frame *)(void *)(kept + %u);\n"
      "  for (int from = 0; from < 8; from += VIVA_STEP) {\n"
      "    viva_front_mask fine = ~(viva_front_mask){0};\n"
      "    viva_run_%u((const viva_real *)(const void *)(w + from), (viva_real *)(void *)(results + from), kept, "
      "frame);\n"
      "    for (unsigned k = 0; k < viva_margins_%u; k++) fine &= (viva_front_mask)(kept[viva_margin_%u[k]] > 0);\n"
      "    for (int lane = 0; lane < VIVA_STEP; lane++) {\n"
      "      for (unsigned i = 0; i < %u && !fine[lane]; i++) results[8 * i + from + lane] = "
      "__builtin_nan(\"\");\n    }\n  }\n}\n",
      f->call, scratch, s->velocities, s->keeps, f->call, f->call, f->call, s->velocities);
}

static bool list_members(Front *f) {
  const viva_tree *s = &f->t->s;
  f->members = arena_array(f->job->arena, (size_t)s->links + 1, sizeof *f->members);
  f->start = arena_array(f->job->arena, (size_t)f->t->classes + 1, sizeof *f->start);
  f->row = arena_array(f->job->arena, (size_t)s->links + 1, sizeof *f->row);
  uint32_t *count = arena_array(f->job->arena, (size_t)f->t->classes + 1, sizeof *count);
  if (!f->members || !f->start || !f->row || !count) return false;
  for (uint32_t i = 0; i < s->links; i++) f->start[f->t->class_of[i] + 1]++;
  for (uint32_t c = 0; c < f->t->classes; c++) f->start[c + 1] += f->start[c];
  for (uint32_t i = 0; i < s->links; i++) {
    const uint32_t class = f->t->class_of[i];
    f->row[i] = count[class]++;
    f->members[f->start[class] + f->row[i]] = i;
  }
  return true;
}

static bool find_constants(Front *f) {
  const Tape *t = f->job->tape;
  double *constant = arena_array(f->job->arena, (size_t)t->slot_count + 1, sizeof *constant);
  bool *is_constant = arena_array(f->job->arena, (size_t)t->slot_count + 1, sizeof *is_constant);
  if (!constant || !is_constant) return false;
  for (uint32_t k = 0; k < t->constant_count; k++) {
    constant[t->constants[k].slot] = t->constants[k].value;
    is_constant[t->constants[k].slot] = true;
  }
  f->constant = constant;
  f->is_constant = is_constant;
  return true;
}

bool kernel_tree_emit_front(const EmitJob *job, uint32_t call) {
  const TapeCall *of = &job->tape->calls[call];
  const bool one = job->target == &emit_native;
  Front front =
            {.job = job, .out = job->out, .call = call, .t = of->data, .args = job->tape->args + of->args, .one = one},
        *f = &front;
  const viva_tree_order *o = one ? &f->t->s.level : &f->t->deep;
  if (!list_members(f) || !find_constants(f)) return false;
  text_put(f->out, "#if defined(__GNUC__) && !defined(__TINYC__)\n");
  text_put(f->out, head);
  // one state is faster if nothing is made before it is needed, eight are not
  if (one) text_put(f->out, "#pragma GCC optimize (\"live-range-shrinkage\")\n");
#if defined(__x86_64__)
  // for its 32 registers
  if (one && __builtin_cpu_supports("avx512f")) text_put(f->out, "#pragma GCC target (\"avx512f\")\n");
#endif
  text_put(
      f->out,
      "#define inline inline __attribute__((always_inline))\n#ifndef VIVA_SINGULAR\n#define VIVA_SINGULAR 1e-15\n");
  text_put(f->out, one ? one_state : many_states);
  emit_section(f->out, "tree");
  emit_section(f->out, "tree_pass");
  text_put(f->out, "#endif\n");
  for (uint32_t c = 0; c < f->t->classes; c++) put_reader(f, c);
  if (one) put_tables(f, o);
  for (uint32_t c = 0; c < f->t->classes; c++) {
    for (uint32_t what = is_leaf(f, c) ? viva_tree_inwards : viva_tree_outwards; what <= viva_tree_out_again; what++) {
      put_visit(f, c, what);
      if (one) put_loop(f, o, c, what);
    }
  }
  text_put(f->out, "#undef inline\n");
  put_run(f, o, one ? f->t->level_run : f->t->deep_run);
  put_margins(f);
  text_put(f->out, "#pragma GCC pop_options\n");
  if (one) put_one_state(f, of->scratch);
  else put_many_states(f, of->scratch);
  text_put(f->out, "#endif\n");
  return !arena_failed(job->arena);
}

// Against operations: a class has a few hundred of them, and loops to unroll; a call is little.
uint64_t kernel_tree_front_length(const void *data) {
  const TreeData *t = data;
  return 1200 * (uint64_t)t->classes + t->s.links / 2;
}
