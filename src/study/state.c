// The complete state of a run, as a text: it goes on later as if it had not stopped.
//
// One walk over all of it both writes and reads. Numbers are hexadecimal, so they come back to the same double.
#include "study/history.h"
#include "study/runner.h"

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
    text_printf(w->out, " %a", *v);
    return;
  }
  char *end;
  double x = w->ok ? strtod(w->at, &end) : 0;
  w->ok = w->ok && end != w->at;
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

// A list whose length the file says.
static void list(Walk *w, const char *key, double **items, uint32_t *count, uint32_t *cap) {
  double n = *count;
  put_word(w, key);
  number(w, &n);
  w->ok = w->ok && n >= 0 && n < 4e9 && (w->write || n <= (double)strlen(w->at));
  if (!w->ok) return;
  if (!w->write) {
    *items = arena_array(w->x->arena, (size_t)n + 1, sizeof **items);
    *count = *cap = (uint32_t)n;
    w->ok = *items != NULL;
  }
  for (size_t i = 0; w->ok && i < *count; i++) number(w, &(*items)[i]);
  put_word(w, "\n");
}

#define LIST(w, key, v) list(w, key, &(v).items, &(v).count, &(v).cap)

static void whole(Walk *w, const char *key, uint64_t *v) {
  double x = (double)*v;
  numbers(w, key, &x, 1);
  if (w->ok && !w->write) *v = (uint64_t)x;
}

static void flag(Walk *w, const char *key, bool *v) {
  double x = *v;
  numbers(w, key, &x, 1);
  if (w->ok && !w->write) *v = x != 0;
}

static void walk_history(Walk *w, Hybrid *h) {
  History *p = h->history;
  LIST(w, "starts", p->start);
  LIST(w, "ends", p->end);
  LIST(w, "past", p->c);
  whole(w, "dropped", &p->dropped);
  uint64_t marks = p->marks.count;
  whole(w, "marks", &marks);
  w->ok = w->ok && p->start.count == p->end.count && (uint64_t)p->c.count == (uint64_t)p->start.count * p->width * (history_degree + 1);
  w->ok = w->ok && (w->write || marks <= strlen(w->at));
  for (uint64_t i = 0; w->ok && i < marks; i++) {
    Mark m = w->write ? p->marks.items[i] : (Mark){0};
    double v[4] = {m.t, (double)m.segment, m.generation, m.source};
    numbers(w, "mark", v, 4);
    if (!w->write && w->ok) w->ok = v[1] >= 0 && v[3] >= -1 && v[3] < h->delay_count && vec_push(w->x->arena, &p->marks, (Mark){v[0], (uint64_t)v[1], (int)v[2], (int)v[3]});
    w->ok = w->ok && p->marks.items[i].segment <= p->dropped + p->start.count;
  }
  for (uint32_t i = 0; w->ok && i < h->delay_count; i++) {
    uint64_t next = p->next[i];
    whole(w, "next", &next);
    w->ok = w->ok && next <= p->marks.count;
    if (w->ok) p->next[i] = (uint32_t)next;
  }
  if (w->ok && !w->write) history_restore(h);
}

static void walk_events(Walk *w, Hybrid *h) {
  numbers(w, "z", h->z, h->z_count);
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
    m->pinned = (int8_t)(v[7] > 0 ? 1 : v[7] < 0 ? -1 : 0);
    if (m->holds) h->held[h->held_count++] = i;
  }
  for (uint32_t i = 0; w->ok && i < h->m->whens.count; i++) {
    flag(w, "was", &h->was[i]);
    whole(w, "ticks", &h->ticks[i]);
    numbers(w, "due", &h->next_at[i], 1);
    numbers(w, "period", &h->periods[i], 1);
  }
  if (!h->delay_count) return;
  if (h->old) {
    whole(w, "evaluation", &h->evaluation);
    LIST(w, "queue", h->buffer);
    w->ok = w->ok && h->buffer.count >= h->evaluation * h->delay_count;
    return;
  }
  if (!w->write) w->ok = w->ok && (h->history = history_new(h)) != NULL;
  if (w->ok) walk_history(w, h);
}

static void walk_all(Walk *w, double *t, double *step, double *y) {
  Runner *x = w->x;
  numbers(w, "t", t, 1);
  numbers(w, "step", step, 1);
  numbers(w, "y", y, (size_t)x->dim + 2);
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
  const Model *m = x->m;
  Text t = text_in(x->arena);
  for (uint32_t i = 0; i < x->n; i++) text_printf(&t, " %s", m->coords.items[i].name);
  for (uint32_t i = 0; i < x->states; i++) text_printf(&t, " %s", m->states.items[i].name);
  for (uint32_t i = 0; i < m->memories.count; i++) text_printf(&t, " %s", m->memories.items[i].name);
  for (uint32_t i = 0; i < m->delays.count; i++) text_printf(&t, " %s", m->delays.items[i].name);
  text_printf(&t, " %u unknown, %u switching, %u when, %s", m->unknowns.count, x->h ? x->h->modes.count : 0, m->whens.count, x->h && x->h->old ? "no events" : "events");
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
    diag_error(diags, diag_bad_state, (Span){0}, other ? "the saved state is of another version of this program" : "this is no saved state of a run");
    return false;
  }
  const char *names = names_of(x), *line = text + n + 1, *end = strchr(line, '\n');
  if (!end) return is_cut(diags);
  if (strncmp(line, "model", 5) != 0 || strlen(names) != (size_t)(end - line - 5) || strncmp(line + 5, names, strlen(names)) != 0) {
    bool old = x->h && x->h->old, was_old = end - line > 10 && strncmp(end - 10, " no events", 10) == 0;
    if (x->h && old != was_old) {
      diag_error(diags, diag_bad_state, (Span){0}, "the saved state is of a run %s `--no-events`, and this one is %s it", was_old ? "with" : "without", old ? "with" : "without");
      return false;
    }
    diag_error(diags, diag_bad_state, (Span){0}, "the saved state is of another model");
    diag_hint(diags, "it holds%.*s; this one has%s", (int)(end - line - 5 > 300 ? 300 : end - line - 5), line + 5, strlen(names) > 300 ? " others" : names);
    return false;
  }
  Walk w = {.x = x, .at = end + 1, .ok = true};
  walk_all(&w, &ode->start, &ode->first, y);
  if (w.ok && !(ode->start >= ode->t0 && isfinite(ode->start))) w.ok = false;
  if (!w.ok && !arena_failed(x->arena)) is_cut(diags);
  else if (w.ok && !(ode->start < ode->t1)) {
    diag_error(diags, diag_bad_setting, (Span){0}, "the saved state is at t = %.10g, and the run would end at %.10g", ode->start, ode->t1);
    diag_hint(diags, "give a later end: `--to T`");
    w.ok = false;
  }
  if (!(ode->first > 0) || !isfinite(ode->first)) ode->first = 0;
  x->resumed = true;
  return w.ok;
}
