// Loop rerolling: stretches of a tape in which the same operations come again and again on other slots, as for the
// cells of a rod or the stages of a chain.
//
// in    operations
// out   parts: straight ones, and loops of a pattern, with their number of iterations
//
// A value of the pattern is read in its own iteration (local), in the next one (carried), or anywhere, from its slot.
#ifndef VIVA_TAPE_ROLLED_H
#define VIVA_TAPE_ROLLED_H

#include "tape/tape.h"

typedef enum RolledKind { rolled_slot, rolled_local, rolled_carried } RolledKind;

// One slot an iteration: first + stride*iteration, or as listed.
typedef struct RolledSlots {
  uint32_t first;
  int64_t stride;
  const uint32_t *each; // NULL: by stride
} RolledSlots;

typedef struct RolledOperand {
  RolledKind kind;
  uint32_t op, result; // local and carried: the operation of the pattern, and which of its values
  RolledSlots slots;   // of carried ones that of the first iteration counts
} RolledOperand;

typedef struct RolledLoop {
  uint32_t period, turns;
  RolledOperand *operands; // three for each operation of the pattern
  RolledSlots *results;    // two for each
} RolledLoop;

typedef struct RolledPart {
  uint32_t from, to;      // operations from .. to - 1
  const RolledLoop *loop; // NULL: straight
} RolledPart;

typedef struct Rolled {
  RolledPart *parts;
  uint32_t part_count;
  uint32_t length; // operations to be written: of loops one iteration
} Rolled;

const Rolled *tape_roll(Arena *arena, const Tape *tape, const TapeOp *ops, uint32_t count); // NULL: out of memory

#endif
