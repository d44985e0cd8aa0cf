// Remarks on a linearization, beside its matrices.
//
// in    the point, with what is held there (memories, elements that stick), inputs, `when`s, the time
// out   sentences in Linearization.notes, each with the span in the text of what it speaks of
#include "linear/linearize_parts.h"
#include "rest/resting.h"

#include <math.h>
#include <string.h>

void linear_note(LinearWork *w, const char *text) {
  if (text) vec_push(w->o->arena, &w->out->notes, text);
}

static void say_inputs(LinearWork *w) {
  const System *m = &w->o->s;
  KindSet motion = kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state);
  for (uint32_t i = 0; i < m->inputs.count; i++) {
    const SystemInput *in = &m->inputs.items[i];
    bool cut = false; // where a loop is cut, it does not
    for (uint32_t k = 0; w->o->freed && k < w->o->freed->cut_count; k++) cut = cut || w->o->freed->cut[k] == in->symbol;
    if (cut || !expr_has_kinds(w->o->s.pool, in->value, motion)) continue;
    linear_note(w, arena_printf(w->o->arena,
                                "the input %s follows the motion: that is part of A, and B is for what is added to it",
                                in->name));
  }
}

// Equations that hold the time itself, not only through inputs, are looked at at one instant.
static void say_time(LinearWork *w) {
  Operating *o = w->o;
  bool found = false;
  for (uint32_t i = 0; i < o->s.blocks.count; i++) {
    const Block *b = &o->s.blocks.items[i];
    for (uint32_t k = 0; k < block_entries(b); k++)
      found = found || expr_has_kind(o->s.pool, b->matrix.value[k], sym_time);
    for (uint32_t k = 0; k < b->count; k++) found = found || expr_has_kind(o->s.pool, b->rhs[k], sym_time);
  }
  for (uint32_t i = 0; i < o->model_states; i++) found = found || expr_has_kind(o->s.pool, o->s.f[i], sym_time);
  if (found)
    linear_note(
        w, arena_printf(o->arena, "the equations hold the time itself: this is their linear model at t = %.6g", o->t));
}

static void say_memories(LinearWork *w) {
  const Operating *o = w->o;
  for (uint32_t i = 0; i < o->events.memories; i++) {
    const SystemMemory *m = &o->s.memories.items[i];
    // the first of a block is its output
    if (i && m[-1].span.source == m->span.source && m[-1].span.start == m->span.start && m[-1].block == m->block &&
        strchr(m->name, '.') && strncmp(m->name, m[-1].name, strcspn(m->name, ".")) == 0 && m->located)
      continue;
    const char *name = resting_named(w->o, m->block, m->span);
    if (m->follow) {
      double side = o->events.z[i + 1];
      if (side == 1 || side == -1)
        linear_note(
            w, arena_printf(
                   o->arena,
                   "%s is held in touch with its %s side: it follows its input, which it would not do the other way",
                   name, side > 0 ? "lower" : "upper"));
      else
        linear_note(w, arena_printf(o->arena, "%s is held inside its play: it rests at %.6g, whatever its input does",
                                    name, o->events.z[i + 2]));
    } else if (strcmp(m->block, "pulse") == 0) {
      if (!m->logic) continue;
      if (o->events.z[i] != 0)
        linear_note(w, arena_printf(o->arena, "%s is held at 1, as it is until t = %.6g", name, o->events.z[i + 1]));
      else linear_note(w, arena_printf(o->arena, "%s is held at 0", name));
    } else if (!m->located) {
      linear_note(w, arena_printf(o->arena, "%s is held at %.6g", name, o->events.z[i]));
    }
  }
}

static void say_elements(LinearWork *w) {
  Operating *o = w->o;
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    const PointElement *e = &o->events.elements.items[k];
    const char *name = events_word(o, e), *bound = "";
    for (uint32_t i = 0; i < w->bounds.count; i++) {
      if (w->bounds.items[i].element == k)
        bound = arena_printf(o->arena, ", so %s follows and is no state", o->names[w->bounds.items[i].at]);
    }
    if (events_state(o, e) == element_sticks)
      linear_note(w,
                  arena_printf(
                      o->arena,
                      "%s holds%s: it carries %.6g of at most %.6g, and deviations are those that do not make it slide",
                      name, bound, e->load, e->limit));
    if (events_state(o, e) == element_slides)
      linear_note(w, arena_printf(o->arena, "%s begins to slide here: it %s", name, resting_load(o, e)));
  }
}

static void say_events(LinearWork *w) {
  const Operating *o = w->o;
  const System *m = &o->s;
  for (uint32_t i = 0; i < o->model_states; i++) {
    uint32_t at = system_place(m, m->states.items[i].x);
    bool sampled = false;
    for (uint32_t k = 0; k < o->sampled; k++) sampled = sampled || o->input_at[o->free + k] == at;
    if (at != no_place && operating_kept(o, at) && !sampled)
      linear_note(w, arena_printf(o->arena,
                                  "%s changes at events only: it is held at %.6g, and no state of the linear model",
                                  o->names[at], o->y[at]));
  }
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *e = &m->whens.items[i];
    if (e->condition && e->assigns.count)
      linear_note(w, arena_printf(o->arena, "%s does not happen near this point, and is no part of the linear model",
                                  resting_named(w->o, "when", e->span)));
  }
}

// Which coordinates are independent, and what follows from which constraint.
static void say_constraints(LinearWork *w) {
  Operating *o = w->o;
  uint32_t first = operating_invariant_row(o, 0);
  Text t = text_in(o->arena);
  for (uint32_t i = 0; i < w->bounds.count; i++) {
    const BoundState *b = &w->bounds.items[i];
    const Invariant *x = b->element == no_element ? &o->s.invariants.items[b->row - first] : NULL;
    if (!x || x->kind == invariant_constant) continue;
    bool symbol = o->point[b->at] == expr_sym(o->s.pool, o->symbols[b->at]);
    DependentState d = {o->names[b->at], x->name, o->numbers ? o->y[b->at] : NAN, symbol ? 0 : o->point[b->at]};
    if (!vec_push(o->arena, &w->out->dependent, d)) return;
    text_printf(&t, "%s%s by %s", t.length ? ", " : "", d.name, d.by);
  }
  if (t.length) linear_note(w, arena_printf(o->arena, "no states, because constraints bind them: %s", text_str(&t)));
}

void linear_say_all(LinearWork *w) {
  say_constraints(w);
  say_inputs(w);
  say_time(w);
  say_memories(w);
  say_elements(w);
  say_events(w);
}
