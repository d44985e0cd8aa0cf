// Serialization of the complete state of a run. One walk both writes and reads.
//
// Numbers are hexadecimal, so reading gives the same double. Input that was not written by this code is rejected:
// counts must fit the file, numbers must be finite, the pieces of the history of a delay must follow each other.
#include "sim/state.h"
#include "hybrid/settle.h"

#include <stdlib.h>
#include <string.h>

static const char magic[] = "viva state 6";

typedef struct Walk {
  Run *r;
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
    *items = arena_array(w->r->arena, (size_t)n + 1, sizeof **items);
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
  History *p = &h->history;
  DelayMark m = w->write ? p->marks.items[i] : (DelayMark){0};
  double v[4] = {m.t, (double)m.segment, m.generation, m.source};
  numbers(w, "mark", v, 4);
  if (!w->ok || w->write) return;
  // marks follow each other, in time and along the record
  const DelayMark *before = i ? &p->marks.items[i - 1] : NULL;
  w->ok = isfinite(v[0]) &&
          is_whole(v[1], before ? (double)before->segment : 0, (double)h->state->dropped + p->start.count);
  w->ok = w->ok && !(before && v[0] < before->t);
  w->ok = w->ok && is_whole(v[2], 0, 1000) && is_whole(v[3], -1, (double)h->plan->delay_count - 1);
  if (w->ok) w->ok = vec_push(w->r->arena, &p->marks, (DelayMark){v[0], (uint64_t)v[1], (int)v[2], (int)v[3]});
}

// The record is what `delays.c` relies on without looking again: pieces one behind the other, and marks ahead of a
// delay that lie in what was kept of it.
static bool is_record(const Hybrid *h) {
  const History *p = &h->history;
  uint64_t width = (uint64_t)h->plan->delays.width * history_width;
  if (p->start.count != p->end.count || p->c.count % width != 0 || p->c.count / width != p->start.count) return false;
  for (uint32_t i = 0; i < p->start.count; i++) {
    if (!(p->end.items[i] > p->start.items[i])) return false;
    if (i && p->start.items[i] < p->start.items[i - 1]) return false;
  }
  return true;
}

static void walk_history(Walk *w, Hybrid *h) {
  History *p = &h->history;
  LIST(w, "starts", p->start);
  LIST(w, "ends", p->end);
  LIST(w, "past", p->c);
  whole(w, "dropped", &h->state->dropped);
  uint64_t marks = p->marks.count;
  whole(w, "marks", &marks);
  w->ok = w->ok && (w->write || (is_record(h) && marks <= strlen(w->at)));
  for (uint64_t i = 0; w->ok && i < marks; i++) walk_mark(w, h, i);
  for (uint32_t i = 0; w->ok && i < h->plan->delay_count; i++) {
    uint64_t next = h->delays[i].next;
    whole(w, "next", &next);
    w->ok = w->ok && next <= p->marks.count;
    // what lies ahead was kept
    if (w->ok && !w->write && next < p->marks.count) w->ok = p->marks.items[next].segment >= h->state->dropped;
    if (w->ok) h->delays[i].next = (uint32_t)next;
  }
  if (w->ok && !w->write) history_restore(h);
}

static void walk_events(Walk *w, Hybrid *h) {
  numbers(w, "z", h->z, h->plan->z_count);
  finite(w, h->z, h->plan->z_count);
  for (uint32_t i = 0; w->ok && i < h->plan->mode_count; i++) {
    ModeState *m = &h->modes[i];
    flag(w, "holds", &m->holds);
    flag(w, "fresh", &h->fresh[i]);
    double v[7] = {m->scale, m->rate_scale, m->slack, h->noise[i], m->drift, h->rearm[i], m->pinned};
    numbers(w, "mode", v, 7);
    if (w->write) continue;
    m->scale = v[0];
    m->rate_scale = v[1];
    m->slack = v[2];
    h->noise[i] = v[3];
    m->drift = v[4];
    h->rearm[i] = v[5];
    w->ok = w->ok && (v[6] == 0 || v[6] == 1 || v[6] == -1);
    if (!w->ok) return;
    m->pinned = (int8_t)v[6];
    h->instant.branch[i] = *hybrid_mode(h, i);
    if (m->holds) h->held[h->state->held_count++] = i;
  }
  numbers(w, "errors", h->instant.off, h->plan->stepwise ? 0 : h->instant.plan->variables);
  numbers(w, "sizes", h->room.off_size, h->plan->stepwise ? 0 : h->plan->body);
  for (uint32_t i = 0; w->ok && i < h->plan->when_count; i++) {
    flag(w, "was", h->plan->stepwise ? &h->whens[i].was_true : &h->instant.level[i]);
    whole(w, "ticks", &h->whens[i].ticks);
    numbers(w, "due", &h->whens[i].next_at, 1);
    numbers(w, "period", &h->whens[i].period, 1);
    if (h->plan->s->whens.items[i].period && !h->plan->s->whens.items[i].once) {
      finite(w, &h->whens[i].next_at, 1);
      w->ok = w->ok && (w->write || (h->whens[i].period > 0 && isfinite(h->whens[i].period)));
    }
  }
  if (!h->plan->delay_count) return;
  if (h->plan->stepwise) {
    whole(w, "evaluation", &h->state->evaluation);
    LIST(w, "queue", h->queue);
    w->ok = w->ok && h->state->evaluation <= h->queue.count / h->plan->delay_count; // not multiplied: that may wrap
    return;
  }
  if (!w->write) w->ok = w->ok && history_start(h);
  if (w->ok) walk_history(w, h);
}

// Singular configurations that were passed, and the sizes by which the next ones are found.
static void walk_singular(Walk *w) {
  SingularState *s = w->r->constraints.singular;
  uint64_t passed = s->passed;
  double sizes[3] = {s->most, s->place, s->speed};
  numbers(w, "nearness", sizes, 3);
  finite(w, sizes, 3);
  whole(w, "passed", &passed);
  w->ok = w->ok && passed < UINT32_MAX;
  for (uint64_t i = 0; w->ok && i < passed && i < singular_places; i++) {
    double v[2] = {s->places[i].t, s->places[i].rank};
    numbers(w, "place", v, 2);
    finite(w, v, 1);
    w->ok = w->ok && is_whole(v[1], 0, w->r->p->constraints->count);
    if (w->ok && !w->write) s->places[i] = (SingularPlace){v[0], (uint32_t)v[1]};
  }
  if (!w->ok || w->write) return;
  s->most = sizes[0];
  s->place = sizes[1];
  s->speed = sizes[2];
  s->passed = (uint32_t)passed;
}

static void walk_all(Walk *w, double *t, double *step, double *y) {
  Run *r = w->r;
  RunState *s = r->s;
  size_t n = r->p->y.total;
  numbers(w, "t", t, 1);
  numbers(w, "step", step, 1);
  finite(w, t, 1);
  numbers(w, "y", y, n);
  finite(w, y, n);
  numbers(w, "held", r->held, r->p->s.held.count);
  flag(w, "account", &s->opened);
  double v[4] = {s->initial, s->scale, s->worst, s->final_residue};
  numbers(w, "energy", v, 4);
  s->initial = v[0];
  s->scale = v[1];
  s->worst = v[2];
  s->final_residue = v[3];
  if (r->p->constraints) walk_singular(w);
  if (r->h) walk_events(w, r->h);
  put_word(w, "end\n");
}

// What the state is of: the names of everything that it holds.
static const char *names_of(Run *r) {
  const System *m = &r->p->s;
  const EventPlan *e = r->p->events;
  Text t = text_in(r->arena);
  for (uint32_t i = 0; i < m->coords.count; i++) text_printf(&t, " %s", m->coords.items[i].name);
  for (uint32_t i = 0; i < m->states.count; i++) text_printf(&t, " %s", m->states.items[i].name);
  for (uint32_t i = 0; i < m->memories.count; i++) text_printf(&t, " %s", m->memories.items[i].name);
  for (uint32_t i = 0; i < m->delays.count; i++) text_printf(&t, " %s", m->delays.items[i].name);
  text_printf(&t, " %u unknown, %u switching, %u when, %s", m->unknowns.count, e ? e->mode_count : 0, m->whens.count,
              e && e->stepwise ? "no events" : "events");
  return text_str(&t);
}

const char *state_write(Run *r, const OdeResult *o) {
  Text text = text_in(r->arena);
  double t = o->t, step = o->next_step;
  if (r->h) settle_keep_outputs(r->h, t, r->y);
  text_printf(&text, "%s\nmodel%s\n", magic, names_of(r));
  Walk w = {.r = r, .out = &text, .write = true, .ok = true};
  walk_all(&w, &t, &step, r->y);
  return arena_failed(r->arena) ? NULL : text_str(&text);
}

static bool is_cut(Diags *diags) {
  diag_error(diags, diag_bad_state, (Span){0}, "the saved state is cut off or damaged");
  return false;
}

// Is this the text of a state, of this version?
static bool check_magic(const char *text, Diags *diags) {
  size_t n = sizeof magic - 1, length = strlen(text);
  if (length > 0 && length <= n && strncmp(text, magic, length) == 0) return is_cut(diags);
  if (strncmp(text, magic, n) == 0 && text[n] == '\n') return true;
  bool other = strncmp(text, "viva state", 10) == 0;
  diag_error(diags, diag_bad_state, (Span){0},
             other ? "the saved state is of another version of this program" : "this is no saved state of a run");
  return false;
}

// Is it of this model? line: "model ...", up to end.
static bool check_names(Run *r, const char *line, const char *end, Diags *diags) {
  const char *names = names_of(r);
  if (strncmp(line, "model", 5) == 0 && strlen(names) == (size_t)(end - line - 5) &&
      strncmp(line + 5, names, strlen(names)) == 0)
    return true;
  bool stepwise = r->h && r->p->events->stepwise, saved = end - line > 10 && strncmp(end - 10, " no events", 10) == 0;
  if (r->h && stepwise != saved) {
    diag_error(diags, diag_bad_state, (Span){0}, "the saved state is of a run %s `--no-events`, and this one is %s it",
               saved ? "with" : "without", stepwise ? "with" : "without");
    return false;
  }
  diag_error(diags, diag_bad_state, (Span){0}, "the saved state is of another model");
  diag_hint(diags, "it holds%.*s; this one has%s", (int)(end - line - 5 > 300 ? 300 : end - line - 5), line + 5,
            strlen(names) > 300 ? " others" : names);
  return false;
}

bool state_read(Run *r, const char *text, Diags *diags) {
  if (!check_magic(text, diags)) return false;
  const char *line = text + sizeof magic, *end = strchr(line, '\n');
  if (!end) return is_cut(diags);
  if (!check_names(r, line, end, diags)) return false;
  OdeSettings *ode = &r->ode;
  Walk w = {.r = r, .at = end + 1, .ok = true};
  walk_all(&w, &r->s->t, &r->s->step, r->y);
  if (w.ok && !(r->s->t >= ode->t0 && isfinite(r->s->t))) w.ok = false;
  if (!w.ok && !arena_failed(r->arena)) {
    is_cut(diags);
  } else if (w.ok && !(r->s->t < ode->t1)) {
    diag_error(diags, diag_bad_setting, (Span){0}, "the saved state is at t = %.10g, and the run would end at %.10g",
               r->s->t, ode->t1);
    diag_hint(diags, "give a later end: `--to T`");
    w.ok = false;
  }
  r->s->begun = true;
  run_go_on(r);
  return w.ok;
}
