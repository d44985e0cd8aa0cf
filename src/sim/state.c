// The complete state of a run, as a text: it goes on later as if it had not stopped.
//
// One walk over all of it both writes and reads. Numbers are hexadecimal, so they come back to the same double.
#include "sim/history.h"
#include "sim/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "viva state 3";

typedef struct Walk {
  Runner *x;
  Text *out;      // writing
  const char *at; // reading
  bool write, ok;
} Walk;

static void put_word(Walk *w, const char *word) {
  size_t n = strlen(word);
  if (w->write) {
    text_put(w->out, word);
    return;
  }
  w->ok = w->ok && strncmp(w->at, word, n) == 0;
  if (w->ok) w->at += n;
}

static void number(Walk *w, double *v) {
  if (w->write) {
    char text[number_text_size];
    number_print_bits(*v, text);
    text_printf(w->out, " %s", text);
    return;
  }
  double x = 0;
  const char *end = w->ok && *w->at == ' ' ? number_read_bits(w->at + 1, &x) : NULL;
  w->ok = end != NULL;
  if (!w->ok) return;
  *v = x;
  w->at = end;
}

static void numbers(Walk *w, const char *key, double *v, size_t count) {
  double n = (double)count;
  put_word(w, key);
  number(w, &n);
  w->ok = w->ok && n == (double)count;
  for (size_t i = 0; w->ok && i < count; i++) number(w, &v[i]);
  put_word(w, "\n");
}

// A run never leaves the numbers, so neither does its state.
static void finite(Walk *w, const double *v, size_t count) {
  for (size_t i = 0; !w->write && w->ok && i < count; i++) w->ok = isfinite(v[i]);
}

// Whole numbers that a double holds exactly; a cast of anything else would be undefined.
static bool is_whole(double x, double least, double most) { return x >= least && x <= most && x == floor(x); }

static const double largest_whole = 9007199254740992; // 2^53

// A list whose length the file says. Each number takes two characters of it or more.
static void list(Walk *w, const char *key, double **items, uint32_t *count, uint32_t *cap) {
  double n = *count;
  put_word(w, key);
  number(w, &n);
  w->ok = w->ok && (w->write || is_whole(n, 0, fmin((double)strlen(w->at) / 2, UINT32_MAX - 1)));
  if (!w->ok) return;
  if (!w->write) {
    *items = arena_array(w->x->arena, (size_t)n + 1, sizeof **items);
    *count = *cap = (uint32_t)n;
    w->ok = *items != NULL;
  }
  for (size_t i = 0; w->ok && i < *count; i++) number(w, &(*items)[i]);
  finite(w, *items, *count);
  put_word(w, "\n");
}

#define LIST(w, key, v) list(w, key, &(v).items, &(v).count, &(v).cap)

static void whole(Walk *w, const char *key, uint64_t *v) {
  double x = (double)*v;
  numbers(w, key, &x, 1);
  w->ok = w->ok && (w->write || is_whole(x, 0, largest_whole));
  if (w->ok && !w->write) *v = (uint64_t)x;
}

static void flag(Walk *w, const char *key, bool *v) {
  double x = *v;
  numbers(w, key, &x, 1);
  w->ok = w->ok && (w->write || x == 0 || x == 1);
  if (w->ok && !w->write) *v = x != 0;
}

static void walk_mark(Walk *w, Hybrid *h, uint64_t i) {
  History *p = h->history;
  Mark m = w->write ? p->marks.items[i] : (Mark){0};
  double v[4] = {m.t, (double)m.segment, m.generation, m.source};
  numbers(w, "mark", v, 4);
  if (!w->ok || w->write) return;
  // marks follow each other, in time and along the record
  const Mark *before = i ? &p->marks.items[i - 1] : NULL;
  w->ok = isfinite(v[0]) && is_whole(v[1], before ? (double)before->segment : 0, (double)p->dropped + p->start.count);
  w->ok = w->ok && !(before && v[0] < before->t);
  w->ok = w->ok && is_whole(v[2], 0, 1000) && is_whole(v[3], -1, (double)h->delay_count - 1);
  if (w->ok) w->ok = vec_push(w->x->arena, &p->marks, (Mark){v[0], (uint64_t)v[1], (int)v[2], (int)v[3]});
}

// The record is what `delays.c` relies on without looking again: pieces one behind the other, and marks ahead of a
// delay that lie in what was kept of it.
static bool is_record(const Hybrid *h) {
  const History *p = h->history;
  uint64_t width = (uint64_t)p->width * (history_degree + 1);
  if (p->start.count != p->end.count || p->c.count % width != 0 || p->c.count / width != p->start.count) return false;
  for (uint32_t i = 0; i < p->start.count; i++) {
    if (!(p->end.items[i] > p->start.items[i])) return false;
    if (i && p->start.items[i] < p->start.items[i - 1]) return false;
  }
  return true;
}

static void walk_history(Walk *w, Hybrid *h) {
  History *p = h->history;
  LIST(w, "starts", p->start);
  LIST(w, "ends", p->end);
  LIST(w, "past", p->c);
  whole(w, "dropped", &p->dropped);
  uint64_t marks = p->marks.count;
  whole(w, "marks", &marks);
  w->ok = w->ok && (w->write || (is_record(h) && marks <= strlen(w->at)));
  for (uint64_t i = 0; w->ok && i < marks; i++) walk_mark(w, h, i);
  for (uint32_t i = 0; w->ok && i < h->delay_count; i++) {
    uint64_t next = p->next[i];
    whole(w, "next", &next);
    w->ok = w->ok && next <= p->marks.count;
    // what lies ahead was kept
    if (w->ok && !w->write && next < p->marks.count) w->ok = p->marks.items[next].segment >= p->dropped;
    if (w->ok) p->next[i] = (uint32_t)next;
  }
  if (w->ok && !w->write) history_restore(h);
}

static void walk_events(Walk *w, Hybrid *h) {
  numbers(w, "z", h->z, h->z_count);
  finite(w, h->z, h->z_count);
  for (uint32_t i = 0; w->ok && i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    flag(w, "holds", &m->holds);
    flag(w, "ended", &m->ended);
    flag(w, "fresh", &h->fresh[i]);
    double v[8] = {m->near, m->scale, m->rate_scale, m->soft, h->noise[i], m->drift, h->rearm[i], m->pinned};
    numbers(w, "mode", v, 8);
    if (w->write) continue;
    m->near = v[0];
    m->scale = v[1];
    m->rate_scale = v[2];
    m->soft = v[3];
    h->noise[i] = v[4];
    m->drift = v[5];
    h->rearm[i] = v[6];
    w->ok = w->ok && (v[7] == 0 || v[7] == 1 || v[7] == -1);
    if (!w->ok) return;
    m->pinned = (int8_t)v[7];
    if (m->holds) h->held[h->held_count++] = i;
  }
  for (uint32_t i = 0; w->ok && i < h->m->whens.count; i++) {
    flag(w, "was", &h->was[i]);
    whole(w, "ticks", &h->ticks[i]);
    numbers(w, "due", &h->next_at[i], 1);
    numbers(w, "period", &h->periods[i], 1);
    if (h->m->whens.items[i].period) {
      finite(w, &h->next_at[i], 1);
      w->ok = w->ok && (w->write || (h->periods[i] > 0 && isfinite(h->periods[i])));
    }
  }
  if (!h->delay_count) return;
  if (h->old) {
    whole(w, "evaluation", &h->evaluation);
    LIST(w, "queue", h->buffer);
    w->ok = w->ok && h->evaluation <= h->buffer.count / h->delay_count; // not multiplied: that may wrap
    return;
  }
  if (!w->write) w->ok = w->ok && (h->history = history_new(h)) != NULL;
  if (w->ok) walk_history(w, h);
}

static void walk_all(Walk *w, double *t, double *step, double *y) {
  Runner *x = w->x;
  numbers(w, "t", t, 1);
  numbers(w, "step", step, 1);
  finite(w, t, 1);
  numbers(w, "y", y, (size_t)x->dim + 2);
  finite(w, y, (size_t)x->dim + 2);
  numbers(w, "held", x->held, x->s.held.count);
  flag(w, "account", &x->first);
  double v[4] = {x->initial, x->scale, x->worst, x->r->final_residue};
  numbers(w, "energy", v, 4);
  x->initial = v[0];
  x->scale = v[1];
  x->worst = v[2];
  x->resumed_residue = v[3];
  if (x->h) walk_events(w, x->h);
  put_word(w, "end\n");
}

// What the state is of: the names of everything that it holds.
static const char *names_of(Runner *x) {
  const System *m = x->m;
  Text t = text_in(x->arena);
  for (uint32_t i = 0; i < x->n; i++) text_printf(&t, " %s", m->coords.items[i].name);
  for (uint32_t i = 0; i < x->states; i++) text_printf(&t, " %s", m->states.items[i].name);
  for (uint32_t i = 0; i < m->memories.count; i++) text_printf(&t, " %s", m->memories.items[i].name);
  for (uint32_t i = 0; i < m->delays.count; i++) text_printf(&t, " %s", m->delays.items[i].name);
  text_printf(&t, " %u unknown, %u switching, %u when, %s", m->unknowns.count, x->h ? x->h->modes.count : 0,
              m->whens.count, x->h && x->h->old ? "no events" : "events");
  return text_str(&t);
}

const char *run_write_state(Runner *x, const OdeResult *o, const double *y) {
  Text text = text_in(x->arena);
  double t = o->t, step = o->next_step, *copy = arena_array(x->arena, (size_t)x->dim + 2, sizeof *copy);
  if (!copy) return NULL;
  memcpy(copy, y, ((size_t)x->dim + 2) * sizeof *copy);
  if (x->h) hybrid_left(x->h, t, copy);
  text_printf(&text, "%s\nmodel%s\n", magic, names_of(x));
  Walk w = {.x = x, .out = &text, .write = true, .ok = true};
  walk_all(&w, &t, &step, copy);
  return arena_failed(x->arena) ? NULL : text_str(&text);
}

static bool is_cut(Diags *diags) {
  diag_error(diags, diag_bad_state, (Span){0}, "the saved state is cut off or damaged");
  return false;
}

bool run_read_state(Runner *x, const char *text, OdeSettings *ode, double *y, Diags *diags) {
  size_t n = sizeof magic - 1, length = strlen(text);
  if (length > 0 && length <= n && strncmp(text, magic, length) == 0) return is_cut(diags);
  if (strncmp(text, magic, n) != 0 || text[n] != '\n') {
    bool other = strncmp(text, "viva state", 10) == 0;
    diag_error(diags, diag_bad_state, (Span){0},
               other ? "the saved state is of another version of this program" : "this is no saved state of a run");
    return false;
  }
  const char *names = names_of(x), *line = text + n + 1, *end = strchr(line, '\n');
  if (!end) return is_cut(diags);
  if (strncmp(line, "model", 5) != 0 || strlen(names) != (size_t)(end - line - 5) ||
      strncmp(line + 5, names, strlen(names)) != 0) {
    bool old = x->h && x->h->old, was_old = end - line > 10 && strncmp(end - 10, " no events", 10) == 0;
    if (x->h && old != was_old) {
      diag_error(diags, diag_bad_state, (Span){0},
                 "the saved state is of a run %s `--no-events`, and this one is %s it", was_old ? "with" : "without",
                 old ? "with" : "without");
      return false;
    }
    diag_error(diags, diag_bad_state, (Span){0}, "the saved state is of another model");
    diag_hint(diags, "it holds%.*s; this one has%s", (int)(end - line - 5 > 300 ? 300 : end - line - 5), line + 5,
              strlen(names) > 300 ? " others" : names);
    return false;
  }
  Walk w = {.x = x, .at = end + 1, .ok = true};
  walk_all(&w, &ode->start, &ode->first, y);
  if (w.ok && !(ode->start >= ode->t0 && isfinite(ode->start))) w.ok = false;
  if (!w.ok && !arena_failed(x->arena)) is_cut(diags);
  else if (w.ok && !(ode->start < ode->t1)) {
    diag_error(diags, diag_bad_setting, (Span){0}, "the saved state is at t = %.10g, and the run would end at %.10g",
               ode->start, ode->t1);
    diag_hint(diags, "give a later end: `--to T`");
    w.ok = false;
  }
  if (!(ode->first > 0) || !isfinite(ode->first)) ode->first = 0;
  x->resumed = true;
  return w.ok;
}
