// Which branch a model with memories and jumps is on at a point, and what holds it there.
// parts: branch_events.c
//
// A linear model is about one branch. What a block remembers keeps its value. A jump (friction, the sign of a velocity)
// is on one of its sides, or, where its argument is zero and stays so, it takes the value between them that holds it
// there.
//
//   value of a jump = its side + its load;    held:  load with d(g)/dt = 0, |load| <= limit
//
// Notation: g what vanishes where it jumps, y the variables of rest/operating.h: memories, sides and loads are its
// last.
#ifndef VIVA_REST_BRANCHES_H
#define VIVA_REST_BRANCHES_H

#include "system/system.h"
#include "tape/tape.h"

typedef struct Operating Operating;

// A tape over t and y, with its workspace.
typedef struct OperatingTape {
  const Tape *tape;
  double *w;
} OperatingTape;

typedef enum JumpKind {
  jump_friction, // -slip * side + load
  jump_sign,     // -1, 0, 1
  jump_step,     // 1 where g >= 0
  jump_above     // 1 where g > 0
} JumpKind;

typedef enum JumpState {
  jump_free, // on the side of g
  jump_idle, // at zero without a load: where a search for rest is not held
  jump_held, // at zero, by its load
  jump_off   // at zero, but the load would be too large: it begins to slide
} JumpState;

typedef struct Jump {
  JumpKind kind;
  JumpState state;
  const SystemFriction *friction; // NULL: a function
  ExprId node;                    // of a function: what is replaced
  ExprId g, rate;                 // what vanishes; its rate, with accelerations
  ExprId slip;                    // of friction
  ExprId limit;                   // of the load, of either sign
  const char *word;               // as written: friction, sign
  const char *label;              // of its statement: "the force on x"; NULL: not known
  Span span;
  double load, most;  // of a held one, with its limit
  double off;         // the side of one that begins to slide
  bool refused;       // its load was too large once,
  double asked;       // and was this
  bool stuck_at_zero; // at zero, where no load could hold it
  uint32_t row;       // of an elimination, plus one
} Jump;

typedef struct Branches {
  uint32_t memories;
  VEC(Jump) jumps;
  VEC(SymbolId) symbols;       // a side and a load for each
  ExprId *rules, *starts;      // of memories
  ExprId *checks, *conditions; // of blocks, of `when`s
  double *z;                   // memories, then side and load of each jump: the last places of y
  bool started;                // the memories have their starts
  OperatingTape rules_tape;    // rules, starts, checks
  OperatingTape watch;         // g, its rate, the limit of each jump
  double *full;                // the last Jacobian: rates, outputs, then g and its rate for each jump
  double *carried;             // by row of it: what the loads put in, for measuring what rounding leaves of it
} Branches;

// Looks for jumps and rewrites the system: memories that follow, friction, functions that jump. What a linear model
// does not take (samples, delays) goes to the diagnostics. False: out of memory.
bool branches_find(Operating *o, Diags *diags);
// Rewrites further expressions as the system is. False: out of memory.
bool branches_rewrite(Operating *o, ExprId *list, uint32_t count);
// The further places of y, and their symbols: memories, then a side and a load for each jump.
uint32_t branches_places(const Operating *o);
SymbolId branches_symbol(const Operating *o, uint32_t i);

// The memories as their rules have them at y; the first time from their starts there. *changed: one is another than
// before. rest: y is to be a rest, where pulses are over. *bad: a block that does not come to rest. False: memory is
// out.
bool branches_remember(Operating *o, const double *y, bool rest, bool *changed, const SystemMemory **bad);
// Which jumps are held at y. search: those that cannot be are idle, and stay so; else they slide off. False: memory is
// out.
bool branches_hold(Operating *o, const double *y, bool search);
// Sides and loads at y, the states of the jumps being what they are. False: out of memory.
bool branches_settle(Operating *o, const double *y);
// Takes the loads of held jumps out of the last Jacobian.
void branches_eliminate(Operating *o);
bool branches_any_held(const Operating *o);

// What is wrong at the point: a check of a block. NULL: nothing. False: out of memory.
bool branches_check(Operating *o, const double *y, const SystemCheck **wrong);
// A `when` that sets something and may happen at y: its condition is at its limit, or depends on the time. *when: NULL:
// none. *why: in words. False: out of memory.
bool branches_whens(Operating *o, const double *y, const SystemWhen **when, const char **why);

#endif
