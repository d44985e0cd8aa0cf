// What the parts of the oracle share.
// parts: oracle.c oracle_value.c oracle_flow.c
#ifndef VIVA_TESTS_HYBRID_ORACLE_PARTS_H
#define VIVA_TESTS_HYBRID_ORACLE_PARTS_H

#include "oracle.h"

enum { most_guards = 8, most_segments = 60, most_images = 400, most_tied = 16, most_ops = 12, arena_size = 48 << 20 };

// A number at an instant: c[0] is its standard part, c[i] the coefficient of the i-th infinitely small step. No zeros
// at the end; zero has n = 0.
typedef struct VecBody {
  int n;
  Q c[];
} VecBody;
typedef const VecBody *Vec;

typedef struct Oracle Oracle;

// An operator on a guard: a number of this kind, or the condition of an `if` or integral.
typedef struct Operator {
  int kind, of; // of: 0, the node of the `if`, or the integral
  bool acts;    // on the rate of its guard: it is between its branches where that is held
} Operator;

// A zero guard of the rates, and the branch that is tried for it.
typedef struct Guard {
  int node;                // one of its operators
  bool affine;             // in states and time: coef has its normal form
  Q coef[most_states + 1]; // the last one of t
  int choice;              // -1, 0, 1
  bool stuck;              // held at zero: its operators are between their branches
  Q lambda;                // 0: the negative branch, 1: the positive one
  bool other;              // an operator that is never held is in the rates
  Operator ops[most_ops];  // those of the rates
  int op_count;
} Guard;

typedef struct Flow {
  Q r[most_states];
  Guard guards[most_guards];
  int count;
  bool full;
} Flow;

// The earliest zero of a guard along the flow.
typedef struct Next {
  bool any;
  Vec dt;
  int tied[most_tied], side[most_tied], tie_count;
} Next;

// Where an expression is read.
typedef struct Env {
  Oracle *o;
  int len;   // coefficients in use
  int slope; // the one along the flow; 0: the reading is AT
  Vec t;
  const Vec *y;
  const Vec *m;
  Flow *rates;      // rates are read: zero guards have the branches that are tried
  const Flow *held; // outputs show what holds
  bool right;       // a right side is read
  int condition;    // inside of a condition
  int of;           // of which `if` or integral
  Next *next;       // zeros are looked for
} Env;

typedef struct Segment {
  Q t, y[most_states], r[most_states];
  Vec m[most_memories];
} Segment;

typedef struct Internal { // a `when`, or the reset of an integral
  int condition, when, state;
} Internal;

struct Oracle {
  const Model *m;
  Twin twin;
  Answer *out;
  char *arena;
  size_t used;
  const char *skip; // why there is no answer
  Ending skip_kind;

  int len; // infinitely small steps so far, and one
  Vec t, y[most_states], mem[most_memories];
  Q pulse_end[most_memories];
  int memory_order[most_memories];
  Internal internals[most_whens + most_states];
  int internal_count;
  bool level[most_whens + most_states];
  Flow flow;
  int passes;
  Ending failed; // of a block

  Segment segments[most_segments];
  int segment_count;
  bool reached[most_nodes];
  Q delay_value[most_nodes], delay_slope[most_nodes];
  Q images[most_images];
  int image_count;
  Next last;
  bool touched; // a guard that was evaluated is zero
};

Vec vec_num(Oracle *o, Q x);
Vec vec_add(Oracle *o, Vec a, Vec b);
Vec vec_scale(Oracle *o, Q k, Vec a);
Vec vec_sub(Oracle *o, Vec a, Vec b);
Vec vec_with(Oracle *o, Vec a, int i, Q x); // a + x*e_i
Vec vec_cut(Oracle *o, Vec a, int n);       // without the coefficients from n on
int vec_sign(Vec a);
bool vec_equal(Vec a, Vec b);
static inline Q vec_part(Vec a, int i) { return i < a->n ? a->c[i] : q_int(0); }

void give_up(Oracle *o, Ending kind, const char *why);

Vec eval(Env *e, int id);
bool holds(Env *e, int id); // a condition
// The value of a block with a memory, by its memory and what it reads.
Vec memory_value(Env *e, int i);

// The coefficients of states and time in a guard; discrete: those of discrete states, too. false: it is not affine.
bool guard_affine(const Model *m, int id, bool discrete, Q *coef);
int proportional(const Q *a, const Q *b); // are they equal but for a factor? 0: no, 1: yes, -1: negated
// Finds the guard of an operator in a flow; NULL: it does not move. *flip: it is the negative of that guard.
Guard *flow_guard(Env *e, Flow *f, int node, bool add, bool *flip);
// Rates and what is held, at a point that is read AT. ends_done, ends_no_solution or ends_several.
Ending flow_find(Env *at, Flow *f);
// The kinds of operators on a guard.
enum { kind_sign, kind_gt, kind_ge, kind_lt, kind_le, kind_other };
int guard_kind(Op op, bool flip);

#endif
