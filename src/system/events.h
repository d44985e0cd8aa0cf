// Discrete events and memory: memory blocks, delays, friction, `when` and `every`, conditions that must not hold.
#ifndef VIVA_SYSTEM_EVENTS_H
#define VIVA_SYSTEM_EVENTS_H

#include "system/quantity.h"

// What a block remembers. It changes at events only: then symbol = rule, where `before` stands for the old value.
typedef struct SystemMemory {
  SymbolId symbol, before;
  const char *name, *block;
  ExprId start; // the old value at the start; may depend on positions and velocities there
  ExprId rule;
  ExprId stage; // the rule of a run without events, taken at every evaluation; 0: the same
  // with events the symbol stands for this expression instead, and has no rule; 0: it has one
  ExprId follow;
  ExprId of[2]; // for showing: trigger and time of a pulse, input and gap of a backlash
  bool logic;   // 0 or 1
  bool by_step; // without events: changes at the first evaluation of a step only
  bool located; // for runs with events only
  Span span;
} SystemMemory;
typedef VEC(SystemMemory) SystemMemoryList;

// symbol(t) = input(t - time); before the start history(t - time).
typedef struct SystemDelay {
  SymbolId symbol;
  const char *name;
  ExprId input, time, history;
  Span span;
} SystemDelay;
typedef VEC(SystemDelay) SystemDelayList;

// A force against v: -slip or slip while sliding; at v = 0 the sticking force that keeps v at 0, up to stick.
typedef struct SystemFriction {
  SymbolId symbol;
  const char *name;
  ExprId v, slip, stick;
  Span span;
} SystemFriction;
typedef VEC(SystemFriction) SystemFrictionList;

// A condition that must not hold: at the start (of parameters alone), or during the run.
typedef struct SystemCheck {
  ExprId wrong;
  DiagCode code;
  const char *message;
  Span span;
} SystemCheck;
typedef VEC(SystemCheck) SystemCheckList;

typedef enum AssignKind { assign_place, assign_velocity, assign_state } AssignKind;

typedef struct SystemAssign {
  AssignKind kind;
  uint32_t index; // of the coordinate or state
  ExprId value;
  Span span;
} SystemAssign;

// when condition do ..., every period do ...
typedef struct SystemWhen {
  ExprId condition; // 0: every
  ExprId period;    // of `every`; of what comes `once`, the moment
  bool once;        // at one moment of time alone
  VEC(SystemAssign) assigns;
  bool stop;
  Span span;
} SystemWhen;
typedef VEC(SystemWhen) SystemWhenList;

#endif
