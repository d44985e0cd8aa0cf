// Unit quaternions of a point. See turns.h.
#include "rest/quaternions.h"

#include <math.h>

// What the caller says of the quaternion, first; NULL: nothing.
static const PointValue *said_of(const System *s, const TreeBall *ball, const PointRequest *request) {
  for (uint32_t i = 0; i < request->count; i++) {
    for (uint32_t k = 0; k < 4; k++) {
      if (request->values[i].symbol == s->states.items[ball->first + k].x) return &request->values[i];
    }
  }
  return NULL;
}

static void refuse(const TreeBall *ball, Span span, const double *r, double length, Diags *diags) {
  const char *name = ball->name;
  if (!(length > 0)) {
    diag_error(diags, diag_bad_setting, span, "the quaternion `%s` has length 0 at the point: it says no turn", name);
    diag_hint(diags, "leave it out, or say all four: `%s.w=1, %s.x=0, %s.y=0, %s.z=0`", name, name, name, name);
    return;
  }
  diag_error(diags, diag_bad_setting, span, "the quaternion `%s` has length %g at the point, and a turn has length 1",
             name, length);
  diag_hint(diags, "say all four: `%s.w=%.9g, %s.x=%.9g, %s.y=%.9g, %s.z=%.9g`", name, r[0] / length, name,
            r[1] / length, name, r[2] / length, name, r[3] / length);
}

bool quaternions_check(Operating *o, const PointRequest *request, Diags *diags) {
  const System *s = &o->s;
  ExprPool *pool = s->pool;
  for (uint32_t i = 0; i < s->tree.balls.count && o->numbers; i++) {
    const TreeBall *ball = &s->tree.balls.items[i];
    uint32_t at[4];
    double r[4], sum = 0;
    ExprId square = pool->zero;
    for (uint32_t k = 0; k < 4; k++) {
      at[k] = system_place(s, s->states.items[ball->first + k].x);
      if (at[k] == no_place) return true; // it is no state of this form
      r[k] = o->y[at[k]];
      sum += r[k] * r[k];
      square = expr_add(pool, square, expr_mul(pool, o->point[at[k]], o->point[at[k]]));
    }
    double length = sqrt(sum);
    const PointValue *said = said_of(s, ball, request);
    if (!said || length == 1 || !isfinite(length)) continue; // starts are checked where they are read
    if (fabs(length - 1) > tree_turn_slack) {
      refuse(ball, said->span, r, length, diags);
    } else {
      for (uint32_t k = 0; k < 4; k++) {
        o->point[at[k]] = expr_div(pool, o->point[at[k]], expr_sqrt(pool, square));
        o->y[at[k]] = o->first[at[k]] = r[k] / length;
        if (!o->point[at[k]]) return false;
      }
    }
  }
  return true;
}
