// `fit`: parameter identification from data. All that it says is checked and kept: the file has the columns, the case
// is there, ranges lead upwards, each unknown is a parameter or a starting value.
// The rows of the data are read by whoever fits (api/fit.c).
#include "expr/constant.h"
#include "lang/eval.h"
#include "lang/infer.h"
#include "lang/infer_inside.h"
#include "lang/settings.h"
#include "lang/statements.h"
#include "lang/table.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

enum { longest_head = 1024 * 1024 }; // comments and the first line of data

static void read_range(Elab *e, const Item *item, const Binding *env, SystemUnknownNumber *u) {
  if (!item->value) return;
  e->eval.constant++;
  u->from = eval_scalar(e, item->value, env, "the range of a `fit`");
  u->to = eval_scalar(e, item->until, env, "the range of a `fit`");
  e->eval.constant--;
  u->range = span_join(item->value->span, item->until->span);
  if (!u->from || !u->to) return;
  double width = expr_constant(e->pool, u->to) - expr_constant(e->pool, u->from);
  if (!(width <= 0)) return;
  diag_error(e->diags, diag_bad_setting, u->range, "this range is %s: it must lead from a number to a larger one",
             width < 0 ? "reversed" : "empty");
}

// ---- the data

// Data that the command line names lies where the user is.
static const char *place_of(Elab *e, const Stmt *s) {
  const Source *source = source_get(&e->model->sources, s->name_span);
  return source && source->option ? s->name : elab_file_beside(e, s->name_span, s->name);
}

// The first line of the data. False: it is reported.
static bool read_header(Elab *e, const Stmt *s, const char *file, TableHeader *header) {
  size_t length;
  const char *why = "out of memory";
  char *data = file ? elab_file_head(e, file, longest_head, &length, &why) : NULL;
  if (!data) {
    const Source *source = source_get(&e->model->sources, s->name_span);
    bool needed = e->parts.confined || (source && source->option); // else only a fit needs it, and asks once more
    (needed ? diag_error : diag_warning)(e->diags, diag_missing_file, s->name_span, "\"%s\" cannot be read: %s",
                                         s->name, why);
    if (!needed) diag_hint(e->diags, "only `fit` needs it: all else goes on without it");
    return false;
  }
  Sources sources = {.arena = e->arena};
  Diags own = {.arena = e->arena, .sources = &sources};
  uint32_t source = source_add(&sources, s->name, data, length);
  *header = (TableHeader){.measured = true};
  bool ok = source && table_header(e->arena, &own, source, data, length, header);
  if (!ok && own.list.count)
    diag_error(e->diags, diag_bad_table, s->name_span, "the first line of \"%s\": %s", s->name,
               own.list.items[0].message);
  return ok;
}

static bool has_column(Elab *e, const Stmt *s, const TableHeader *h, const char *column, Span span) {
  Text names = text_in(e->arena);
  const char *near = NULL;
  unsigned best = 3;
  for (uint32_t i = 0; i < h->width; i++) {
    if (strcmp(h->names[i], column) == 0) return true;
    unsigned distance = word_distance(column, h->names[i]);
    if (distance < best && distance < strlen(column)) best = distance, near = h->names[i];
    if (i < 20) text_printf(&names, "%s%s", i ? ", " : "", h->names[i]);
  }
  diag_error(e->diags, diag_bad_table, span, "\"%s\" has no column `%s`", s->name, column);
  if (near) diag_hint(e->diags, "did you mean `%s`? Its columns are: %s", near, text_str(&names));
  else diag_hint(e->diags, "its columns are: %s", text_str(&names));
  return false;
}

// Does the line compare this already? Then it is reported.
static bool is_measured(Elab *e, const SystemFit *fit, const SystemMeasured *m) {
  for (uint32_t i = 0; i < fit->measured.count; i++) {
    if (strcmp(fit->measured.items[i].name, m->name) != 0) continue;
    diag_error(e->diags, diag_twice, m->span, "`%s` is compared twice in this line", m->name);
    diag_hint(e->diags, "what two columns measure stands in two `fit` lines");
    return true;
  }
  return false;
}

static void read_measured(Elab *e, const Stmt *s, const Binding *env, SystemFit *fit) {
  TableHeader header;
  bool known = s->name && read_header(e, s, fit->file, &header);
  for (uint32_t i = 0; i < s->study->measured.count; i++) {
    const Measured *m = &s->study->measured.items[i];
    const Source *source = source_get(&e->model->sources, m->value->span);
    Span at = m->value->span;
    SystemMeasured out = {.span = at, .column_span = m->column ? m->span : at};
    out.name = arena_strndup(e->arena, source->text + at.start, at.end - at.start);
    out.column = m->column ? m->column : out.name;
    out.value = eval_scalar(e, m->value, env, "what a `fit` compares");
    if (m->sd) out.sd = eval_scalar(e, m->sd, env, "a standard deviation");
    if (out.sd) eval_only_params(e, out.sd, m->sd->span, "a standard deviation");
    const char **si = infer_shown(e, m->value, NULL, env, 1);
    out.si = si ? si[0] : NULL;
    if (known && out.column) has_column(e, s, &header, out.column, m->column ? m->span : s->name_span);
    if (out.value && out.name && !is_measured(e, fit, &out)) vec_push(e->arena, &fit->measured, out);
  }
}

static void check_case_of(Elab *e, const Stmt *s) {
  const Program *program = e->names.scope->program;
  if (!s->study->in_case) return;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *other = &program->statements.items[i];
    if (other->kind == stmt_case && !other->broken && strcmp(other->name, s->study->in_case) == 0) return;
  }
  diag_error(e->diags, diag_unknown_case, s->study->in_case_span, "there is no case `%s`", s->study->in_case);
}

// ---- the unknowns

static void read_unknown(Elab *e, const Item *item, const Binding *env, SystemFit *fit) {
  const char *name = path_full(e, item, env);
  Decl *d = name ? names_find(e, name) : NULL;
  SystemUnknownNumber u = {.span = item->name_span};
  read_range(e, item, env, &u);
  if (!name) return;
  if (!(d && d->kind == decl_param && !item->primes) && !path_start(e, item, name)) {
    settings_unknown(e, item, name);
    return;
  }
  u.name = item->primes ? arena_printf(e->arena, "%s'", name) : name;
  for (uint32_t i = 0; u.name && i < fit->unknowns.count; i++) {
    if (strcmp(fit->unknowns.items[i].name, u.name) != 0) continue;
    diag_error(e->diags, diag_twice, item->name_span, "`%s` is unknown twice", u.name);
    return;
  }
  if (u.name) vec_push(e->arena, &fit->unknowns, u);
}

void visit_fit(Elab *e, const Stmt *s, const Binding *env) {
  SystemFit fit = {.path = s->name,
                   .path_span = s->name_span,
                   .file = s->name ? place_of(e, s) : NULL,
                   .in_case = s->study->in_case,
                   .span = s->span};
  read_measured(e, s, env, &fit);
  check_case_of(e, s);
  for (uint32_t i = 0; i < s->items.count; i++) read_unknown(e, &s->items.items[i], env, &fit);
  vec_push(e->arena, &e->model->fits, fit);
}

// ---- dimensions

// A range is what its unknown is, a standard deviation what was measured is. Bare numbers are SI.
void units_fit(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  DimEnv names = {NULL, env};
  bool before = f->lenient;
  f->lenient = true;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = item->value ? path_full(e, item, env) : NULL;
    Decl *d = name ? names_find(e, name) : NULL;
    if (!d || (d->kind != decl_param && d->kind != decl_coord && d->kind != decl_state)) continue;
    DimValue v = infer_decl(f, d);
    if (v.shape != value_scalar) continue;
    Dim own = dim_rate(f, v.scalar, (int)item->primes);
    const Ast *ends[] = {item->value, item->until};
    for (int k = range_shares_unit(item); k < 2; k++) { // then it is reported once
      Dim end = infer_scalar(f, ends[k], names);
      if (end.kind == dim_form)
        infer_same(f, &end, ends[k]->span, &own, (Span){0}, infer_called(f, d->name, item->primes));
    }
  }
  for (uint32_t i = 0; s->study && i < s->study->measured.count; i++) {
    const Measured *m = &s->study->measured.items[i];
    if (!m->sd) continue;
    Dim value = infer_scalar(f, m->value, names), sd = infer_scalar(f, m->sd, names);
    if (sd.kind == dim_form) infer_same(f, &sd, m->sd->span, &value, (Span){0}, "what is measured is");
  }
  f->lenient = before;
}
