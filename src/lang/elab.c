// What every step of elaboration shares: how much work it may do, the text of a span, files beside the model, and
// where functions with corners came from.
#include "lang/elab.h"

#include "base/file.h"
#include "expr/ops.h"

#include <string.h>

// ---- limits

bool elab_spend(Elab *e, Span span, uint64_t amount) {
  e->limits.work += amount;
  if (e->limits.work <= e->limits.most_work) return e->diags->errors < diag_most; // nobody reads more
  if (!e->limits.exhausted) {
    diag_error(e->diags, diag_too_large, span, "this takes more than %llu evaluations",
               (unsigned long long)e->limits.most_work);
    diag_hint(e->diags, "fewer repetitions, or smaller vectors and matrices");
  }
  e->limits.exhausted = true;
  return false;
}

void elab_grant_element(Elab *e) {
  uint64_t work = element_evaluations, words = element_words;
  // what has no bound (infer_quiet) keeps none
  if (e->limits.most_work <= most_list_evaluations - work) e->limits.most_work += work;
  if (e->pool->most <= most_list_words - words) e->pool->most += words;
}

void elab_report_limit(Elab *e, Span span) {
  PoolLimit limit = e->pool->limit;
  if (!limit || arena_failed(e->arena)) return;
  if (limit == limit_number) {
    diag_error(e->diags, diag_too_large, span, "a number grows too long here to be computed exactly");
    diag_hint(e->diags, "name its parts with `param`: parameters are rounded when a run starts");
  } else if (limit == limit_entries) {
    diag_error(e->diags, diag_too_large, span, "a vector or matrix of more than %d entries", most_entries);
  } else if (!e->limits.exhausted) {
    diag_error(e->diags, diag_too_large, span, "the expressions of this model grow too large here");
    e->limits.exhausted = true; // the pool stays full
    return;
  }
  if (limit != limit_size) e->pool->limit = limit_none;
}

// ---- text and files

const char *elab_written(Elab *e, Span span) {
  const Source *s = source_get(&e->model->sources, span);
  Text t = text_in(e->arena);
  for (uint32_t i = span.start; s && i < span.end; i++) {
    char c = s->text[i];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') text_putc(&t, c);
  }
  return text_str(&t);
}

const char *elab_file_beside(Elab *e, Span span, const char *path) {
  const Source *source = source_get(&e->model->sources, span);
  // what the command line says counts from the model's own file
  if (!source || source->option) source = &e->model->sources.list.items[0];
  const char *slash = strrchr(source->name, '/');
  if (path[0] == '/' || !slash) return path;
  return arena_printf(e->arena, "%.*s/%s", (int)(slash - source->name), source->name, path);
}

static const char *folder_of(Elab *e) {
  const char *name = e->model->sources.list.items[0].name, *slash = strrchr(name, '/');
  return slash ? arena_printf(e->arena, "%.*s", slash == name ? 1 : (int)(slash - name), name) : ".";
}

char *elab_file_near(Elab *e, const char *path, size_t most, size_t *length, const char **why) {
  if (!e->parts.confined) return file_read_ordinary(e->arena, path, most, length, why);
  const char *folder = folder_of(e);
  return folder ? file_read_below(e->arena, folder, path, most, length, why) : NULL;
}

char *elab_file_head(Elab *e, const char *path, size_t most, size_t *length, const char **why) {
  if (!e->parts.confined) return file_head_ordinary(e->arena, path, most, length, why);
  const char *folder = folder_of(e);
  return folder ? file_head_below(e->arena, folder, path, most, length, why) : NULL;
}

// ---- what declarations bring

void elab_add_coord(Elab *e, Decl *d) {
  Model *m = e->model;
  uint32_t i = d->index = m->coords.count;
  const char *v = arena_printf(e->arena, "%s'", d->name), *a = arena_printf(e->arena, "%s''", d->name);
  if (!v || !a) return;
  SystemCoord c = {.name = d->name, .unit = item_unit(d->item), .span = d->span};
  c.q = pool_symbol(e->pool, d->name, sym_coord, i, 0);
  c.v = pool_symbol(e->pool, v, sym_velocity, i, 1);
  c.a = pool_symbol(e->pool, a, sym_acceleration, i, 2);
  vec_push(e->arena, &m->coords, c);
}

void elab_add_state(Elab *e, Decl *d) {
  Model *m = e->model;
  uint32_t i = d->index = m->states.count;
  const char *rate = arena_printf(e->arena, "%s'", d->name);
  if (!rate) return;
  SystemState s = {.name = d->name, .unit = item_unit(d->item), .span = d->span};
  s.x = pool_symbol(e->pool, d->name, sym_state, i, 0);
  s.rate = pool_symbol(e->pool, rate, sym_state_rate, i, 1);
  vec_push(e->arena, &m->states, s);
}

// ---- spans

void elab_note_place(Elab *e, ExprId id, const char *word, Span span) {
  if (!id || !word) return;
  const ExprPool *pool = e->pool;
  uint32_t count = expr_op(pool, id) == op_mul ? expr_factor_count(pool, id) : 1;
  for (uint32_t i = 0; i < count; i++) {
    ExprId node = expr_op(pool, id) == op_mul ? expr_factor(pool, id, i).base : id;
    // what depends on parameters alone never switches
    bool told = expr_op_switches(expr_op(pool, node)) || expr_op(pool, node) == op_impulse;
    if (told && !expr_only_kinds(pool, node, kind_set(sym_param)))
      vec_push(e->arena, &e->model->places, (SystemPlace){node, word, span});
  }
}

const char *elab_entry_name(Elab *e, const char *name, const Value *v, uint32_t i) {
  if (v->shape == value_vector && v->rows <= 3) return arena_printf(e->arena, "%s.%c", name, "xyz"[i]);
  if (v->shape == value_vector) return arena_printf(e->arena, "%s[%u]", name, i + 1);
  if (v->shape == value_matrix) return arena_printf(e->arena, "%s[%u,%u]", name, i / v->cols + 1, i % v->cols + 1);
  return name;
}
