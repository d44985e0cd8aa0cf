// Chattering and Zeno behaviour: the signs by which a run whose events do not advance is recognized, and its messages.
//
// chatters    both branches of a function lead back to it, and no value between them keeps the guard at zero
// unsettled   the events of one moment go on for ever
// piles up    the times between events shrink by a ratio below one, and their sum ends before the run does
#include "hybrid/chatter.h"

#include "hybrid/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  patience = 2000, // events within a billionth of the run: beyond this number no run advances
  most_named = 8   // in one message
};

static OdeAction chatter_alone(Hybrid *h, const SwitchMode *m, double t) {
  return hybrid_stop(h, t,
                     arena_printf(h->scratch,
                                  "`%s` chatters: each of its two branches leads back to the other, "
                                  "and no value between them holds it there",
                                  m->word),
                     m->span);
}

// The elements that were solved together last: "`sign` (line 3), `friction` (line 4)".
static const char *group_text(Hybrid *h) {
  Text out = text_in(h->scratch);
  for (uint32_t k = 0; k < h->state->group_count && k < most_named; k++) {
    const SwitchMode *p = &h->plan->modes[h->group[k]];
    const uint32_t line = source_line(h->plan->s->sources, p->span);
    text_printf(&out, "%s`%s`", k == 0 ? "" : k + 1 == h->state->group_count ? " and " : ", ", p->word);
    if (line) text_printf(&out, " (line %u)", line);
  }
  if (h->state->group_count > most_named) text_printf(&out, " and %u more", h->state->group_count - most_named);
  return text_str(&out);
}

OdeAction chatter_group(Hybrid *h, HoldVerdict verdict, double t) {
  const SwitchMode *p = &h->plan->modes[h->group[0]];
  if (verdict == hold_no_memory) return action_no_memory;
  if (verdict == hold_none && h->state->group_count == 1) return chatter_alone(h, p, t);
  if (verdict == hold_slippery) {
    return hybrid_stop(h, t,
                       arena_printf(h->scratch,
                                    "`%s`: the friction at rest is not zero, and that in motion is: "
                                    "give it a small value in motion",
                                    p->word),
                       p->span);
  }
  const char *why =
      verdict == hold_none
          ? "whichever of them hold and whichever slide, one of them is driven back: the motion chatters there"
      : verdict == hold_several
          ? "more than one motion is possible from here, and nothing in the model chooses between them"
          : "they act on each other in no symmetric way, so more than one motion may be possible, and their choices of "
            "sticking and sliding are too many to search; let fewer of them stick at once";
  return hybrid_stop(h, t, arena_printf(h->scratch, "%s stand at their limits at once: %s", group_text(h), why),
                     p->span);
}

// The `when`s that fire more than once in this moment: "`when x < 1` (line 3)". Returns how many.
static uint32_t firing(Hybrid *h, Text *out) {
  uint32_t named = 0;
  for (uint32_t i = 0; i < h->plan->when_count && named < most_named; i++) {
    if (h->whens[i].fired < 2) continue; // it led there, and has no part in it
    const uint32_t line = source_line(h->plan->s->sources, h->plan->s->whens.items[i].span);
    text_printf(out, "%s`%s`", named++ ? ", " : "", h->plan->when_words[i]);
    if (line) text_printf(out, " (line %u)", line);
  }
  return named;
}

// " `sign` (line 3)", with a comma before all but the first.
static void put_name(const Hybrid *h, Text *out, uint32_t before, const char *word, Span span) {
  const uint32_t line = source_line(h->plan->s->sources, span);
  text_printf(out, "%s `%s`", before ? "," : "", word);
  if (line) text_printf(out, " (line %u)", line);
}

// What the log has of this moment, the last first. Returns how many.
static uint32_t name_logged(const Hybrid *h, double t, Text *out) {
  const char *last = NULL;
  uint32_t named = 0;
  for (uint32_t i = h->log.count; i-- > 0 && h->log.items[i].t == t && named < most_named;) {
    EventItem of = h->log.items[i].of;
    const char *word = hybrid_word(h->plan, of);
    if (last == word) continue;
    last = word;
    put_name(h, out, named++, word, hybrid_span(h->plan, of));
  }
  return named;
}

OdeAction chatter_open(Hybrid *h, double t) {
  if (h->instant.loops.end != loop_solved) return loops_fail(h, t);
  h->state->group_count = 0;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (h->instant.open[i]) h->group[h->state->group_count++] = i;
  }
  return h->state->group_count ? chatter_group(h, h->instant.several ? hold_several : hold_none, t)
                               : chatter_unsettled(h, t);
}

OdeAction chatter_unsettled(Hybrid *h, double t) {
  Text out = text_in(h->scratch), whens = text_in(h->scratch);
  uint32_t fired = firing(h, &whens);
  if (fired) {
    text_printf(&out,
                "the events of this moment do not settle: %s %s again and again, because what %s "
                "leads back to %s: the motion chatters",
                text_str(&whens), fired == 1 ? "happens" : "happen by turns,", fired == 1 ? "it sets" : "they set",
                fired == 1 ? "its condition" : "their conditions");
    return hybrid_stop(h, t, text_str(&out), h->plan->s->whens.items[h->state->when_last].span);
  }
  text_put(&out, "the events of this moment do not settle:");
  Span place = {0};
  if (name_logged(h, t, &out)) place = hybrid_span(h->plan, h->state->last);
  return hybrid_stop(h, t, text_str(&out), place);
}

// ---- piling up

// One `when` that fires ever faster, until the time between its firings is lost in rounding: a ball whose bounces die
// out on a floor that is not at zero. What others do in between does not count.
static OdeAction watch_firing(Hybrid *h, double t, const uint32_t *ended, uint32_t count) {
  enum { sure = 8 }; // shorter each time, so often
  bool lost = false;
  for (uint32_t k = 0; k < count; k++) lost = lost || h->rearm[ended[k]] > 0;
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    if (!h->whens[i].fired) continue;
    double gap = t - h->whens[i].fired_at, ratio = h->whens[i].fired_gap > 0 ? gap / h->whens[i].fired_gap : 1;
    // or the last one did not lead back, and all the others to come would have been at once
    bool through = h->instant.level[i] && ratio < 1 && gap * ratio / (1 - ratio) < 1e-5 * (t - h->state->t0);
    if ((lost || through) && h->whens[i].faster >= sure) {
      return hybrid_stop(
          h, t,
          arena_printf(h->scratch, "the events of `%s` come ever faster and pile up there", h->plan->when_words[i]),
          h->plan->s->whens.items[i].span);
    }
    if (gap > 0) h->whens[i].faster = ratio < 0.9999 ? h->whens[i].faster + 1 : 0;
    if (gap > 0) h->whens[i].fired_gap = gap;
    h->whens[i].fired_at = t;
  }
  return action_go;
}

// Events that come ever faster, in a ratio that keeps them from ever getting past a moment.
static OdeAction watch_progress(Hybrid *h, double t) {
  double gap = t - h->state->last_t, ratio = h->state->last_gap > 0 ? gap / h->state->last_gap : 1;
  h->state->shrinking = gap > 0 && ratio < 0.9999 ? h->state->shrinking + 1 : gap > 0 ? 0 : h->state->shrinking;
  if (gap > 0) h->state->last_gap = gap;
  h->state->last_t = t;
  if (h->state->when_t == t) { // rather than a function in its condition
    h->state->last = (EventItem){event_of_when, h->state->when_last};
  }
  if (h->state->shrinking >= 20 && gap > 0 && gap < 1e-9 * fmax(t - h->state->t0, DBL_MIN) && ratio < 0.9999) {
    double limit = t + gap * ratio / (1 - ratio);
    return hybrid_stop(h, t,
                       arena_printf(h->scratch, "the events of `%s` come ever faster and pile up at t = %.10g",
                                    hybrid_word(h->plan, h->state->last), limit),
                       hybrid_span(h->plan, h->state->last));
  }
  if (h->state->crowd == 0 || t - h->state->crowd_from > 1e-9 * (h->state->t1 - h->state->t0)) {
    h->state->crowd_from = t;
    h->state->crowd = 0;
  }
  if (++h->state->crowd < patience) return action_go;
  return hybrid_stop(h, t,
                     arena_printf(h->scratch, "the events of `%s` do not get on: the motion chatters there",
                                  hybrid_word(h->plan, h->state->last)),
                     hybrid_span(h->plan, h->state->last));
}

OdeAction chatter_watch(Hybrid *h, double t, const uint32_t *ended, uint32_t count) {
  OdeAction action = watch_progress(h, t);
  return action == action_go ? watch_firing(h, t, ended, count) : action;
}
