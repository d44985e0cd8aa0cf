// One path of a linear model, analysed: poles, zeros, gain, margins, figures of the closed loop.
// parts: large.c
#ifndef VIVA_ANALYZE_ANALYSIS_H
#define VIVA_ANALYZE_ANALYSIS_H

#include "analyze/assemble.h"
#include "analyze/delay_poles.h"
#include "analyze/margins.h"
#include "analyze/motion_response.h"
#include "analyze/nyquist.h"
#include "analyze/rest.h"
#include "analyze/routh.h"
#include "analyze/sparse_path.h"
#include "analyze/zeros.h"

typedef struct PoleList {
  uint32_t count;
  Complex *values; // of a sampled system in the plane of z
  double *bound;   // how far each may be off
  EigenSide *side; // of the axis, or (sampled) of the unit circle; zero only where it is decided
  Stability stability;
  bool exact;                // decided without rounding
  const DelayPoles *delayed; // infinitely many: what is known of them; NULL: these are all
} PoleList;

// A pole that a zero takes out of the path: a mode that nothing moves, or that is not seen.
typedef struct Cancelled {
  Complex pole, zero;
  EigenSide side;
} Cancelled;

// Of a large model: what is known without matrices of size n * n.
typedef struct SparseFigures {
  SparsePath path;
  const char *title;
  double still;    // G(0)
  double from, to; // frequencies that were looked at, rad/s
  uint32_t count;
  DominantPole *poles;
} SparseFigures;
enum { analysis_most_dense = 1500, dominant_most = 12 }; // states from which on a path is sparse; poles

typedef struct Analysis {
  Arena *arena;
  const SparseFigures *sparse; // of a large model: this alone is there; NULL: all the rest is
  const Linearization *freed;  // with delays, samples and the cut set free
  LinearSystem system;         // all inputs and outputs; sampled models: discrete
  LinearSystem path;           // the one that is analysed
  LinearSystem closed;         // T = path/(1 + path)
  LinearSystem minimal;        // of the path
  SampledPart samples;
  const char *from, *to;  // names of its ends
  uint32_t input, output; // in system
  bool loop;              // a loop that was cut: path = -(what comes back)/(what goes in)
  bool at_state;          // it is cut at a state, which `freed` is not
  Span place;             // of its entry in the text; none: a state
  bool posed;             // 1 + path(infinity) is not zero
  PoleList poles, closed_poles;
  Zeros zeros; // of a path without delays
  bool zeros_known;
  double still; // G(0), of a sampled one G(1); INFINITY: a pole
  VEC(Cancelled) cancelled;
  Margins margins;
  Peak sensitivity, complementary; // of 1/(1 + path) and path/(1 + path)
  double bandwidth;                // of the path; of a loop: of its closed one; NAN: none
  TimeResponse step;               // of the path; of a loop: of its closed one
  StepFigures figures;
  RestGain rest;   // of the path
  double error[3]; // that stays of a step, a ramp, a parabola in the closed loop; NAN: not known
  Nyquist nyquist;
  bool routh_known;
  Routh routh; // of the model as it stands
  VEC(const char *) notes;
} Analysis;

typedef struct AnalysisIn {
  const Linearization *freed;
  const char *from, *to; // as they are called
  SymbolId input;        // of `from`
  const char *state;     // the model is cut at this state; NULL: at an input of `freed`, or nowhere
  bool loop;             // `from` is cut, and what comes back is its expression; else the last thing that is watched
  bool (*interrupted)(void *self);
  void *self;
} AnalysisIn;

typedef enum AnalysisStatus {
  analysis_done,
  analysis_failed,  // trouble: the computation
  analysis_refused, // trouble: what was asked for
  analysis_interrupted,
  analysis_no_memory
} AnalysisStatus;

AnalysisStatus analysis_run(Arena *arena, const AnalysisIn *in, Analysis *out, AssembleTrouble *trouble);

// Poles of a system, with their verdict. modes: of the same matrix, decided exactly; NULL: none.
DenseStatus analysis_poles(Arena *arena, const SolveModule *module, const LinearSystem *s, const Modes *modes,
                           PoleList *out);

// A path of a large model at the point o->y: input `input` of o->inputs, the last output. If refused,
// *trouble says why.
AnalysisStatus analysis_sparse(Arena *arena, Operating *o, uint32_t input, Analysis *out, AssembleTrouble *trouble);

// Poles of a model with delays or samples as a whole, for linearize. refused: *trouble.
AnalysisStatus analysis_whole(Arena *arena, const Linearization *freed, LinearPoles *out, AssembleTrouble *trouble);

#endif
