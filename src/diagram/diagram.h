// A model as a block diagram: blocks and the wires between them, taken from the text as it is written.
//
// Each `let`, state and input is a signal; adders, gains, multipliers and the blocks of the language become blocks.
// Energies are one block, the plant, with ports. A part and a family (y[i] for i in ...) are one block each.
#ifndef VIVA_DIAGRAM_DIAGRAM_H
#define VIVA_DIAGRAM_DIAGRAM_H

#include "base/text.h"
#include "lang/ast.h"

typedef enum BlockKind {
  block_input,
  block_output,
  block_constant,
  block_source, // a formula of time
  block_step,
  block_ramp,
  block_noise,
  block_sum, // pins with signs
  block_gain,
  block_product,  // pins with '*' and '/'
  block_function, // text inside
  block_integral,
  block_limit,
  block_rectify,
  block_deadzone,
  block_backlash,
  block_compare,
  block_hysteresis,
  block_sign,
  block_abs,
  block_delay,
  block_pulse,
  block_switch,
  block_and,
  block_nand,
  block_or,
  block_nor,
  block_latch,
  block_fraction, // text over below
  block_plant,    // several outputs
  block_kinds
} BlockKind;

typedef struct DiagramPin {
  uint32_t node, out; // where its wire comes from
  bool symbolic;      // while it is built: node is a symbol's number yet
  char sign;          // '+' '-' at an adder, '*' '/' at a multiplier; 0: none
  const char *gain;   // on the wire; NULL: none
  const char *label;  // inside the block; NULL: none
} DiagramPin;

typedef struct DiagramNode {
  BlockKind kind;
  const char *name;    // of its signal; NULL: none
  const char *text;    // inside
  const char *below;   // of a fraction
  const char *caption; // under the block: limits, times; NULL: none
  VEC(DiagramPin) pins;
  VEC(const char *) outs; // labels of the outputs of a plant; others have one
  bool shown;             // an output of the model
} DiagramNode;

typedef struct Diagram {
  const char *title; // NULL: none
  VEC(DiagramNode) nodes;
} Diagram;

enum { diagram_most = 2000 }; // more blocks than this nobody can look at

// False: out of memory. More than diagram_most blocks: the rest is left out, and nodes.count is diagram_most + 1.
bool diagram_build(Arena *arena, const Sources *sources, const Program *program, Diagram *diagram);

#endif
