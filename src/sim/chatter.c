// Messages of a run whose events do not get on, and the signs by which that is known.
#include "sim/chatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { patience = 2000 };

const char *chatter_when(Hybrid *h, uint32_t i) {
  const ModelWhen *w = &h->m->whens.items[i];
  if (h->when_words[i]) return h->when_words[i];
  const Source *s = source_get(h->m->sources, w->span);
  uint32_t end = w->span.start;
  while (s && end < w->span.end && s->text[end] != '\n' &&
         !(s->text[end] == ' ' && strncmp(s->text + end, " do", 3) == 0))
    end++;
  h->when_words[i] = s ? arena_strndup(h->arena, s->text + w->span.start, end - w->span.start) : "when";
  return h->when_words[i];
}

OdeAction chatter_alone(Hybrid *h, const SwitchMode *m, double t) {
  char at[number_text_size];
  number_print(t, at);
  return hybrid_fail(h,
                     arena_printf(h->arena,
                                  "stopped at t = %s: `%s` chatters: each of its two branches leads back to the other, "
                                  "and no value between them holds it there",
                                  at, m->word),
                     m->span);
}

// The elements that were solved together last: "`sign` (line 3), `friction` (line 4)".
static const char *group_text(Hybrid *h) {
  Text out = text_in(h->arena);
  for (uint32_t k = 0; k < h->group_count && k < 8; k++) {
    const SwitchMode *m = &h->modes.items[h->group[k]];
    const Source *s = source_get(h->m->sources, m->span);
    text_printf(&out, "%s`%s`", k == 0 ? "" : k + 1 == h->group_count ? " and " : ", ", m->word);
    if (s) text_printf(&out, " (line %u)", source_place(s, m->span.start).line);
  }
  if (h->group_count > 8) text_printf(&out, " and %u more", h->group_count - 8);
  return text_str(&out);
}

OdeAction chatter_group(Hybrid *h, HoldVerdict verdict, double t) {
  const SwitchMode *m = &h->modes.items[h->group[0]];
  if (verdict == hold_no_memory) return action_no_memory;
  if (verdict == hold_none && h->group_count == 1) return chatter_alone(h, m, t);
  if (verdict == hold_slippery) {
    char now[number_text_size];
    number_print(t, now);
    return hybrid_fail(h,
                       arena_printf(h->arena,
                                    "stopped at t = %s: `%s`: the friction at rest is not zero, and that in motion is: "
                                    "give it a small value in motion",
                                    now, m->word),
                       m->span);
  }
  const char *why =
      verdict == hold_none
          ? "whichever of them hold and whichever slide, one of them is driven back: the motion chatters there"
      : verdict == hold_several
          ? "more than one motion is possible from here, and nothing in the model chooses between them"
          : "they act on each other in no symmetric way, and are too many to try every choice of holding and sliding";
  char at[number_text_size];
  number_print(t, at);
  return hybrid_fail(
      h, arena_printf(h->arena, "stopped at t = %s: %s stand at their limits at once: %s", at, group_text(h), why),
      m->span);
}

// The `when`s that fire more than once in this moment: "`when x < 1` (line 3)". Returns how many.
static uint32_t firing(Hybrid *h, Text *out) {
  uint32_t told = 0;
  for (uint32_t i = 0; i < h->m->whens.count && told < 8; i++) {
    if (h->fired[i] < 2) continue; // it led there, and has no part in it
    const Source *s = source_get(h->m->sources, h->m->whens.items[i].span);
    text_printf(out, "%s`%s`", told++ ? ", " : "", chatter_when(h, i));
    if (s) text_printf(out, " (line %u)", source_place(s, h->m->whens.items[i].span.start).line);
  }
  return told;
}

OdeAction hybrid_unsettled(Hybrid *h, double t, double *y) {
  char at[number_text_size];
  number_print(t, at);
  Text out = text_in(h->arena), whens = text_in(h->arena);
  uint32_t fired = firing(h, &whens);
  if (fired) {
    text_printf(&out,
                "stopped at t = %s: the events of this moment do not settle: %s %s again and again, because what %s "
                "leads back to %s: the motion chatters",
                at, text_str(&whens), fired == 1 ? "happens" : "happen by turns,", fired == 1 ? "it sets" : "they set",
                fired == 1 ? "its condition" : "their conditions");
    return hybrid_fail(h, text_str(&out), h->m->whens.items[h->when_last].span);
  }
  text_printf(&out, "stopped at t = %s: the events of this moment do not settle:", at);
  const char *last = NULL;
  uint32_t told = 0;
  for (uint32_t i = h->log.count; i-- > 0 && h->log.items[i].t == t && told < 8;) {
    const RunEvent *e = &h->log.items[i];
    const Source *s = source_get(h->m->sources, e->span);
    if (last == e->word) continue;
    last = e->word;
    text_printf(&out, "%s `%s`", told++ ? "," : "", e->word);
    if (s) text_printf(&out, " (line %u)", source_place(s, e->span.start).line);
  }
  // conditions inside blocks are not in the log: those that change in one more round
  Span place = told ? h->last_span : (Span){0};
  for (uint32_t i = 0; i < h->modes.count; i++) h->c[i] = h->z[h->mode_at + i];
  bool more = told == 0 && !h->old && hybrid_again(h, t, y);
  for (uint32_t i = 0; more && i < h->modes.count && told < 8; i++) {
    const SwitchMode *m = &h->modes.items[i];
    if (h->c[i] == h->z[h->mode_at + i] || (told && m->span.start == place.start)) continue;
    const Source *s = source_get(h->m->sources, m->span);
    if (!told) place = m->span;
    text_printf(&out, "%s `%s`", told++ ? "," : "", m->word);
    if (s) text_printf(&out, " (line %u)", source_place(s, m->span.start).line);
  }
  return hybrid_fail(h, text_str(&out), place);
}

// ---- piling up

// One `when` that came ever faster, until what lies between its firings is lost in rounding: a ball that comes to rest
// on a floor that is not at zero. What others do in between does not count.
static OdeAction watch_firing(Hybrid *h, double t, const uint32_t *ended, uint32_t count) {
  enum { sure = 8 }; // shorter each time, so often
  bool lost = false;
  for (uint32_t k = 0; k < count; k++) lost = lost || h->rearm[ended[k]] > 0;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    if (!h->fired[i]) continue;
    double gap = t - h->fired_at[i], ratio = h->fired_gap[i] > 0 ? gap / h->fired_gap[i] : 1;
    // or the last one did not lead back, and all the others to come would have been at once
    bool through = h->was[i] && ratio < 1 && gap * ratio / (1 - ratio) < 1e-5 * (t - h->t0);
    if ((lost || through) && h->faster[i] >= sure) {
      char at[number_text_size];
      number_print(t, at);
      return hybrid_fail(h,
                         arena_printf(h->arena,
                                      "stopped at t = %s: the events of `%s` come ever faster and pile up there", at,
                                      chatter_when(h, i)),
                         h->m->whens.items[i].span);
    }
    if (gap > 0) h->faster[i] = ratio < 0.9999 ? h->faster[i] + 1 : 0;
    if (gap > 0) h->fired_gap[i] = gap;
    h->fired_at[i] = t;
  }
  return action_go;
}

// Events that come ever faster, in a ratio that keeps them from ever getting past a moment.
static OdeAction watch_progress(Hybrid *h, double t) {
  double gap = t - h->last_t, ratio = h->last_gap > 0 ? gap / h->last_gap : 1;
  h->shrinking = gap > 0 && ratio < 0.9999 ? h->shrinking + 1 : gap > 0 ? 0 : h->shrinking;
  if (gap > 0) h->last_gap = gap;
  h->last_t = t;
  char at[number_text_size];
  if (h->when_t == t) { // rather than a function in its condition
    h->last_word = chatter_when(h, h->when_last);
    h->last_span = h->m->whens.items[h->when_last].span;
  }
  if (h->shrinking >= 20 && gap > 0 && gap < 1e-9 * fmax(t - h->t0, DBL_MIN) && ratio < 0.9999) {
    number_print(t, at);
    double limit = t + gap * ratio / (1 - ratio);
    return hybrid_fail(h,
                       arena_printf(h->arena,
                                    "stopped at t = %s: the events of `%s` come ever faster and pile up at t = %.10g",
                                    at, h->last_word, limit),
                       h->last_span);
  }
  if (h->crowd == 0 || t - h->crowd_from > 1e-9 * (h->t1 - h->t0)) {
    h->crowd_from = t;
    h->crowd = 0;
  }
  if (++h->crowd < patience) return action_go;
  number_print(t, at);
  return hybrid_fail(h,
                     arena_printf(h->arena,
                                  "stopped at t = %s: the events of `%s` do not get on: the motion chatters there", at,
                                  h->last_word),
                     h->last_span);
}

OdeAction chatter_watch(Hybrid *h, double t, const uint32_t *ended, uint32_t count) {
  OdeAction action = watch_progress(h, t);
  return action == action_go ? watch_firing(h, t, ended, count) : action;
}
