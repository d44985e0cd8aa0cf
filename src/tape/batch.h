// Instruction scheduling of a tape for interpreters: equal operations beside each other, as far as what they read
// allows.
//
// An interpreter jumps from operation to operation, and the processor guesses where to: a wrong guess costs more than
// the arithmetic. Of equal operations in a row only the last one has to be guessed.
//
// Compiled text keeps the order in which values were made: there they wait in registers, of which there are few.
#ifndef VIVA_TAPE_BATCH_H
#define VIVA_TAPE_BATCH_H

#include "tape/tape.h"

enum {
  batch_least = 48,   // operations: fewer are not worth it
  batch_most = 100000 // more take their time in memory, and twice the memory
};
// The operations of a tape without calls of kernels, each once, with slots of their own between those that are given
// and the results, which stand where the tape has them; *slots is raised to how many there are. NULL: out of memory.
TapeOp *tape_batch(Arena *arena, const Tape *tape, uint32_t *slots);

#endif
