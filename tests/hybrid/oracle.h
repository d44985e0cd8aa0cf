// The page docs/semantics.md, word by word, in rational numbers.
//
// in    a model of the class of model.h
// out   rows, events of `when`s, and how it ends
// how   Every number is a vector of rationals over 1 >> e1 >> e2 >> ..., compared lexicographically: its value and what
//       infinitely small steps have added to it. So "the point behind the instant" is a point, AFTER is AT one more
//       step ahead along the flow, and the time of the next instant is a vector, too. All is linear in time, so first
//       order suffices. Stick and slip by trying all choices.
//
// What the page leaves open is decided in oracle.c where it says "open:".
#ifndef VIVA_TESTS_HYBRID_ORACLE_H
#define VIVA_TESTS_HYBRID_ORACLE_H

#include "model.h"

enum { oracle_rows = 200, oracle_events = 2000, oracle_instants = 50, oracle_overwrites = 40 };

typedef enum Ending {
  ends_done,
  ends_stop,
  ends_chattering,
  ends_no_solution,
  ends_several,
  ends_block, // latch with s = r = 1, pulse whose trigger is still 1
  // no answer: the model is skipped
  skip_close,     // two instants, an instant and a row, or a guard and zero nearly equal
  skip_many,      // too many instants
  skip_numbers,   // numbers that do not fit
  skip_undecided, // the page does not say
  ending_count
} Ending;

// What happened, for the counts of the test.
typedef enum Happened {
  h_event,
  h_sample,
  h_samples_together,
  h_memory_changed,
  h_behind,         // passes behind the instant
  h_stuck,          // a guard was held at zero
  h_several_guards, // two guards or more were zero in one instant
  h_delay_image,
  h_pulse_end,
  h_touch,     // a guard came to zero and went back
  h_same_time, // a second instant at the same time
  h_backlash_moved,
  h_start_at_limit,
  h_later_wins, // two statements of one pass set one name
  happened_count
} Happened;

extern const char *const happened_words[happened_count];
extern const char *const ending_words[ending_count];

// One rule is changed: the tests must see it.
typedef enum Twin {
  twin_none,
  twin_no_behind,    // no step behind the instant
  twin_at_only,      // (d) reads AT
  twin_after_only,   // (b) reads AFTER
  twin_one_read,     // all `every` of an instant see the old values
  twin_memory_order, // memories in reversed order
  twin_samples_last, // samples after memories
  twin_start_levels, // what is true at the start becomes true
  twin_no_stick,     // nothing is held
  twin_delay_old,    // images of jumps show the old value
  twin_count
} Twin;

extern const char *const twin_words[twin_count];

typedef struct OracleEvent {
  double t;
  int when;
} OracleEvent;

// Two statements that set one name in one pass.
typedef struct OracleOverwrite {
  double t; // the first time
  int earlier, later, state, count;
} OracleOverwrite;

typedef struct Answer {
  Ending ending;
  const char *why; // of skips
  double t;        // of the ending
  int row_count;
  double row_t[oracle_rows];
  double rows[oracle_rows][most_outputs];
  bool loose[oracle_rows][most_outputs]; // a guard in it is zero
  int event_count;
  OracleEvent events[oracle_events];
  int overwrite_count;
  OracleOverwrite overwrites[oracle_overwrites]; // in the order of their first times
  int instants;
  double instant_t[oracle_instants];
  int happened[happened_count];
} Answer;

void oracle_run(const Model *m, Twin twin, Answer *out);

#endif
