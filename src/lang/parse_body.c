// The statement of a rigid body: its name, on what it hangs, the joint with the names of its coordinates, then clauses.
//
//   body upper on ground by revolute(y) q1 at [0, 0, 0.1] with mass = 1.2, com = [0, 0, -0.1], inertia = [...]
//   body fore on upper by universal(x, y) a, b at [0, 0, -0.3] rotated [0, 0.2, 0] with mass = 0.8, rod = 0.3
//
// The cursor stands behind the word. How many axes and coordinates a joint has stands in a table.
#include "lang/parser_inside.h"

#include <string.h>

typedef struct JointForm {
  const char *word;
  uint32_t axes, names;
  const char *example;
} JointForm;

static const JointForm joints[joint_count] = {
    [joint_fixed] = {"fixed", 0, 0, "by fixed"},
    [joint_revolute] = {"revolute", 1, 1, "by revolute(z) q"},
    [joint_prismatic] = {"prismatic", 1, 1, "by prismatic(x) s"},
    [joint_cylindrical] = {"cylindrical", 1, 2, "by cylindrical(z) s, th"},
    [joint_planar] = {"planar", 1, 3, "by planar(z) x, y, th"},
    [joint_universal] = {"universal", 2, 2, "by universal(x, y) a, b"},
    [joint_ball] = {"ball", 0, 1, "by ball r"},
    [joint_free] = {"free", 0, 4, "by free x, y, z, r"},
};

static const char *const clause_words[body_clauses] = {
    [body_at] = "at",   [body_rotated] = "rotated", [body_mass] = "mass",         [body_com] = "com",
    [body_box] = "box", [body_sphere] = "sphere",   [body_cylinder] = "cylinder", [body_inertia] = "inertia",
    [body_rod] = "rod"};

static bool at_end(const Parser *p) { return at_kind(p, tok_newline) || at_kind(p, tok_end) || at_kind(p, tok_for); }

static bool joint_word(Parser *p, BodyForm *b) {
  const Token *t = peek(p);
  b->joint_span = t->span;
  for (int i = 0; t->kind == tok_name && i < joint_count; i++) {
    if (strcmp(joints[i].word, t->text) != 0) continue;
    b->joint = (TreeJoint)i;
    parse_advance(p);
    return true;
  }
  parse_unexpected_word(p, "a joint");
  const char *words[joint_count], *example = NULL;
  for (int i = 0; i < joint_count; i++) words[i] = joints[i].word;
  const char *near = parse_nearest(p, words, joint_count);
  for (int i = 0; near && i < joint_count; i++) {
    if (near == joints[i].word) example = joints[i].example;
  }
  if (example) diag_hint(p->diags, "did you mean `%s`?", example);
  else
    diag_hint(p->diags,
              "joints are `revolute` `prismatic` `fixed` `ball` `free` `planar` `cylindrical` `universal`, as in `%s`",
              joints[joint_revolute].example);
  return false;
}

// To the next comma that stands in no bracket, or the next word of a clause, or the end.
static void skip_value(Parser *p, bool to_clause) {
  int depth = 0;
  for (; !at_end(p); parse_advance(p)) {
    if (at_kind(p, tok_lparen) || at_kind(p, tok_lbracket)) depth++;
    if (at_kind(p, tok_rparen) || at_kind(p, tok_rbracket)) depth--;
    if (depth > 0) continue;
    if (!to_clause && at_kind(p, tok_comma)) return;
    if (to_clause && (parse_at_word(p, "at") || parse_at_word(p, "rotated") || parse_at_word(p, "with"))) return;
  }
}

// (y), (x, y), ([0, 0.8, 0.6])
static bool joint_axes(Parser *p, BodyForm *b) {
  const JointForm *form = &joints[b->joint];
  if (!form->axes && !at_kind(p, tok_lparen)) return true;
  if (!form->axes || !parse_accept(p, tok_lparen)) {
    parse_unexpected_word(p, form->axes ? "`(` and the axis of the joint" : "the joint without an axis");
    diag_hint(p->diags, "as in `%s`", form->example);
    return false;
  }
  for (uint32_t i = 0; i < form->axes; i++) {
    if (i && !parse_expect(p, tok_comma, "`,` and the second axis")) return false;
    b->axes[i] = parse_formula(p);
    if (!b->axes[i]) return false;
  }
  return parse_expect(p, tok_rparen, "`)`");
}

// A coordinate may have the name of a clause, but not before what belongs to the clause:
// `by revolute(y) with mass = 2`.
static bool at_clause(const Parser *p) {
  const Token *next = peek_next(p);
  if (parse_at_word(p, "with")) return next->kind == tok_name;
  bool index = next->span.start == peek(p)->span.end; // at[2]
  return (parse_at_word(p, "at") || parse_at_word(p, "rotated")) && next->kind == tok_lbracket && !index;
}

static bool joint_names(Parser *p, Stmt *s) {
  const JointForm *form = &joints[s->body->joint];
  for (uint32_t i = 0; i < form->names; i++) {
    Item item = {0};
    if ((i && !parse_accept(p, tok_comma)) || !at_kind(p, tok_name) || at_clause(p)) {
      parse_unexpected_word(p, i ? "`,` and the name of another coordinate" : "the name of its coordinate");
      diag_hint(p->diags, "as in `%s`", form->example);
      return false;
    }
    if (!parse_item_name(p, &item) || !vec_push(p->scratch, &s->items, item)) return false;
  }
  return true;
}

// `at [...]`, `mass = 2`: the cursor stands behind the word, and behind its `=`.
static bool clause_value(Parser *p, BodyForm *b, BodyClause which, Span word) {
  const Unit *unit;
  if (b->clause[which]) {
    diag_error(p->diags, diag_twice, word, "`%s` is said twice", clause_words[which]);
    return false;
  }
  Ast *a = parse_value(p, &unit);
  if (!a) return false;
  if (unit->said) a->unit = unit;
  b->clause[which] = a;
  if (which != body_inertia || !parse_accept_word(p, "about")) return true;
  if (!parse_accept_word(p, "origin")) {
    static const char *const origin[] = {"origin"};
    parse_unexpected_word(p, "`origin`");
    if (parse_nearest(p, origin, 1)) diag_hint(p->diags, "did you mean `origin`?");
    else diag_hint(p->diags, "an inertia is about the centre of mass, or `about origin` of the body");
    return false;
  }
  b->about_origin = true;
  return true;
}

// mass = 2, com = [0, 0, 1]. *wrong: a word is none of these, which is reported. False: the rest cannot be read.
static bool with_clause(Parser *p, BodyForm *b, bool *wrong) {
  do {
    int which = body_mass;
    while (which < body_clauses && !parse_at_word(p, clause_words[which])) which++;
    if (which == body_clauses) {
      const char *near = parse_nearest(p, clause_words + body_mass, body_clauses - body_mass);
      parse_unexpected_word(p, "`mass`, `com`, `inertia`, `box`, `sphere`, `cylinder` or `rod`");
      if (near) diag_hint(p->diags, "did you mean `%s`?", near);
      skip_value(p, false);
      *wrong = true;
      continue;
    }
    Span word = parse_advance(p)->span;
    if (!parse_expect(p, tok_equal, "`=`") || !clause_value(p, b, (BodyClause)which, word)) return false;
  } while (parse_accept(p, tok_comma));
  return true;
}

// A word that begins no clause: the one that was meant, with the cursor behind it; NULL: it is not known.
static const char *meant_clause(Parser *p, const BodyForm *b, bool with) {
  static const char *const words[] = {"at", "rotated", "for", "about", "with"}, *const axes[] = {"along", "about"};
  const char *near = parse_nearest(p, words, with ? 4 : 5);
  bool by = parse_at_word(p, "by"), inertia = b->clause[body_inertia] && !b->about_origin;
  if (by || (near && strcmp(near, "about") == 0 && !inertia)) near = NULL;
  bool axis = !near && parse_nearest(p, axes, 2);
  parse_unexpected_word(p, with ? "`at`, `rotated` or the end of the line"
                                : "`at`, `rotated`, `with` or the end of the line");
  if (near) diag_hint(p->diags, "did you mean `%s`?", near);
  else if (by) diag_hint(p->diags, "a body has one joint: another one needs a body between, which may have no mass");
  else if (b->joint == joint_fixed && !with && at_kind(p, tok_name)) diag_hint(p->diags, "`fixed` has no coordinate");
  else if (axis) diag_hint(p->diags, "the axis stands with the joint, as in `%s`", joints[joint_prismatic].example);
  if (near) parse_advance(p);
  return near;
}

static bool clauses(Parser *p, Stmt *s) {
  BodyForm *b = s->body;
  bool with = false, wrong = false;
  while (!at_end(p)) {
    Span word = peek(p)->span;
    static const char *const words[] = {"at", "rotated", "with"};
    const char *is = NULL;
    for (int i = 0; i < (with ? 2 : 3) && !is; i++) {
      if (parse_accept_word(p, words[i])) is = words[i];
    }
    // what was meant is read as that, so that all errors of a line are reported at once
    if (!is) {
      wrong = true;
      is = meant_clause(p, b, with);
    }
    bool at = is && strcmp(is, "at") == 0, rotated = is && strcmp(is, "rotated") == 0;
    if (at || rotated) {
      if (!clause_value(p, b, at ? body_at : body_rotated, word)) return false;
    } else if (is && strcmp(is, "with") == 0) {
      with = true;
      if (!with_clause(p, b, &wrong)) return false;
    } else {
      skip_value(p, true);
    }
  }
  return !wrong;
}

// A word of the statement itself is expected; false: its absence is reported.
static bool expect_word(Parser *p, const char *word, const char *wanted, const char *hint) {
  if (parse_accept_word(p, word)) return true;
  parse_unexpected_word(p, wanted);
  if (parse_nearest(p, &word, 1)) diag_hint(p->diags, "did you mean `%s`?", word);
  else diag_hint(p->diags, "%s", hint);
  return false;
}

bool parse_body(Parser *p, Stmt *s) {
  Item item = {0};
  s->body = arena_new_of(p->arena, BodyForm);
  if (!s->body || !parse_item_name(p, &item)) return false;
  if (!expect_word(p, "on", "`on` and what the body hangs on", "as in `body upper on ground by revolute(y) q1`"))
    return false;
  s->body->parent = parse_point(p);
  if (!s->body->parent) return false;
  item.span = span_join(item.span, s->body->parent->span);
  if (!vec_push(p->scratch, &s->items, item)) return false;
  if (!expect_word(p, "by", "`by` and its joint",
                   "as in `by revolute(z) q`, or `by fixed` for a body that does not move beside the other one"))
    return false;
  if (joint_word(p, s->body) && joint_axes(p, s->body) && joint_names(p, s)) return clauses(p, s);
  // errors behind the joint are reported as well
  skip_value(p, true);
  clauses(p, s);
  return false;
}
