// The verdict on one equation, or on one thing that two models have, with its proof in words or a counterexample.
#ifndef VIVA_ALGEBRA_CHECK_RESULT_H
#define VIVA_ALGEBRA_CHECK_RESULT_H

#include "expr/decide.h"
#include "system/system.h"

// What is wrong with the equation itself: then its verdict is none.
typedef enum CheckFault {
  check_sound,
  check_empty,        // both sides are the same for every solution
  check_zero_division // something in it divides by what is identically zero
} CheckFault;

typedef struct CheckResult {
  const char *text; // as written; of a diff, what was compared
  Span span;
  Verdict verdict;
  CheckFault fault;
  const char *means;         // what it is equal to, or was compared with, in words
  const char *condition;     // where that can fail, or what was put in; NULL: nothing
  const char *reason;        // of undecided
  Witness witness;           // of different
  ExprId difference;         // of different: left - right against what was compared with; 0: none is shown
  bool yours;                // it is what the user wrote minus difference_of
  const char *difference_of; // in words
} CheckResult;

typedef struct CheckReport {
  ExprPool *pool;
  VEC(CheckResult) results;
  Verdict verdict; // the worst one
} CheckReport;

#endif
