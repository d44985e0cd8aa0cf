// Error messages of problems of position. See refuse.h.
#include "positions/refuse.h"

#include <math.h>
#include <string.h>

PositionsStatus position_fail(Positions *x, PositionsStatus status, Span place, const char *message, const char *hint) {
  x->message = message;
  x->hint = hint;
  x->place = place;
  return x->status = message ? status : positions_no_memory;
}

PositionsStatus position_no_memory(Positions *x) { return x->status = positions_no_memory; }

double position_shown(const Positions *x, double value) {
  double rounding = (x->status == positions_done ? 1e-13 : 1e-6) * x->places.size; // the nearest position is less exact
  return x->problem == positions_inverse && fabs(value) < rounding ? 0 : value;
}

const char *position_drives_list(Positions *x, const double *P) {
  Text t = text_in(x->places.arena);
  for (uint32_t i = 0; i < x->places.k; i++)
    text_printf(&t, "%s%.*g", i ? ", " : "", x->status == positions_done ? 9 : 7, position_shown(x, P[i]));
  return text_str(&t);
}

const char *position_drives_text(Positions *x, const double *P) {
  Text t = text_in(x->places.arena);
  for (uint32_t i = 0; i < x->places.k; i++) text_printf(&t, "%s%s = %.9g", i ? ", " : "", x->drives[i].name, P[i]);
  return text_str(&t);
}

bool position_has_corners(const Places *p) {
  const Tape *t = p->f.tape;
  for (uint32_t i = 0; t && i < t->op_count; i++) {
    uint16_t code = t->ops[i].code;
    if (code == tape_if || code == tape_step || code == tape_ramp || code == tape_min || code == tape_max ||
        code == tape_abs || code == tape_sign)
      return true;
  }
  return false;
}

PositionsStatus position_refuse_end(Positions *x, FollowEnd end, const double *P, bool start) {
  Places *p = &x->places;
  const SystemDrive *d = x->drives;
  const char *at = position_drives_text(x, P),
             *what = start ? "the drive cannot start where it is to" : "the drive cannot be followed further";
  if (end == follow_no_memory) return position_no_memory(x);
  if (end == follow_interrupted) return x->status = positions_interrupted;
  if (end == follow_dead)
    return position_fail(
        x, positions_failed, d[0].span,
        arena_printf(p->arena, "%s: a dead point at %s, where it would have to turn back", what, at),
        start ? "draw the mechanism in the assembly mode that is meant, or start where the drawing can get to"
              : "`--through` goes on behind it, the drive turning back");
  if (end == follow_branch)
    return position_fail(x, positions_failed, d[0].span,
                         arena_printf(p->arena, "%s: two ways cross at %s, and nothing says which is meant", what, at),
                         start ? "draw the mechanism on the side that is meant" : "`--through` goes straight on");
  if (position_has_corners(p))
    return position_fail(x, positions_failed, d[0].span,
                         arena_printf(p->arena,
                                      "%s: near %s the equations are singular or have a corner, and no step is proved",
                                      what, at),
                         "behind a corner (a `stop`, a `max`, an `if`, a cable that slackens) a path starts again: "
                         "`--set F=25 --over F=25:50`");
  return position_fail(
      x, positions_failed, d[0].span,
      arena_printf(p->arena, "%s: near %s the equations are singular, and the branch is lost", what, at),
      p->kind == places_static ? "where a spring or a bar has no length its force has no direction" : NULL);
}

// The length of a bar that a constraint keeps, among the drives; NULL: none is.
static const SystemDrive *rigid_length(const Positions *x) {
  const Places *p = &x->places;
  for (uint32_t k = 0; k < p->k; k++) {
    const char *dot = strrchr(x->drives[k].name, '.');
    size_t length = dot ? (size_t)(dot - x->drives[k].name) : 0;
    for (uint32_t i = 0; dot && strcmp(dot, ".length") == 0 && i < p->m; i++) {
      if (strlen(p->labels[i]) == length && strncmp(p->labels[i], x->drives[k].name, length) == 0) return &x->drives[k];
    }
  }
  return NULL;
}

// As many drives as freedoms, or fewer, and yet they cannot be followed.
static PositionsStatus refuse_held(Positions *x) {
  Places *p = &x->places;
  const SystemDrive *d = rigid_length(x);
  if (d)
    return position_fail(
        x, positions_failed, d->span,
        arena_printf(p->arena, "`%s` cannot be driven: the bar is rigid, and keeps its length", d->name),
        "a bar that grows has a parameter as its length, `bar AB: A B length l`: `drive l from 1 to 2 "
        "steps 20`");
  d = &x->drives[p->k - 1];
  if (p->k == 1)
    return position_fail(
        x, positions_failed, d->span,
        arena_printf(p->arena, "`%s` cannot be driven here: it stands still however the mechanism begins to move",
                     d->name),
        "constraints hold it, or this is a dead point of it; drive something that moves");
  return position_fail(
      x, positions_failed, d->span,
      arena_printf(p->arena, "%u drives that depend on each other here: they cannot all be followed", p->k),
      "drive coordinates that can be moved each by itself");
}

PositionsStatus position_refuse_rank(Positions *x, CurveRank rank, CurveCount count) {
  Places *p = &x->places;
  const SystemDrive *d = x->drives;
  if (rank == rank_no_memory) return position_no_memory(x);
  if (p->statics)
    return position_fail(
        x, positions_failed, p->k ? d[0].span : (Span){0},
        p->kind == places_deformed
            ? "the deformed position is not alone here: something can be moved and nothing gives way, or what is "
              "held is not independent"
            : "the equilibrium is not alone here: something can be moved without force, or forces of constraints "
              "are not determined",
        p->kind == places_deformed ? "hold as many places as there are freedoms, or more"
                                   : "a load path needs a structure that is held");
  x->freedoms = p->n - count.constraints;
  const char *freedoms = x->freedoms == 1 ? "freedom" : "freedoms";
  if (rank == rank_overdriven && p->k <= x->freedoms) return refuse_held(x);
  if (rank == rank_overdriven)
    return position_fail(x, positions_failed, d[p->k - 1].span,
                         arena_printf(p->arena, "%u %s, but the mechanism has %u %s here: %s", p->k,
                                      p->k == 1 ? "drive" : "drives", x->freedoms, freedoms,
                                      p->k == 1 ? "it cannot be followed" : "they cannot all be followed"),
                         "take a drive away");
  return position_fail(x, positions_failed, d[0].span,
                       arena_printf(p->arena,
                                    "%u %s, but the mechanism has %u %s here: nothing says how the rest moves", p->k,
                                    p->k == 1 ? "drive" : "drives", x->freedoms, freedoms),
                       "drive as many coordinates as there are freedoms");
}
