// camera [1, 1, 0.5]: the direction from which a drawing in space is seen;
// `up [0, 1, 0]`: what points up in the picture.
//
// in    two vectors of 3 of numbers and parameters; up is [0, 0, 1] where it is not said
// out   Model.camera; a direction of no length, or one along `up`, as an error, or as a demand where parameters decide
#include "lang/eval.h"
#include "lang/parser_inside.h"
#include "lang/statements.h"

bool parse_camera(Parser *p, Stmt *s) {
  if (!parse_expression(p, s)) return false;
  if (!parse_accept_word(p, "up")) return true;
  const Unit *unit;
  s->against = parse_value(p, &unit);
  return s->against != NULL;
}

static bool direction(Elab *e, const Ast *a, const Binding *env, const char *what, ExprId out[3]) {
  Value v = eval(e, a, env);
  if (!v.shape) return false;
  if (v.shape != value_vector || v.rows != 3) {
    diag_error(e->diags, diag_shape, a->span, "%s is a vector of 3, but this is %s", what,
               value_describe(e->arena, &v));
    return false;
  }
  for (uint32_t i = 0; i < 3; i++) {
    out[i] = value_item(&v, i);
    if (!eval_only_params(e, out[i], a->span, what)) return false;
  }
  return true;
}

static ExprId square(ExprPool *pool, const ExprId v[3]) {
  ExprId sum = pool->zero;
  for (int i = 0; i < 3; i++) sum = expr_add(pool, sum, expr_powi(pool, v[i], 2));
  return sum;
}

// A condition that must be false: reported here, or by the code that knows the parameters.
static bool refuse(Elab *e, ExprId wrong, Span span, const char *text, const char *hint) {
  if (wrong == e->pool->one) {
    diag_error(e->diags, diag_camera, span, "%s", text);
    if (hint) diag_hint(e->diags, "%s", hint);
    return false;
  }
  if (wrong != e->pool->zero) vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_camera, text, span});
  return true;
}

// Is the sine of the angle between both a millionth or less?
static ExprId along(ExprPool *pool, const ExprId a[3], const ExprId b[3]) {
  ExprId across[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    across[i] = expr_sub(pool, expr_mul(pool, a[j], b[k]), expr_mul(pool, a[k], b[j]));
  }
  ExprId lengths = expr_mul(pool, square(pool, a), square(pool, b));
  ExprId least = expr_scale(pool, (Rat){1, 1000000000000, NULL}, lengths);
  return expr_fn(pool, op_le, (ExprId[]){square(pool, across), least}, 2);
}

void visit_camera(Elab *e, const Stmt *s, const Binding *env) {
  SystemCamera *camera = &e->model->camera, made = {.span = s->span};
  ExprPool *pool = e->pool;
  if (camera->from[0]) {
    diag_error(e->diags, diag_twice, s->word, "a second `camera`");
    return;
  }
  made.up[0] = made.up[1] = pool->zero;
  made.up[2] = pool->one;
  if (!direction(e, s->expr, env, "the direction of a camera", made.from)) return;
  if (s->against && !direction(e, s->against, env, "what points up", made.up)) return;
  *camera = made;
  ExprId nowhere = expr_fn(pool, op_le, (ExprId[]){square(pool, made.from), pool->zero}, 2);
  if (!refuse(e, nowhere, s->expr->span, "a camera needs a direction to be seen from: all of this is zero", NULL))
    return;
  Span up = s->against ? s->against->span : s->expr->span;
  nowhere = expr_fn(pool, op_le, (ExprId[]){square(pool, made.up), pool->zero}, 2);
  if (!refuse(e, nowhere, up, "what points up needs a direction: all of this is zero", NULL)) return;
  refuse(e, along(pool, made.from, made.up), s->expr->span,
         s->against ? "the camera looks along what points up" : "the camera looks along z, which points up",
         "say what points up in the picture: `camera [0, 0, 1] up [0, 1, 0]`");
}
