// What a case, --set and --input change.
#include "lang/elab.h"

#include "lang/parser.h"

#include <string.h>

void unknown_setting(Elab *e, const Item *item, const char *name) {
  diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no parameter, input or starting value `%s`", name);
  const char *near = name_nearest(e, name);
  if (near) diag_hint(e->diags, "did you mean `%s`?", near);
}

bool find_start(Elab *e, const Item *item, const char *name, Start *start) {
  *start = (Start){0};
  Decl *d = decl_find(e, name);
  if (d && d->kind == decl_coord && item->primes <= 1) {
    start->coord = d->index + 1;
    start->velocity = item->primes == 1;
    return true;
  }
  if (d && d->kind == decl_state && item->primes == 0) {
    start->state = d->index + 1;
    return true;
  }
  return false;
}

const char *full_name(Elab *e, const Item *item, const Binding *env) {
  return item->index ? indexed_name(e, item->name, item->index, env) : item->name;
}

// Parameters and inputs take their new text now; starts are taken later, by set_start. What names nothing is reported
// once all names are known.
void setting_check(Elab *e, const Item *item, bool final, bool apply) {
  const char *name = full_name(e, item, NULL);
  if (!name) return;
  Decl *d = decl_find(e, name);
  if (d && item->primes == 0 && (d->kind == decl_param || d->kind == decl_input)) {
    if (apply) d->changed = item;
    return;
  }
  Start start;
  if (!final || find_start(e, item, name, &start)) return;
  // an entry of a vector of parameters
  Decl *base = item->index ? decl_find(e, item->name) : NULL;
  if (base && base->kind == decl_param && item->primes == 0) return;
  if (d && (d->kind == decl_let || d->kind == decl_output || d->kind == decl_fun)) {
    diag_error(e->diags, diag_unknown_setting, item->name_span, "`%s` is %s, not a parameter, input or starting value", name, decl_word(d->kind));
    return;
  }
  unknown_setting(e, item, item->primes ? arena_printf(e->arena, "%s'", name) : name);
}

static const Stmt *find_case(Elab *e, const Program *program, const char *name) {
  Text known = text_in(e->arena);
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind != stmt_case || s->broken) continue;
    if (strcmp(s->name, name) == 0) return s;
    text_printf(&known, "%s`%s`", known.length ? ", " : "", s->name);
  }
  diag_error(e->diags, diag_unknown_case, (Span){0}, "there is no case `%s`", name);
  if (known.length) diag_hint(e->diags, "there is %s", text_str(&known));
  else diag_hint(e->diags, "the file has no `case` statement");
  return NULL;
}

static Item *parse_option(Elab *e, const char *option, const char *text) {
  Item *item = arena_new_of(e->arena, Item);
  uint32_t source = source_add(&e->model->sources, option, text, strlen(text));
  if (!item || !source) return NULL;
  return parse_setting(e->arena, &e->model->sources, source, e->diags, item) ? item : NULL;
}

void settings_collect(Elab *e, const Program *program, const ModelOptions *options, Settings *out) {
  const Stmt *chosen = options->case_name ? find_case(e, program, options->case_name) : NULL;
  for (uint32_t i = 0; chosen && i < chosen->items.count; i++) {
    Item *item = &chosen->items.items[i];
    if (item->value->kind == ast_list) {
      diag_error(e->diags, diag_not_yet, item->value->span, "a family of runs by a list is not there yet");
      continue;
    }
    vec_push(e->arena, &out->items, item);
  }
  for (size_t i = 0; i < options->set_count; i++) {
    Item *item = parse_option(e, "--set", options->set[i]);
    if (item) vec_push(e->arena, &out->items, item);
  }
  for (size_t i = 0; i < options->input_count; i++) {
    Item *item = parse_option(e, "--input", options->input[i]);
    if (!item) continue;
    Decl *d = decl_find(e, item->name);
    if (d && d->kind == decl_input) vec_push(e->arena, &out->items, item);
    else {
      diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no input `%s`", item->name);
      Text names = text_in(e->arena);
      for (uint32_t k = 0; k < e->model->inputs.count; k++) text_printf(&names, "%s`%s`", k ? ", " : "", e->model->inputs.items[k].name);
      if (names.length) diag_hint(e->diags, "the inputs are %s", text_str(&names));
      else diag_hint(e->diags, "the model has no `input`");
    }
  }
}

// --set m[2]=3 for an entry of a vector of parameters
void settings_entries(Elab *e, const Settings *settings) {
  for (uint32_t i = 0; i < settings->items.count; i++) {
    const Item *item = settings->items.items[i];
    Decl *base = item->index ? decl_find(e, item->name) : NULL;
    if (!base || base->kind != decl_param || item->primes) continue;
    const char *name = full_name(e, item, NULL);
    ModelParam *found = NULL;
    for (uint32_t k = 0; name && k < e->model->params.count; k++) {
      if (strcmp(e->model->params.items[k].name, name) == 0) found = &e->model->params.items[k];
    }
    if (!found) {
      unknown_setting(e, item, name ? name : item->name);
      continue;
    }
    ExprId id = start_value(e, item, NULL);
    if (id) found->value = id;
  }
}

void settings_step(Elab *e, const Settings *settings, bool final) {
  for (uint32_t i = 0; i < settings->items.count; i++) setting_check(e, settings->items.items[i], final, true);
}
