// What `with`, a case, --set and --input change, and families of models by lists.
//
// A setting finds its name in one scope and reads its value in another. Those of `with` count least, the ones of an
// outer user more than the ones of an inner; then come the case, --set and --input, the last one most.
#include "lang/settings.h"

#include "lang/entries.h"
#include "lang/eval.h"
#include "lang/given.h"
#include "lang/linkage.h"
#include "lang/parser.h"

#include <string.h>

enum { rank_case = 1000, most_members = 1000000 };

void settings_unknown(Elab *e, const Item *item, const char *name) {
  diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no parameter, input or starting value `%s`",
             name);
  const char *near = names_nearest(e, name);
  if (!near) return;
  if (strcmp(near, name) == 0) diag_hint(e->diags, "`%s` is computed from others: its value cannot be set", name);
  else diag_hint(e->diags, "did you mean `%s`?", near);
}

// The vector of parameters that an item names an entry of; NULL: none.
static Decl *vector_of(Elab *e, const Item *item, const Scope *names, const Binding *env) {
  const char *base = item->index && !item->primes ? path_of_item(e, item, env, false) : NULL;
  Decl *d = base ? names_find_in(e, names, base) : NULL;
  return d && d->kind == decl_param ? d : NULL;
}

static bool is_vector(Elab *e, const Scope *scope, const Ast *a, int depth);

static bool any_vector(Elab *e, const Scope *scope, const Ast *a, int depth) {
  for (uint32_t i = 0; i < a->count; i++) {
    if (is_vector(e, scope, a->items[i], depth)) return true;
  }
  return false;
}

// Does a parameter's text look like a vector or matrix? Nothing is evaluated: the settings are not all known yet.
static bool is_vector(Elab *e, const Scope *scope, const Ast *a, int depth) {
  if (!a || depth > 20) return false;
  switch (a->kind) {
  case ast_list:
  case ast_matrix: return true;
  case ast_negate:
  case ast_sum:
  case ast_product: return any_vector(e, scope, a, depth + 1);
  case ast_call: {
    const CallWord *w = word_call_at(word_call(a->name));
    if (!w || w->shape == shape_of_number) return false;
    return w->shape == shape_of_vector || any_vector(e, scope, a, depth + 1);
  }
  case ast_name: {
    const Decl *d = names_find_in(e, scope, a->name);
    return d && d->kind == decl_param && is_vector(e, scope, d->item->value, depth + 1);
  }
  default: return false;
  }
}

// ---- one setting

// Which entries the columns of a family of lists are for: elements of an indexed name, or entries of a vector (NULL).
static void name_columns(Elab *e, const Setting *s, const Entries *x) {
  for (uint32_t i = 0; i < e->model->varied.count; i++) {
    ModelVaried *v = &e->model->varied.items[i];
    if (v->item != s->item || !v->columns) continue;
    const char *name = x ? entries_name(e, x, v->column) : arena_printf(e->arena, "%s[%u]", s->name, v->column + 1);
    if (name) v->name = v->setting = v->quantity = name;
  }
}

static void report_with(Elab *e, const Setting *s, const Decl *d) {
  const Item *item = s->item;
  const char *prefix = s->names->prefix;
  int length = (int)s->names->prefix_length - 1;
  if (!d || item->primes) {
    const char *prime = item->primes ? "'" : "";
    diag_error(e->diags, diag_unknown_setting, item->name_span, "the part `%.*s` has no parameter or input `%s%s`",
               length, prefix, s->name, prime);
    const char *near =
        item->primes ? NULL : names_nearest_in(e, s->names, s->name, 1u << decl_param | 1u << decl_input);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    else if (d) diag_hint(e->diags, "a start is said by `init %s%s%s = ...`", prefix, s->name, prime);
    return;
  }
  diag_error(e->diags, diag_unknown_setting, item->name_span, "`%s%s` is %s: `with` sets parameters and inputs", prefix,
             s->name, decl_word(d->kind));
  if (d->kind == decl_coord || d->kind == decl_state)
    diag_hint(e->diags, "a start is said by `init %s%s = ...`", prefix, s->name);
}

static void report_setting(Elab *e, const Item *item, const char *name, const Decl *d) {
  if (d && (d->kind == decl_let || d->kind == decl_output || d->kind == decl_fun || d->kind == decl_part ||
            d->kind == decl_multiplier)) {
    diag_error(e->diags, diag_unknown_setting, item->name_span, "`%s` is %s, not a parameter, input or starting value",
               name, decl_word(d->kind));
    return;
  }
  const char *primed = item->primes ? arena_printf(e->arena, "%s'", name) : name;
  if (primed) settings_unknown(e, item, primed);
}

static void unknown_input(Elab *e, const Item *item, const char *name) {
  diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no input `%s`", name);
  Text names = text_in(e->arena);
  uint32_t count = e->model->inputs.count;
  for (uint32_t k = 0; k < count && k < 20; k++)
    text_printf(&names, "%s`%s`", k ? ", " : "", e->model->inputs.items[k].name);
  if (count > 20) text_put(&names, " and others");
  if (names.length) diag_hint(e->diags, "the inputs are %s", text_str(&names));
  else diag_hint(e->diags, "the model has no `input`");
}

// A list that seemed to ask for a family is for the entries of one thing: all is read once more.
static void read_plain(Elab *e, const Setting *s) {
  if (vec_push(e->arena, e->settings.plain, s->name)) e->settings.unread = true;
}

static void report_one_number(Elab *e, const char *name, const Ast *list) {
  diag_error(e->diags, diag_entries, list->span, "`%s` is one number: a value of its family is no list", name);
}

// One value of a family for a parameter or an input: a number, or for a vector of parameters a list.
static void vary(Elab *e, const Setting *s, const Decl *d) {
  bool list = s->item->value->kind == ast_list;
  if (d->kind == decl_param && is_vector(e, d->scope, d->item->value, 0)) {
    if (!list) read_plain(e, s);
    else name_columns(e, s, NULL);
  } else if (list) {
    report_one_number(e, s->name, s->item->value);
  }
}

// Parameters and inputs take their new text as soon as they are known; starts and entries of vectors wait.
static void apply(Elab *e, Setting *s, bool final) {
  if (s->done || !s->name) return;
  Decl *d = names_find_in(e, s->names, s->name);
  if (s->input && !(d && d->kind == decl_input && !s->item->primes)) {
    if (final) unknown_input(e, s->item, s->name);
    return;
  }
  if (d && s->item->primes == 0 && (d->kind == decl_param || d->kind == decl_input)) {
    s->done = true;
    if (s->with && d->changed && d->changed->rank == s->rank)
      diag_error(e->diags, diag_twice, s->item->name_span, "`%s` is set twice", s->name);
    if (!d->changed || d->changed->rank < s->rank) d->changed = s;
    e->settings.round++;
    if (s->varied) vary(e, s, d);
    return;
  }
  Decl *vector = vector_of(e, s->item, s->names, s->env);
  if (vector) {
    s->done = true;
    s->vector = vector;
    vector->entries_changed = true;
    e->settings.round++;
    return;
  }
  uint32_t node, axis; // of a node, whose position is read later
  if (!final || (!s->with && path_start(e, s->item, s->name))) return;
  if (!s->with && linkage_is_place(e, s->names, s->name, &node, &axis)) return;
  if (s->with) report_with(e, s, d);
  else report_setting(e, s->item, s->name, d);
}

// ---- lists for indexed names

// A list for tau becomes settings of tau[1], tau[2], ... False: it is for something else, or no list fits there.
static bool split(Elab *e, Setting *s, const Entries *x, SettingList *out) {
  DeclKind kind = x->list[0]->kind;
  if ((s->input && kind != decl_input) || (s->item->primes && kind != decl_coord)) return false;
  if (s->with && kind != decl_param && kind != decl_input) return false;
  if (s->varied && s->item->value->kind != ast_list) {
    read_plain(e, s);
    return false;
  }
  if (!entries_fit(e, x, s->item)) {
    s->done = true;
    return false;
  }
  if (s->varied) name_columns(e, s, x);
  for (uint32_t k = 0; k < x->count; k++) {
    Setting *one = arena_new_of(e->arena, Setting);
    if (!one) return false;
    *one = *s;
    one->item = entries_element(e, x, s->item, k);
    one->name = entries_name(e, x, k);
    if (!one->item || !one->name || !vec_push(e->arena, out, one)) return false;
    one->varied = false; // its columns have their names
  }
  return true;
}

static void split_all(Elab *e) {
  SettingList list = {0};
  for (uint32_t i = 0; i < e->settings.list.count && !e->settings.unread; i++) {
    Setting *s = e->settings.list.items[i];
    Entries x = {0};
    if (s->name && !s->done && !names_find_in(e, s->names, s->name)) x = entries_find(e, s->names, s->item, s->name);
    if (x.family && split(e, s, &x, &list)) continue;
    if (!vec_push(e->arena, &list, s)) return;
  }
  if (!e->settings.unread) e->settings.list = list;
}

void settings_step(Elab *e, bool final) {
  Scope *before = e->names.scope;
  if (final) split_all(e);
  for (uint32_t i = 0; i < e->settings.list.count; i++) {
    e->names.scope = e->settings.list.items[i]->scope;
    apply(e, e->settings.list.items[i], final);
  }
  e->names.scope = before;
}

static Setting *setting_add(Elab *e, const Item *item, Scope *names, const Binding *env, uint32_t rank) {
  Setting *s = arena_new_of(e->arena, Setting);
  if (!s) return NULL;
  *s = (Setting){
      .item = item, .name = path_full(e, item, env), .names = names, .scope = e->names.scope, .env = env, .rank = rank};
  return s->name && vec_push(e->arena, &e->settings.list, s) ? s : NULL;
}

void settings_with(Elab *e, const Stmt *use, const Binding *env, Scope *part) {
  uint32_t first = e->settings.list.count;
  for (uint32_t i = 1; i < use->items.count; i++) {
    const Item *item = &use->items.items[i];
    Setting *s = setting_add(e, item, part, env, rank_case - 1 - e->names.scope->depth);
    if (!s) continue;
    s->with = true;
    for (uint32_t k = first; k + 1 < e->settings.list.count; k++) {
      if (strcmp(e->settings.list.items[k]->name, s->name) != 0 ||
          e->settings.list.items[k]->item->primes != item->primes)
        continue;
      diag_error(e->diags, diag_twice, item->name_span, "`%s` is set twice", s->name);
    }
  }
}

// ---- those of the case and the command line

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
  e->model->sources.list.items[source - 1].option = true;
  return parse_setting(e->arena, &e->model->sources, source, e->diags, item) ? item : NULL;
}

// A later setting of the same name replaces an earlier one.
static void put_setting(Elab *e, const Item *item, bool input) {
  Setting *s = setting_add(e, item, e->names.scope, NULL, rank_case + e->settings.list.count);
  if (!s) return;
  s->input = input;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < e->settings.list.count; i++) {
    Setting *x = e->settings.list.items[i];
    if (x != s && !x->with && x->item->primes == item->primes && strcmp(x->name, s->name) == 0) continue;
    e->settings.list.items[kept++] = x;
  }
  e->settings.list.count = kept;
}

// ---- families: a list for a number asks for one model a value

// Does a file declare this name with an index? Where, ranges decide later.
static bool is_indexed(const Program *program, const char *name) {
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *t = &program->statements.items[i];
    bool kind = t->kind == stmt_param || t->kind == stmt_input || t->kind == stmt_coord || t->kind == stmt_state;
    for (uint32_t k = 0; kind && !t->broken && k < t->items.count; k++) {
      if (t->items.items[k].index && strcmp(t->items.items[k].name, name) == 0) return true;
    }
  }
  return false;
}

static bool sets_vector(Elab *e, const Setting *s) {
  for (uint32_t i = 0; i < e->settings.plain->count; i++) {
    if (strcmp(e->settings.plain->items[i], s->name) == 0) return true;
  }
  const Decl *d = names_find_in(e, s->names, s->name);
  if (d && d->changed && d->changed != s) return is_vector(e, d->changed->scope, d->changed->item->value, 0);
  if (d) return d->kind == decl_param && is_vector(e, d->scope, d->item->value, 0);
  // m[2] of `param m[i] = [...] for i in 1 .. n`, which is not declared yet
  const char *dot = strrchr(s->name, '.');
  const Scope *scope = s->names;
  if (dot) {
    const char *part = arena_strndup(e->arena, s->name, (size_t)(dot - s->name));
    d = part ? names_find_in(e, scope, part) : NULL;
    if (!d || d->kind != decl_part || !d->part) return false;
    scope = d->part;
  }
  for (uint32_t i = 0; i < scope->program->statements.count; i++) {
    const Stmt *t = &scope->program->statements.items[i];
    for (uint32_t k = 0; t->kind == stmt_param && !t->broken && k < t->items.count; k++) {
      const Item *item = &t->items.items[k];
      if (item->index && s->item->index && strcmp(item->name, s->item->name) == 0)
        return is_vector(e, scope, item->value, 0);
    }
  }
  return !s->item->index && is_indexed(scope->program, s->item->name);
}

static bool is_nested(const Ast *list) { return list->kind == ast_list && list->items[0]->kind == ast_list; }

// A family of lists: all of one length. False: reported.
static bool is_even(Elab *e, const Ast *list) {
  for (uint32_t i = 1; i < list->count; i++) {
    const Ast *one = list->items[i];
    if (one->kind == ast_list && one->count == list->items[0]->count) continue;
    diag_error(e->diags, diag_entries, one->span, "the values of this family are lists of %u entries",
               list->items[0]->count);
    e->settings.unread = true;
    return false;
  }
  return true;
}

// What one list varies: a number, or the columns of a list of lists together.
static void put_varied(Elab *e, const Setting *s) {
  const Ast *list = s->item->value;
  uint32_t columns = is_nested(list) ? list->items[0]->count : 0;
  for (uint32_t c = 0; c == 0 || c < columns; c++) {
    ModelVaried v = {.name = s->name, .setting = s->name, .quantity = s->name, .list = s->item};
    v.columns = columns;
    v.column = c;
    v.count = list->count;
    if (!vec_push(e->arena, &e->model->varied, v)) return;
  }
}

// The first list varies slowest: it is the highest digit of the member's number.
static void choose_member(Elab *e, size_t member) {
  Model *m = e->model;
  for (uint32_t i = 0; i < e->settings.list.count; i++) {
    Setting *s = e->settings.list.items[i];
    const Ast *list = s->item->value;
    if (s->with || list->kind != ast_list || (!is_nested(list) && sets_vector(e, s))) continue;
    if (m->members > most_members / list->count) {
      diag_error(e->diags, diag_too_many, list->span, "a family of more than %d members", most_members);
      e->settings.unread = true;
      return;
    }
    if (is_nested(list) && !is_even(e, list)) return;
    m->members *= list->count;
    put_varied(e, s);
  }
  size_t left = m->members;
  for (uint32_t i = 0, k = 0; i < e->settings.list.count && k < m->varied.count; i++) {
    Setting *s = e->settings.list.items[i];
    const Item *list = s->item;
    if (list != m->varied.items[k].list) continue;
    left /= list->value->count;
    s->varied = true;
    uint32_t entry = (uint32_t)(member / left % list->value->count);
    s->item = entries_take(e, list, entry);
    if (!s->item) s->item = list;
    for (; k < m->varied.count && m->varied.items[k].list == list; k++) {
      m->varied.items[k].entry = entry;
      m->varied.items[k].item = s->item;
    }
  }
}

// All entries are looked at, not only the chosen one, so that a family fails before its first run.
static void read_entries(Elab *e, ModelVaried *v) {
  ExprId *values = arena_array(e->arena, v->count, sizeof *values);
  for (uint32_t k = 0; values && k < v->count; k++) {
    const Item *one = entries_take(e, v->list, k);
    if (one && v->columns) one = entries_take(e, one, v->column);
    values[k] = one ? eval_constant(e, one, NULL, "a value of a family") : 0;
  }
  v->values = values;
}

// Which number of the system has the value of this member.
static void find_number(const Model *m, ModelVaried *v, const Decl *start) {
  ExprId value = v->values ? v->values[v->entry] : 0;
  if (start && start->kind == decl_state) {
    v->index = start->index;
    if (m->states.items[v->index].x0 == value) v->kind = variant_state;
  } else if (start) {
    const SystemCoord *c = &m->coords.items[v->index = start->index];
    if ((v->item->primes ? c->v0 : c->q0) == value) v->kind = v->item->primes ? variant_velocity : variant_place;
  }
  for (uint32_t i = 0; !start && !v->item->primes && i < m->params.count; i++) {
    if (m->params.items[i].value != value || strcmp(m->params.items[i].name, v->quantity) != 0) continue;
    v->kind = variant_param;
    v->index = i;
  }
}

void settings_varied(Elab *e) {
  Model *m = e->model;
  for (uint32_t i = 0; i < m->varied.count; i++) {
    ModelVaried *v = &m->varied.items[i];
    const Decl *start = path_start(e, v->item, v->quantity);
    read_entries(e, v);
    find_number(m, v, start);
    // a start is no signal: th(0), not th
    v->start = start != NULL;
    v->rate = start && v->item->primes;
    if (v->rate) v->setting = arena_printf(e->arena, "%s'", v->quantity);
    if (v->start) v->name = arena_printf(e->arena, "%s(0)", v->setting);
  }
}

void settings_collect(Elab *e, const ModelOptions *options) {
  const Stmt *chosen = options->case_name ? find_case(e, e->names.scope->program, options->case_name) : NULL;
  if (chosen) e->model->chosen = chosen->name;
  for (uint32_t i = 0; chosen && i < chosen->items.count; i++) put_setting(e, &chosen->items.items[i], false);
  for (size_t i = 0; i < options->set_count; i++) {
    const Item *item = parse_option(e, "--set", options->set[i]);
    if (item) put_setting(e, item, false);
  }
  for (size_t i = 0; i < options->input_count; i++) {
    const Item *item = parse_option(e, "--input", options->input[i]);
    if (item) put_setting(e, item, true);
  }
  choose_member(e, options->member);
}

// A list for an indexed name, or a family of lists.
static void check_entries(Elab *e, const Entries *x, const Item *item) {
  bool nested = is_nested(item->value);
  for (uint32_t i = 0; i < (nested ? item->value->count : 1); i++) {
    const Item *one = nested ? entries_take(e, item, i) : item;
    if (one && (!x->family || entries_fit(e, x, one))) eval(e, one->value, NULL);
  }
}

void settings_check_case(Elab *e, const Stmt *s) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = path_full(e, item, NULL);
    const Decl *d = name ? names_find(e, name) : NULL;
    bool given = d && item->primes == 0 && (d->kind == decl_param || d->kind == decl_input);
    Entries x = name && !d ? entries_find(e, e->names.scope, item, name) : (Entries){0};
    if (x.family || is_nested(item->value)) {
      if (given && !is_vector(e, d->scope, d->item->value, 0)) report_one_number(e, name, item->value->items[0]);
      check_entries(e, &x, item);
      continue;
    }
    if (name && !given && !path_start(e, item, name) && !vector_of(e, item, e->names.scope, NULL))
      report_setting(e, item, name, d);
    eval(e, item->value, NULL);
  }
}

// ---- starts, and entries of vectors

void settings_starts(Elab *e) {
  for (uint32_t i = 0; i < e->settings.list.count; i++) {
    const Setting *s = e->settings.list.items[i];
    if (s->with || s->done) continue;
    given_start(e, s->item, s->name, NULL, true, true);
    const Source *from = source_get(&e->model->sources, s->item->span);
    if (from && strcmp(from->name, "--set") == 0) e->model->start_set = s->item->span;
  }
}

// Is there a setting of the same entry, or of the whole vector, that counts more?
static bool outranked(Elab *e, const Setting *s) {
  if (s->vector->changed && s->vector->changed->rank > s->rank) return true;
  const char *index = strrchr(s->name, '[');
  for (uint32_t i = 0; i < e->settings.list.count; i++) {
    const Setting *x = e->settings.list.items[i];
    if (x->vector != s->vector || x->rank <= s->rank) continue;
    if (strcmp(strrchr(x->name, '['), index) == 0) return true;
  }
  return false;
}

// --set m[2]=3 for an entry of a vector of parameters
void settings_entries(Elab *e) {
  for (uint32_t i = 0; i < e->settings.list.count; i++) {
    const Setting *s = e->settings.list.items[i];
    if (!s->vector || s->vector->state != decl_done || !s->vector->value.shape || outranked(e, s)) continue;
    const char *name = arena_printf(e->arena, "%s%s", s->names->prefix, s->name);
    SystemParam *found = NULL;
    for (uint32_t k = 0; name && k < e->model->params.count; k++) {
      if (strcmp(e->model->params.items[k].name, name) == 0) found = &e->model->params.items[k];
    }
    Scope *before = names_enter(e, s->scope);
    if (!found && s->with) report_with(e, s, NULL);
    else if (!found) settings_unknown(e, s->item, s->name);
    ExprId id = found ? eval_constant(e, s->item, s->env, "a parameter") : 0;
    if (id) found->value = id;
    names_enter(e, before);
  }
}

void settings_override(Elab *e, const Decl *d, Value *v) {
  if (v->shape != value_vector) return;
  Value copy = value_new(e->pool, value_vector, v->rows, 1); // another name may share the entries
  for (uint32_t i = 0; copy.shape && i < v->rows; i++) copy.items[i] = v->items[i];
  *v = copy;
  for (uint32_t i = 0; i < e->settings.list.count && v->shape == value_vector; i++) {
    const Setting *s = e->settings.list.items[i];
    if (s->vector != d || outranked(e, s)) continue;
    Scope *before = names_enter(e, s->scope);
    int64_t at;
    if (eval_integer(e, s->item->index, s->env, "an index", &at) && at >= 1 && at <= v->rows) {
      ExprId id = eval_constant(e, s->item, s->env, "a parameter");
      if (id) v->items[at - 1] = id;
    }
    names_enter(e, before);
  }
}
