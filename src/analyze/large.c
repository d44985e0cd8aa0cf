// One path of a large model.
//
// in    an operating point at which nothing moves; its Jacobian by columns
// out   the sparse path; G(0), dominant poles
//
// The point must be a rest as it is: no search is made over the states of a large model. Frequencies of interest end at
// the size of the largest eigenvalue, found by the power method.
#include "analyze/analysis.h"

#include <math.h>
#include <string.h>

typedef struct LargeWork {
  Arena *arena;
  Operating *o;
  uint32_t *place; // of y: its state plus one; 0: none
  SparsePath *p;
} LargeWork;

static AnalysisStatus refuse(AssembleTrouble *trouble, const char *message, const char *hint) {
  *trouble = (AssembleTrouble){.message = message, .hint = hint};
  return message ? analysis_refused : analysis_no_memory;
}

// What a sparse path does not take; NULL: nothing of it is there.
static const char *not_taken(const Operating *o) {
  if (o->events.modes) return "friction or jumps";
  if (o->s.invariants.count) return "constraints";
  if (o->s.delays.count || o->sampled) return "delays or samples";
  return o->freed && o->freed->cut_count ? "a loop that is cut" : NULL;
}

static AnalysisStatus check_rest(LargeWork *w, AssembleTrouble *trouble) {
  Operating *o = w->o;
  double *rates = arena_array(w->arena, (size_t)o->dim + 1, sizeof *rates), most = 0;
  uint32_t worst = 0;
  if (!rates || !operating_rates(o, o->y, rates, NULL)) return analysis_no_memory;
  for (uint32_t i = 0; i < o->states; i++) {
    double off = fabs(rates[o->component[i]]);
    if (!(off <= most)) most = off, worst = o->component[i];
  }
  if (most <= 1e-9) return analysis_done;
  return refuse(trouble,
                arena_printf(w->arena,
                             "the model has %u states, and the point is no equilibrium: %s changes by %.4g a second",
                             o->states, o->names[worst], most),
                "of so large models the point must be a rest as it is: start it there, or name it with `--at`");
}

// Entries of the columns of states, with a diagonal in each.
static bool fill_columns(LargeWork *w, double *c, uint32_t output) {
  const Operating *o = w->o;
  const TapeJacobian *j = o->j;
  uint32_t n = o->states, total = 0;
  for (uint32_t s = 0; s < n; s++) total += j->start[o->component[s] + 1] - j->start[o->component[s]] + 1;
  uint32_t *start = arena_array(w->arena, (size_t)n + 1, sizeof *start),
           *row = arena_array(w->arena, (size_t)total + 1, sizeof *row);
  double *value = arena_array(w->arena, (size_t)total + 1, sizeof *value);
  if (!start || !row || !value) return false;
  uint32_t count = 0;
  for (uint32_t s = 0; s < n; s++) {
    uint32_t at = o->component[s];
    bool diagonal = false;
    start[s] = count;
    for (uint32_t k = j->start[at]; k < j->start[at + 1]; k++) {
      if (j->row[k] == o->dim + output) c[s] = operating_entry(o, k);
      if (j->row[k] >= o->dim || !w->place[j->row[k]]) continue;
      row[count] = w->place[j->row[k]] - 1;
      diagonal = diagonal || row[count] == s;
      value[count++] = operating_entry(o, k);
    }
    if (!diagonal) row[count] = s, value[count++] = 0;
  }
  start[n] = count;
  w->p->n = n;
  w->p->start = start;
  w->p->row = row;
  w->p->value = value;
  w->p->c = c;
  return true;
}

static bool fill_path(LargeWork *w, uint32_t input) {
  Operating *o = w->o;
  uint32_t n = o->states, output = o->output_count - 1, at = o->input_at[input];
  double *b = arena_array(w->arena, (size_t)n + 1, sizeof *b), *c = arena_array(w->arena, (size_t)n + 1, sizeof *c);
  w->place = arena_array(w->arena, (size_t)o->dim + 1, sizeof *w->place);
  if (!b || !c || !w->place) return false;
  for (uint32_t i = 0; i < n; i++) w->place[o->component[i]] = i + 1;
  for (uint32_t k = o->j->start[at]; k < o->j->start[at + 1]; k++) {
    uint32_t r = o->j->row[k];
    if (r == o->dim + output) w->p->d = operating_entry(o, k);
    else if (r < o->dim && w->place[r]) b[w->place[r] - 1] = operating_entry(o, k);
  }
  w->p->b = b;
  return fill_columns(w, c, output);
}

// The size of the largest eigenvalue, about.
static double largest(LargeWork *w) {
  const SparsePath *p = w->p;
  double *x = arena_array(w->arena, 2 * (size_t)p->n + 2, sizeof *x), *y = x + p->n + 1, size = 1, all = 0;
  enum { rounds = 60, counted = rounds / 2 };
  for (uint32_t i = 0; x && i < p->n; i++) x[i] = sin(1.0 + i) + 0.3;
  for (int k = 0; x && k < rounds; k++) {
    memset(y, 0, p->n * sizeof *y);
    for (uint32_t c = 0; c < p->n; c++) {
      for (uint32_t e = p->start[c]; e < p->start[c + 1]; e++) y[p->row[e]] += p->value[e] * x[c];
    }
    size = dense_norm(p->n, y) / dense_norm(p->n, x);
    if (!(size > 0)) return 1;
    if (k >= rounds - counted) all += log(size); // of a complex pair the norms oscillate: their mean
    double norm = dense_norm(p->n, y);
    for (uint32_t i = 0; i < p->n; i++) x[i] = y[i] / norm;
  }
  return exp(all / counted);
}

AnalysisStatus analysis_sparse(Arena *arena, Operating *o, uint32_t input, Analysis *out, AssembleTrouble *trouble) {
  SparseFigures *f = arena_new_of(arena, SparseFigures);
  LargeWork work = {.arena = arena, .o = o}, *w = &work;
  const char *bad = not_taken(o);
  if (!f) return analysis_no_memory;
  w->p = &f->path;
  if (bad)
    return refuse(trouble,
                  arena_printf(arena, "the model has %u states and %s: from %d states on a path takes neither",
                               o->states, bad, analysis_most_dense),
                  NULL);
  AnalysisStatus status = check_rest(w, trouble);
  if (status != analysis_done) return status;
  if (!operating_columns(o, o->y) || !fill_path(w, input)) return analysis_no_memory;
  SparseResponse *r = sparse_response_open(arena, module_load(), w->p);
  if (!r)
    return arena_failed(arena) ? analysis_no_memory : refuse(trouble, "linear analysis needs libviva-solvers.so", NULL);
  Complex still;
  f->still = sparse_response_at(r, 0, &still) ? creal(still) : INFINITY;
  f->to = largest(w);
  f->from = 1e-4 * f->to;
  f->poles = arena_array(arena, dominant_most, sizeof *f->poles);
  f->title = o->s.title;
  if (f->poles) f->count = sparse_dominant(r, f->from, f->to, dominant_most, f->poles);
  sparse_response_close(r);
  out->sparse = f;
  return arena_failed(arena) ? analysis_no_memory : analysis_done;
}
