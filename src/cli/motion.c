// Watches a simulation: a line of progress on the terminal, and an end when the user interrupts.
#define _POSIX_C_SOURCE 200809L
#include "cli/motion.h"

#include "cli/message.h"
#include "cli/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double elapsed(const RunWatch *w) { return 1e-9 * (double)(clock_now() - w->start); }

// Is it time for a line? On a terminal, of what takes longer than a moment; never in a pipe.
static bool is_due(RunWatch *w) {
  double now = elapsed(w);
  if (!w->terminal || now < 0.5 || now - w->last < 0.1) return false;
  w->last = now;
  w->shown = true;
  return true;
}

static void show_progress(void *self, double t, double to) {
  RunWatch *w = self;
  if (!is_due(w)) return;
  double part = t / to, left = part > 0 ? w->last / part - w->last : 0;
  fprintf(stderr, "\r  t = %-10.4g of %g  %3.0f %%  about %.0f s left  ", t, to, 100 * part, left);
  fflush(stderr);
}

void show_best(void *watch, uint64_t simulations, double best) {
  RunWatch *w = watch;
  if (!is_due(w)) return;
  fprintf(stderr, "\r  %llu simulations, best %-12.6g", (unsigned long long)simulations, best);
  fflush(stderr);
}

void show_candidates(void *watch, uint64_t done, uint64_t count) {
  RunWatch *w = watch;
  if (!is_due(w)) return;
  fprintf(stderr, "\r  %llu of %llu candidates", (unsigned long long)done, (unsigned long long)count);
  fflush(stderr);
}

void show_samples(void *watch, uint64_t done, uint64_t count) {
  RunWatch *w = watch;
  if (!w->before) w->before = done;
  if (!is_due(w)) return;
  double pace = (double)(done + 1 - w->before) / w->last, left = (double)(count - done) / pace;
  fprintf(stderr, "\r  %llu of %llu  %3.0f %%  %.3g a second  about %.0f s left  ", (unsigned long long)done,
          (unsigned long long)count, 100 * (double)done / (double)count, pace, left);
  fflush(stderr);
}

void listen_for_interrupts(void) {
  listen_signals(true);
  // small matrices gain nothing from threads; for the program alone, and unless the user said otherwise
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
}

void watch_run(RunWatch *watch, viva_run_options *o) {
  listen_for_interrupts();
  *watch = (RunWatch){.terminal = isatty(STDERR_FILENO) != 0, .start = clock_now()};
  o->self = watch;
  o->interrupted = was_interrupted;
  o->progress = show_progress;
}

void watch_end(const RunWatch *watch) {
  listen_signals(false);
  if (watch->shown) fputs("\r\033[K", stderr);
}

viva_status run_watched(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                        viva_run **run) {
  RunWatch watch;
  viva_run_options o = *options;
  watch_run(&watch, &o);
  viva_status status = viva_run_model(model, &o, sink, run);
  watch_end(&watch);
  if (viva_run_message(*run)) show_message(viva_run_message(*run));
  if (status == VIVA_ENOMEM) complain("%s", viva_status_text(status));
  return status;
}
