// Models of a small class as trees: what the generator makes, the oracle interprets, and the text shows.
//
// The class: states whose rates are constant between instants, states without an equation, blocks with memory, `when`,
// `every`, signals of time. All numbers are rational.
#ifndef VIVA_TESTS_HYBRID_MODEL_H
#define VIVA_TESTS_HYBRID_MODEL_H

#include "rational.h"

#include <stddef.h>

enum {
  most_nodes = 600,
  most_states = 10,
  most_memories = 8,
  most_signals = 6,
  most_whens = 10,
  most_everys = 5,
  most_outputs = 30,
  most_assigns = 4,
  most_name = 24
};

// Operators. Constants of an operator (period, gap, dead time, limits) stand in `k` of its node.
typedef enum Op {
  op_none,
  op_num,
  op_time,
  op_state,  // a[0]: index
  op_memory, // a[0]: index
  op_signal, // a[0]: index
  op_add,
  op_sub,
  op_neg,
  op_scale, // k[0]*a
  op_mul,
  op_min,
  op_max,
  op_abs,
  op_sign,
  op_step,
  op_ramp,
  op_floor,
  op_mod,   // by k[0]
  op_limit, // k[0] .. k[1]
  op_delay, // by k[0], before the start k[1]
  op_lt,
  op_le,
  op_gt,
  op_ge,
  op_eq,
  op_ne,
  op_and,
  op_or,
  op_not,
  op_if,
  op_latch,      // set, reset; starts with k[0]
  op_hysteresis, // x; k: xlo xhi ylo yhi
  op_pulse,      // x; k: T
  op_backlash    // x; k: gap
} Op;

typedef struct Node {
  Op op;
  int a[3]; // operands; 0: none
  Q k[4];
} Node;

typedef enum StateKind { state_moving, state_discrete, state_integral } StateKind;

typedef struct State {
  char name[most_name];
  StateKind kind;
  Q start;
  int rate;        // of moving states; of integrals what is integrated
  int reset, hold; // of integrals; 0: none
} State;

typedef struct Memory {
  char name[most_name];
  int node; // the block
} Memory;

typedef struct Signal {
  char name[most_name];
  int node;
  bool input;
} Signal;

typedef struct Assign {
  int state, node;
} Assign;

typedef struct When {
  int condition;
  Assign assign[most_assigns];
  int count;
  bool stop;
} When;

typedef struct Every {
  Q period;
  Assign assign[most_assigns];
  int count;
} Every;

typedef struct Output {
  char name[most_name];
  int node;
} Output;

typedef struct Model {
  Node nodes[most_nodes]; // from 1
  int node_count;
  State states[most_states];
  int state_count;
  Memory memories[most_memories];
  int memory_count;
  Signal signals[most_signals];
  int signal_count;
  When whens[most_whens];
  int when_count;
  Every everys[most_everys];
  int every_count;
  Output outputs[most_outputs];
  int output_count;
  bool blocks_last; // blocks stand behind the `when`s in the text
  Q to, row;        // end of the run, distance of rows
  bool full;        // something found no room
} Model;

int model_node(Model *m, Op op, int a, int b, int c);
int model_number(Model *m, Q value);
int model_copy(Model *m, int node);
bool op_is_condition(Op op);
bool op_is_block(Op op);

// The text of a model; line[i] is that of its when i.
typedef struct Text {
  char text[16000];
  size_t length;
  unsigned line[most_whens];
  unsigned lines;
} Text;

void model_print(const Model *m, Text *out);

// Reads a text of the class. false: it is none, and `error` says where.
bool model_read(const char *text, Model *m, char error[200]);

#endif
