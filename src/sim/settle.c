// How an event is settled.
//
// The order: `every` in the order of the text; then, until nothing changes any more: modes by their guards, checks,
// memories by their rules (each sees the new values of those it depends on), the first `when` of the text whose
// condition became true, modes whose guard is zero: those that hold the motion together (holding.c), the others by the
// direction in which the motion leaves it.
//
// What is true at the limit is said in one place, set_modes: a guard that is not zero says it itself. One that came to
// zero along the motion keeps its branch until the motion leaves it. One that was put on zero, by an assignment to what
// it reads, by a jump, by a branch inside of it on which it stays there, or at the start, has the value of its operator
// there and no past.
#include "sim/settle.h"

#include "sim/chatter.h"
#include "sim/locating.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double resting = 1e-12; // of the largest values that were seen: what moves no faster may be at rest

// ---- evaluations

double settle_mode_value(const SwitchMode *m, double g) {
  switch (m->kind) {
  case mode_above: return m->closed ? g >= 0 : g > 0;
  case mode_sign: return g > 0 ? 1 : g < 0 ? -1 : 0;
  case mode_floor: return floor(g);
  }
  return 0;
}

static void note_mode(Hybrid *h, uint32_t i, double t) {
  hybrid_note(h, t, (EventItem){event_of_mode, i}, *hybrid_mode(h, i));
}

static void set_mode(Hybrid *h, uint32_t i, double value, double t) {
  double before = *hybrid_mode(h, i);
  *hybrid_mode(h, i) = value;
  if (before != value && !h->plan->modes[i].silent) note_mode(h, i, t);
}

void settle_rules(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  hybrid_eval(h, event_rules, t, y);
}

// How far from zero a guard may be that this event found at zero. Further off, it jumped over it and is where it is.
static double distance_to_zero(const ModeState *m, double g) {
  double distance = 4 * fabs(g);
  return distance <= 1e-6 * m->scale ? distance : 0;
}

// How far from zero the guard of a held mode may be: rounding, and the errors of the method while it is held.
static double distance_at_rest(const Hybrid *h, uint32_t i) {
  const ModeState *m = &h->modes[i];
  return 4 * m->drift + 1e-12 * m->scale + h->noise[i];
}

// ---- what ended

// A held mode at the limit of what it can hold is let go, towards that limit.
static void release_ended(Hybrid *h, uint32_t i, double t) {
  ModeState *m = &h->modes[i];
  bool sign = h->plan->modes[i].kind == mode_sign;
  double *v = hybrid_mode(h, i), limit = sign ? holding_limit(h, i) : 1,
         over = fmin(fabs(*v / limit - 1), fabs(*v / limit + sign));
  m->released = !m->pinned;
  m->arrived = m->pinned;
  m->zero = fmax(m->zero, distance_at_rest(h, i));
  m->give = 4 * over <= 1e-6 ? 4 * over : 0;
  holding_release(h, i);
  *v = sign ? (*v > 0 ? 1 : -1) : (*v > 0.5 ? 1 : 0);
  if (m->released) note_mode(h, i, t);
}

// The branch behind the one that ended.
static void pass_ended(Hybrid *h, uint32_t i, double g, double t) {
  const SwitchMode *p = &h->plan->modes[i];
  double v = *hybrid_mode(h, i);
  switch (p->kind) {
  case mode_above: set_mode(h, i, v != 0 ? 0 : 1, t); break;
  case mode_sign: set_mode(h, i, p->equality ? 0 : v > 0 ? -1 : v < 0 ? 1 : settle_mode_value(p, g), t); break;
  case mode_floor:
    h->modes[i].zero = 4 * fmin(fabs(g - v), fabs(g - (v + 1))) + DBL_MIN;
    set_mode(h, i, g - v < v + 1 - g ? v - 1 : v + 1, t);
    break;
  }
}

static void take_ended(Hybrid *h, uint32_t i, double t) {
  ModeState *m = &h->modes[i];
  double g = hybrid_guard(h, i);
  m->at_once = h->fresh[i] && h->rearm[i] > 0 && t == h->state->last_t;
  m->ended = m->arrived = m->changed = true;
  // on the other branch it may be rounded otherwise, and in a loop be solved otherwise
  double rounding = h->plan->s->unknowns.count ? fmax(h->noise[i], 1e-11 * m->scale) : h->noise[i];
  m->zero = fmax(fmax(distance_to_zero(m, g), 2 * m->slack), rounding) + DBL_MIN;
  m->off = locating_distance(&h->plan->modes[i], g, *hybrid_mode(h, i));
  if (m->holds) release_ended(h, i, t);
  else pass_ended(h, i, g, t);
}

void settle_begin(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t count) {
  uint32_t modes = h->plan->mode_count;
  if (!modes) return;
  hybrid_guards(h, t, y);
  for (uint32_t i = 0; i < modes; i++) {
    ModeState *m = &h->modes[i];
    double g = hybrid_guard(h, i);
    // one that ended before and did not get away from zero yet is still there
    m->ended = (h->fresh[i] && m->ended && !m->holds) || (m->slack > 0 && fabs(g) <= 2 * m->slack);
    m->zero = m->ended ? fmax(m->zero, fmax(distance_to_zero(m, g), 2 * m->slack)) : 0;
    m->at_zero = m->released = m->at_once = m->changed = m->met = false;
    m->arrived = m->pinned;
  }
  for (uint32_t i = 0; i < modes; i++) h->room.c[i] = hybrid_guard(h, i);
  for (uint32_t k = 0; k < count; k++) { // in order: what is inside of a guard is before it
    if (k) locating_follow(h);
    if (k && !h->modes[ended[k]].holds && locating_inner_changed(h, ended[k])) continue;
    take_ended(h, ended[k], t);
  }
  if (count) locating_outer(h, t, y);
}

// How far apart in time the same moment may be: as far as the found ones are from zero, by their rates.
static double same_moment(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t count) {
  double moment = 64 * DBL_EPSILON * fabs(t);
  holding_rates(h, t, y);
  for (uint32_t k = 0; k < count; k++) {
    double rate = h->plan->modes[ended[k]].rate ? fabs(hybrid_result(h, event_rates, ended[k])) : 0;
    if (rate > 0) moment = fmax(moment, 4 * fabs(hybrid_guard(h, ended[k])) / rate);
  }
  return moment;
}

// May this mode have ended as well, by the size of its guard alone? distance: relative to the sizes that were seen.
static bool may_have_ended(const Hybrid *h, uint32_t i, double distance) {
  const SwitchMode *p = &h->plan->modes[i];
  const ModeState *m = &h->modes[i];
  if (m->holds || p->kind == mode_floor || !p->rate || h->fresh[i]) return false;
  return fabs(hybrid_guard(h, i)) <= fmax(h->noise[i], fmin(distance, 1e-12) * m->scale);
}

// Does its guard go to the other side, and is it there in the same moment? The rates are evaluated.
static bool leaves_now(const Hybrid *h, uint32_t i, double moment) {
  const SwitchMode *p = &h->plan->modes[i];
  double g = hybrid_guard(h, i), v = *hybrid_mode(h, i), rate = hybrid_result(h, event_rates, i);
  bool up = p->kind == mode_above ? v != 0 : v > 0;
  if ((p->kind == mode_sign && v == 0) || !(up ? rate < 0 : rate > 0)) return false;
  return !(fabs(g) > h->noise[i] && fabs(g) > moment * fabs(rate)); // small, as exp(-t), but not there yet
}

const uint32_t *settle_ended(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t *count) {
  double distance = 0, moment = NAN; // the first relative to the largest values that were seen
  if (*count == 0 || !h->plan->tape[event_rates]) return ended;
  hybrid_guards(h, t, y);
  memcpy(h->room.ended, ended, *count * sizeof *ended);
  for (uint32_t k = 0; k < *count; k++) {
    const ModeState *m = &h->modes[ended[k]];
    if (!m->holds && h->plan->modes[ended[k]].kind != mode_floor && m->scale > 0)
      distance = fmax(distance, distance_to_zero(m, hybrid_guard(h, ended[k])) / m->scale);
  }
  uint32_t found = *count;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (!may_have_ended(h, i, distance)) continue;
    bool there = false;
    for (uint32_t k = 0; k < *count && !there; k++) there = h->room.ended[k] == i;
    if (there) continue;
    if (isnan(moment)) moment = same_moment(h, t, y, ended, found);
    if (leaves_now(h, i, moment)) h->room.ended[(*count)++] = i;
  }
  return h->room.ended;
}

// ---- modes by their guards

// Is g zero, as far as this event knows it?
static bool is_at_zero(const Hybrid *h, uint32_t i, double g, bool exact) {
  const SwitchMode *p = &h->plan->modes[i];
  const ModeState *m = &h->modes[i];
  double v = *hybrid_mode(h, i);
  if (p->kind == mode_floor) return m->ended && (fabs(g - v) <= m->zero || fabs(g - (v + 1)) <= m->zero);
  // what may rest and hardly moves is asked together with what stops or starts in this moment
  if (p->jumps && p->enters && !p->equality && !exact && fabs(g) <= resting * m->scale + h->noise[i]) return true;
  return g == 0 || (m->ended && fabs(g) <= m->zero);
}

// Is a held mode still there? Then holding.c says whether it stays; else something moved it away, and it is released.
static bool stays_held(Hybrid *h, uint32_t i, double g, bool anew) {
  ModeState *m = &h->modes[i];
  double zero = anew ? h->noise[i] : distance_at_rest(h, i);
  if (!(fabs(g) <= zero)) {
    holding_release(h, i);
    return false;
  }
  m->at_zero = m->ended = true;
  m->zero = zero;
  return true;
}

// Modes by their guards; those at zero keep what they are. True: something changed.
static bool set_modes(Hybrid *h, double t) {
  bool changed = false;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    ModeState *m = &h->modes[i];
    double g = hybrid_rule(h, i), before = *hybrid_mode(h, i);
    bool anew = m->anew;
    m->anew = false;
    if (m->holds) {
      if (stays_held(h, i, g, anew)) continue;
      anew = true;
    }
    if (anew) {
      m->at_zero = m->ended = m->released = m->arrived = m->at_once = false;
      m->zero = h->rearm[i] = 0;
    }
    bool stood = m->at_zero;
    m->at_zero = is_at_zero(h, i, g, anew);
    if (m->at_zero && !stood && !m->ended && g != 0) m->arrived = true;
    // a guard that was put on zero starts from there; one that came there keeps its side for now
    if (m->at_zero && (stood || m->ended || g != 0)) continue;
    set_mode(h, i, settle_mode_value(&h->plan->modes[i], g), t);
    changed = changed || *hybrid_mode(h, i) != before;
  }
  return changed;
}

// ---- modes at zero

// dg/dt with the present modes.
static double raw_rate(Hybrid *h, uint32_t i, double t, const double *y) {
  hybrid_given(h, t, y);
  if (h->plan->modes[i].rate) {
    holding_rates(h, t, y);
    return hybrid_result(h, event_rates, i);
  }
  // not known as an expression: a little further along the motion
  double span = h->state->t1 - h->state->t0, *z = h->room.y;
  double dt = 1e-8 * fmin(span, fmax(1e-3 * span, t - h->state->last_t));
  hybrid_guards(h, t, y);
  double g = hybrid_guard(h, i);
  h->host.changed(h->host.self);
  if (!h->host.f(h->host.self, t, y, h->room.slope)) return 0;
  for (uint32_t k = 0; k < h->plan->body; k++) z[k] = y[k] + dt * h->room.slope[k];
  hybrid_guards(h, t + dt, z);
  return (hybrid_guard(h, i) - g) / dt;
}

// The same without rounding: what is small beside the rates and sizes that were seen counts as zero.
static double rate_of(Hybrid *h, uint32_t i, double t, const double *y) {
  double r = raw_rate(h, i, t, y), size = fabs(r);
  ModeState *m = &h->modes[i];
  if (size > m->rate_scale) m->rate_scale = size;
  return size <= 1e-10 * fmax(m->rate_scale, m->scale / (h->state->t1 - h->state->t0)) ? 0 : r;
}

// The same on another branch.
static double rate_with(Hybrid *h, uint32_t i, double value, double t, const double *y) {
  double *v = hybrid_mode(h, i), kept = *v;
  *v = value;
  double rate = rate_of(h, i, t, y);
  *v = kept;
  return rate;
}

// Others hold this guard at zero: its argument stays there, and it is what its operator says of zero.
static bool is_held_by_others(const Hybrid *h, uint32_t i, double g) {
  const SwitchMode *p = &h->plan->modes[i];
  for (uint32_t k = 0; k < h->state->held_count; k++) {
    const SwitchMode *by = &h->plan->modes[h->held[k]];
    if (by->g == p->g || by->opposite == p->g) return true;
  }
  return g == 0 && h->state->held_count > 0;
}

typedef enum Leaving { leaving_back, leaving_not, leaving_changed } Leaving; // both sides lead back; as it was; changed

static Leaving leave_floor(Hybrid *h, uint32_t i, double t, const double *y) {
  double v = *hybrid_mode(h, i), rate = rate_of(h, i, t, y), g = hybrid_rule(h, i);
  bool below = fabs(g - v) <= fabs(g - (v + 1)); // at the lower end
  if (below && rate < 0) set_mode(h, i, v - 1, t);
  else if (!below && rate > 0) set_mode(h, i, v + 1, t);
  return *hybrid_mode(h, i) != v ? leaving_changed : leaving_not;
}

static Leaving leave_sign(Hybrid *h, uint32_t i, double t, const double *y) {
  double v = *hybrid_mode(h, i);
  if (h->plan->modes[i].equality) { // passed: the other side follows
    double rate = rate_of(h, i, t, y);
    if (v != 0 || rate == 0) return leaving_not;
    set_mode(h, i, rate > 0 ? 1 : -1, t);
    return leaving_changed;
  }
  double up = rate_with(h, i, 1, t, y), down = rate_with(h, i, -1, t, y);
  if (up < 0 && down > 0) return leaving_back;
  double side = up > 0 && (down >= 0 || v > 0) ? 1 : down < 0 && (up <= 0 || v < 0) ? -1 : v;
  set_mode(h, i, side, t);
  return *hybrid_mode(h, i) != v ? leaving_changed : leaving_not;
}

static Leaving leave_above(Hybrid *h, uint32_t i, double t, const double *y) {
  double v = *hybrid_mode(h, i), rate = rate_of(h, i, t, y);
  if (v != 0 ? rate >= 0 : rate <= 0) return leaving_not;
  double other = rate_with(h, i, v != 0 ? 0 : 1, t, y);
  // a function that does not act on its own guard just changes sides
  if (!(v != 0 ? other <= 0 : other >= 0)) return leaving_back;
  if (h->modes[i].at_once) return leaving_not; // grazed at the depth of rounding: the slope tells less than the search
  set_mode(h, i, v != 0 ? 0 : 1, t);
  return leaving_changed;
}

// A branch inside of this one changed and put it near zero. Where it stays there, as in sign(max(x, 0)), it is what its
// operator says of zero; what is small, as exp(-t^2), but not there yet, is on its side. False: it goes through.
static bool take_met(Hybrid *h, uint32_t i, double t, const double *y, Leaving *left) {
  const SwitchMode *p = &h->plan->modes[i];
  const double moment = 1e-9 * (h->state->t1 - h->state->t0), before = *hybrid_mode(h, i);
  double rate = rate_of(h, i, t, y), g = hybrid_rule(h, i), far = locating_distance(p, g, before);
  if (rate != 0 && far <= moment * fabs(rate)) return false;
  if (far > fmax(h->noise[i], 1e-12 * fmin(h->modes[i].scale, 1))) set_mode(h, i, settle_mode_value(p, g), t);
  else if (rate == 0) set_mode(h, i, settle_mode_value(p, p->kind == mode_floor ? round(g) : 0), t);
  *left = *hybrid_mode(h, i) != before ? leaving_changed : leaving_not;
  return true;
}

// A mode whose guard is zero and that holds nothing takes the side to which the motion goes.
static Leaving leave(Hybrid *h, uint32_t i, double t, const double *y) {
  const SwitchMode *p = &h->plan->modes[i];
  Leaving left;
  if (h->modes[i].holds || h->modes[i].acts) return leaving_not;
  if (h->modes[i].met && take_met(h, i, t, y, &left)) return left;
  if (p->kind == mode_floor) return leave_floor(h, i, t, y);
  if (rate_of(h, i, t, y) == 0 && is_held_by_others(h, i, hybrid_rule(h, i))) {
    double before = *hybrid_mode(h, i);
    set_mode(h, i, settle_mode_value(p, 0), t);
    return *hybrid_mode(h, i) != before ? leaving_changed : leaving_not;
  }
  return p->kind == mode_sign ? leave_sign(h, i, t, y) : leave_above(h, i, t, y);
}

// All that stand at zero, in one pass: `x > 1` and `x < 1` are not to be seen true at once.
static OdeAction leave_all(Hybrid *h, double t, double *y, bool *changed) {
  HoldVerdict verdict = holding_settle(h, t, y);
  if (verdict > hold_changed) return chatter_group(h, verdict, t);
  *changed = verdict == hold_changed;
  const SwitchMode *driven = NULL; // back from both sides
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (!h->modes[i].at_zero) continue;
    Leaving left = leave(h, i, t, y);
    if (left == leaving_back && !driven) driven = &h->plan->modes[i];
    *changed = *changed || left == leaving_changed;
  }
  return !*changed && driven ? chatter_alone(h, driven, t) : action_go;
}

// ---- the whole

OdeAction hybrid_check(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->plan->s->checks.count; i++) {
    if (hybrid_rule(h, h->plan->checks_at + i) == 0) continue;
    char at[number_text_size];
    number_print(t, at);
    return hybrid_fail(h, arena_printf(h->scratch, "stopped at t = %s: %s", at, h->plan->s->checks.items[i].message),
                       h->plan->s->checks.items[i].span);
  }
  return action_go;
}

// They change for ever. Those inside blocks show in one more round.
static OdeAction unsettled(Hybrid *h, double t, const double *y) {
  if (chatter_is_named(h, t)) return chatter_unsettled(h, t, false);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) h->room.c[i] = *hybrid_mode(h, i);
  settle_rules(h, t, y);
  set_modes(h, t);
  return chatter_unsettled(h, t, true);
}

OdeAction settle_all(Hybrid *h, double t, double *y, bool start) {
  const EventPlan *p = h->plan;
  bool stop = false;
  uint32_t rounds = 1000 + 4 * (p->mode_count + p->memory_count); // each may change now and then, but not for ever
  for (uint32_t i = 0; i < p->when_count; i++) h->whens[i].fired = 0;
  for (uint32_t round = 0;; round++) {
    if (round > rounds) return unsettled(h, t, y);
    settle_rules(h, t, y);
    if (set_modes(h, t)) continue;
    OdeAction action = hybrid_check(h, t);
    if (action != action_go) return action;
    if (assign_memories(h, t, y)) continue;
    if (start) {
      for (uint32_t i = 0; i < p->when_count; i++) h->whens[i].was_true = hybrid_rule(h, p->conditions_at + i) != 0;
      return action_go;
    }
    if (assign_fire(h, t, y, &stop)) continue;
    bool changed = false;
    action = leave_all(h, t, y, &changed);
    if (action != action_go) return action;
    if (!changed) break;
  }
  return stop ? action_stop : action_go;
}

void settle_end(Hybrid *h, double t, const double *y) {
  uint32_t modes = h->plan->mode_count;
  if (modes) {
    holding_tie(h);
    locating_rounding(h, t, y);
    for (uint32_t i = 0; i < modes; i++) {
      const SwitchMode *p = &h->plan->modes[i];
      ModeState *m = &h->modes[i];
      double slack = 1e-11 * m->scale;
      bool others = h->state->held_count && !m->holds && !(p->jumps && p->enters) && p->kind != mode_floor;
      m->slack = others && fabs(hybrid_guard(h, i)) <= slack ? slack : 0;
    }
    // only where they hold it: what passes is not to be found too late
    for (uint32_t i = 0; i < modes; i++) {
      if (h->modes[i].slack > 0 && rate_of(h, i, t, y) != 0) h->modes[i].slack = 0;
    }
    locating_conditions(h, t, y, h->room.c);
    for (uint32_t i = 0; i < modes; i++)
      h->fresh[i] = !(h->room.c[i] > fmax(h->noise[i], h->rearm[i])) || h->modes[i].at_zero;
  }
  h->host.changed(h->host.self);
}
