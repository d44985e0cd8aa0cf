// A mode: the branch that a function with a corner or jump is on.
//
// Inside a step nothing switches. Each function with a corner or jump that depends on the state becomes smooth by a
// mode, a variable z of the tapes that changes only at events; abs(x) becomes if(m, x, -x). Its guard g says by its
// sign (or whole part) which branch holds.
#ifndef VIVA_HYBRID_MODES_H
#define VIVA_HYBRID_MODES_H

#include "system/system.h"

typedef enum ModeKind {
  mode_above, // 1 where g > 0 (closed: g >= 0), else 0
  mode_sign,  // the sign of g
  mode_floor  // the whole number below g
} ModeKind;

typedef struct SwitchMode {
  ModeKind kind;
  bool closed;
  bool silent;   // of a block whose own changes are reported
  bool timed;    // of time alone: its changes are known before the run
  bool solved;   // at a point, and without events: computed from unknowns of implicit equations
  bool equality; // of == and !=: is 0 for a moment when g passes zero
  bool image;    // of the function in delay(f(p), T): it is f AFTER the instant a dead time ago (S8)
  SymbolId symbol;
  ExprId g;     // the guard
  ExprId limit; // of mode_sign: how large the value may be that holds g = 0
  ExprId rate;  // dg/dt; 0: not known
  ExprId of;    // the `if` of the equations whose condition it is; 0: it is a number, or stands elsewhere
  const char *word;
  Span span;
  bool jumps;    // its function jumps, and does not only bend
  bool enters;   // the equations of motion read it
  bool between;  // and take values between its branches
  bool computed; // its guard is computed with the rates, as a multiplier is
  // The first mode whose guard has the same rate but for a factor, of the sign `side`: where both are zero they are one
  // element of stick and slip. next: the next mode of these, round.
  uint32_t element, next;
  int8_t side;
} SwitchMode;

// Does its function jump from one branch to the other, and not only bend?
static inline bool switch_jumps(const SwitchMode *m) { return m->jumps || m->equality || m->kind == mode_floor; }

#endif
