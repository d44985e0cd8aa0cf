// Port-Hamiltonian systems: x' = (J - R) dH/dx + (G - P) u, y = (G + P)' dH/dx + S u.
//
// in    hamiltonian H, interconnection J, damping R, port U by G through P feed S: of one file, which may be a part
// out   a SystemStorage of that file; the outputs U.y as expressions
//
// They are read when U.y is first asked for, or with the energies, so what stands where does not matter. Rows follow
// the declaration of the states that have no equation of their own. A state that only events set has a row where H
// holds it. Without `interconnection` the first half of the rows are positions, the other one momenta. Where every
// state has its equation, J, R and G are left open: algebra/ looks for those that fit.
//
// In a file without `hamiltonian` a port is a force on the coordinates: `port F by [1, 0]` is F on the first one.
#include "lang/ports.h"

#include "lang/eval.h"
#include "lang/visits.h"

#include <string.h>

typedef struct PortFile {
  Scope *scope;
  DeclState state;
  bool failed; // reported: be silent about what follows
  SystemStorage storage;
  TermList terms; // of H
  uint32_t coord_count;
  const uint32_t *coords; // of a file without `hamiltonian`
  bool stored;            // it has `hamiltonian`
  VEC(Value) feeds;       // of its ports, as written
  VEC(Span) feed_spans;
} PortFile;

const SystemStorage *ports_storage(const Scope *scope) {
  return scope->ports && scope->ports->stored && !scope->ports->failed ? &scope->ports->storage : NULL;
}

// ---- which states have equations

static void mark(Elab *e, const Item *item, const Binding *env, bool *marks, uint32_t primes) {
  const char *name = item->primes == primes ? path_full(e, item, env) : NULL;
  const Decl *d = name ? names_find(e, name) : NULL;
  if (d && d->kind == decl_state) marks[d->index] = true;
}

static void mark_equation(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) mark(e, &s->items.items[i], env, e->ports.written, 1);
}

static void mark_event(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) mark(e, &s->items.items[i], env, e->ports.assigned, 0);
}

// x' in an implicit equation: its rate follows from that one
static void mark_rates(Elab *e, const Ast *a, const Binding *env) {
  Decl *d;
  if (!a) return;
  if (a->kind == ast_prime && path_find(e, a->items[0], env, &d) == path_found && d->kind == decl_state)
    e->ports.written[d->index] = true;
  for (uint32_t i = 0; a->kind != ast_number && i < a->count; i++) mark_rates(e, a->items[i], env);
}

static void mark_implicit(Elab *e, const Stmt *s, const Binding *env) {
  mark_rates(e, s->expr, env);
  mark_rates(e, s->against, env);
}

static bool has_statement(const Scope *scope, StmtKind kind) {
  for (uint32_t i = 0; i < scope->program->statements.count; i++) {
    const Stmt *s = &scope->program->statements.items[i];
    if (s->kind == kind && !s->broken) return true;
  }
  return false;
}

void ports_collect(Elab *e) {
  uint32_t states = e->model->states.count;
  bool any = false;
  for (uint32_t i = 0; i < e->names.scopes.count; i++) {
    Scope *scope = e->names.scopes.items[i];
    bool stored = has_statement(scope, stmt_hamiltonian);
    if (!stored && !has_statement(scope, stmt_port) && !has_statement(scope, stmt_interconnection) &&
        !has_statement(scope, stmt_damping))
      continue;
    scope->ports = arena_new_of(e->arena, PortFile);
    if (!scope->ports) return;
    *scope->ports = (PortFile){.scope = scope, .stored = stored, .storage.name = scope->prefix};
    any = true;
  }
  e->ports.written = arena_array(e->arena, (size_t)states + 1, sizeof(bool));
  e->ports.assigned = arena_array(e->arena, (size_t)states + 1, sizeof(bool));
  if (!any || arena_failed(e->arena)) return;
  // errors in these statements are reported when they are read
  Diags silent = {.arena = e->arena, .sources = &e->model->sources}, *loud = e->diags;
  e->diags = &silent;
  visit_all(e, stmt_equation, mark_equation);
  visit_all(e, stmt_when, mark_event);
  visit_all(e, stmt_implicit, mark_implicit);
  e->diags = loud;
}

// ---- the statements of one file

static PortFile *current(Elab *e) { return e->ports.current; }

static void fail(Elab *e) { current(e)->failed = true; }

// What moves by itself may stand in them; what follows from them may not.
static bool allowed(Elab *e, ExprId id, Span span, const char *word, KindSet more) {
  KindSet good =
      kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_state) | kind_set(sym_bound) | more;
  if (expr_only_kinds(e->pool, id, good)) return true;
  diag_error(e->diags, diag_structure, span, "`%s` may depend on states, inputs, parameters and time alone", word);
  if (expr_has_kind(e->pool, id, sym_coord) || expr_has_kind(e->pool, id, sym_velocity))
    diag_hint(e->diags,
              "declare what stores energy with `state`; energies of coordinates are `kinetic` and `potential`");
  return false;
}

static void take_hamiltonian(Elab *e, const Stmt *s, const Binding *env) {
  PortFile *f = current(e);
  ExprId id = eval_scalar(e, s->expr, env, "`hamiltonian`");
  if (id && allowed(e, id, s->expr->span, "hamiltonian", 0)) {
    vec_push(e->arena, &f->terms, (Term){RAT_ONE, id});
    if (!f->storage.span.source) f->storage.span = s->expr->span;
    return;
  }
  fail(e);
}

// Declared in this file, in the order of the lines.
static uint32_t *list_declared(Elab *e, DeclKind kind, uint32_t *count) {
  uint32_t *list = arena_array(e->arena, e->names.decls.count + 1, sizeof *list);
  *count = 0;
  for (uint32_t i = 0; list && i < e->names.decls.count; i++) {
    const Decl *d = e->names.decls.items[i];
    if (d->kind == kind && d->scope == current(e)->scope) list[(*count)++] = d->index;
  }
  return list;
}

static void find_rows(Elab *e) {
  PortFile *f = current(e);
  SystemStorage *x = &f->storage;
  uint32_t declared, *list = list_declared(e, decl_state, &declared);
  x->rows = arena_array(e->arena, (size_t)declared + 1, sizeof *x->rows);
  for (uint32_t i = 0; list && x->rows && i < declared; i++) {
    SymbolId symbol = e->model->states.items[list[i]].x;
    bool by_events = e->ports.assigned[list[i]] && !expr_depends(e->pool, x->H, symbol);
    if (!e->ports.written[list[i]] && !by_events) x->rows[x->count++] = list[i];
  }
  bool structure = has_statement(f->scope, stmt_interconnection) || has_statement(f->scope, stmt_damping) ||
                   has_statement(f->scope, stmt_port);
  if (x->count || !declared || structure) return;
  x->fitted = true;
  for (uint32_t i = 0; list && x->rows && i < declared; i++) {
    if (e->ports.written[list[i]]) x->rows[x->count++] = list[i];
  }
}

static void read_energy(Elab *e) {
  PortFile *f = current(e);
  SystemStorage *x = &f->storage;
  x->H = expr_sum(e->pool, f->terms.items, f->terms.count);
  find_rows(e);
  SymbolId *symbols = arena_array(e->arena, (size_t)x->count + 1, sizeof *symbols);
  x->dH = arena_array(e->arena, (size_t)x->count + 1, sizeof *x->dH);
  if (!symbols || !x->dH || !x->H) {
    fail(e);
    return;
  }
  for (uint32_t i = 0; i < x->count; i++) symbols[i] = e->model->states.items[x->rows[i]].x;
  if (!x->count) {
    diag_error(e->diags, diag_structure, x->span, "no state is left for this energy: each has an equation of its own");
    diag_hint(e->diags, "rows of `interconnection` belong to states without an equation `x' = ...`");
    fail(e);
  } else if (!expr_gradient(e->pool, x->H, symbols, x->count, x->dH)) {
    fail(e);
  }
}

// The states with a row, and those that have none because of their equations.
static void hint_rows(Elab *e) {
  const PortFile *f = current(e);
  Text rows = text_in(e->arena), others = text_in(e->arena);
  for (uint32_t i = 0; i < f->storage.count && i < 20; i++)
    text_printf(&rows, "%s%s", i ? ", " : "", e->model->states.items[f->storage.rows[i]].name);
  uint32_t declared;
  const uint32_t *list = list_declared(e, decl_state, &declared);
  for (uint32_t i = 0; list && !f->storage.fitted && i < declared; i++) {
    if (e->ports.written[list[i]])
      text_printf(&others, "%s%s", others.length ? ", " : "", e->model->states.items[list[i]].name);
  }
  diag_hint(e->diags, "its rows are %s%s%s%s", text_str(&rows), others.length ? "; no row has " : "", text_str(&others),
            others.length ? ", for which an equation is written" : "");
}

// An n by n matrix; of one row a number will do.
static ExprId *square(Elab *e, const Stmt *s, const Binding *env) {
  const SystemStorage *x = &current(e)->storage;
  const char *word = word_statement(s->kind)->word;
  Value v = eval(e, s->expr, env);
  if (!v.shape) return NULL;
  bool fits = v.rows == x->count && v.cols == x->count && (v.shape == value_matrix || x->count == 1);
  if (!fits) {
    diag_error(e->diags, diag_structure, s->expr->span,
               "`%s` is %u by %u here, for as many states without an equation, but this is %s", word, x->count,
               x->count, value_describe(e->arena, &v));
    hint_rows(e);
    return NULL;
  }
  ExprId *items = arena_array(e->arena, (size_t)x->count * x->count, sizeof *items);
  for (uint32_t i = 0; items && i < x->count * x->count; i++) {
    items[i] = value_item(&v, i);
    if (!allowed(e, items[i], s->expr->span, word, 0)) return NULL;
  }
  return items;
}

static void take_matrix(Elab *e, const Stmt *s, const Binding *env) {
  SystemStorage *x = &current(e)->storage;
  bool J = s->kind == stmt_interconnection;
  if ((J ? x->J_span : x->R_span).source) {
    diag_error(e->diags, diag_twice, s->word, "a second `%s`", word_statement(s->kind)->word);
    fail(e);
    return;
  }
  *(J ? &x->J_span : &x->R_span) = s->expr->span;
  ExprId *items = square(e, s, env);
  if (!items) fail(e);
  *(J ? &x->J : &x->R) = items;
}

static ExprId *zeros(Elab *e, uint32_t count) {
  ExprId *items = arena_array(e->arena, (size_t)count + 1, sizeof *items);
  for (uint32_t i = 0; items && i < count; i++) items[i] = e->pool->zero;
  return items;
}

// J = [0, I; -I, 0]
static void canonical(Elab *e) {
  SystemStorage *x = &current(e)->storage;
  uint32_t n = x->count, half = n / 2;
  if (n % 2) {
    diag_error(e->diags, diag_structure, x->span,
               "`interconnection` is missing: without it states are places and as many momenta, but there %s %u",
               n == 1 ? "is" : "are", n);
    hint_rows(e);
    fail(e);
    return;
  }
  x->canonical = true;
  x->J = zeros(e, n * n);
  for (uint32_t i = 0; x->J && i < half; i++) {
    x->J[i * n + half + i] = e->pool->one;
    x->J[(half + i) * n + i] = e->pool->minus_one;
  }
}

// ---- ports

static Decl *port_input(Elab *e, const Stmt *s, const Binding *env) {
  const Item *item = &s->items.items[0];
  const char *name = path_full(e, item, env);
  Decl *d = name ? names_find(e, name) : NULL;
  if (!name) return NULL;
  if (d && d->kind == decl_input && !item->primes && d->scope == current(e)->scope) {
    d->used = true;
    return d;
  }
  if (d && d->kind == decl_input) {
    diag_error(e->diags, diag_port, item->name_span, "a port belongs to an input of its own file");
  } else if (d) {
    diag_error(e->diags, diag_port, item->name_span, "a port belongs to an input, but `%s` is %s", name,
               decl_word(d->kind));
  } else {
    diag_error(e->diags, diag_port, item->name_span, "a port belongs to an input, but there is no `%s`", name);
    diag_hint(e->diags, "declare it: `input %s = 0`", name);
  }
  return NULL;
}

// A vector of `count` entries; NULL: reported.
static ExprId *column(Elab *e, const Ast *a, const Binding *env, uint32_t count, const char *word) {
  Value v = eval(e, a, env);
  if (!v.shape) return NULL;
  bool fits = value_count(&v) == count && (v.shape == value_vector || count == 1);
  if (!fits) {
    diag_error(e->diags, diag_structure, a->span, "`%s` has an entry for each of the %u %s, but this is %s", word,
               count, current(e)->stored ? "states without an equation" : "coordinates of this file",
               value_describe(e->arena, &v));
    if (current(e)->stored) hint_rows(e);
    return NULL;
  }
  ExprId *items = zeros(e, count);
  KindSet more = current(e)->stored ? 0 : kind_set(sym_coord) | kind_set(sym_velocity);
  for (uint32_t i = 0; items && i < count; i++) {
    items[i] = value_item(&v, i);
    if (!allowed(e, items[i], a->span, word, more)) return NULL;
  }
  return items;
}

static void take_storage_port(Elab *e, const Stmt *s, const Binding *env, const Decl *d) {
  PortFile *f = current(e);
  SystemStorage *x = &f->storage;
  const Item *item = &s->items.items[0];
  SystemPort port = {.name = d->name, .input = d->index, .span = s->span};
  port.by = column(e, s->expr, env, x->count, "by");
  port.through = s->against ? column(e, s->against, env, x->count, "through") : zeros(e, x->count);
  Value feed = item->value ? eval(e, item->value, env) : value_of(e->pool->zero);
  for (uint32_t i = 0; i < value_count(&feed); i++) {
    if (feed.shape && !allowed(e, value_item(&feed, i), item->value ? item->value->span : s->span, "feed", 0))
      feed = value_none();
  }
  if (!port.by || !port.through || !feed.shape) {
    fail(e);
    return;
  }
  vec_push(e->arena, &x->ports, port);
  vec_push(e->arena, &f->feeds, feed);
  vec_push(e->arena, &f->feed_spans, item->value ? item->value->span : s->span);
}

static void take_force_port(Elab *e, const Stmt *s, const Binding *env, const Decl *d) {
  PortFile *f = current(e);
  Model *m = e->model;
  if (s->against || s->items.items[0].value) {
    diag_error(e->diags, diag_port, s->span, "`through` and `feed` go with `hamiltonian`");
    diag_hint(e->diags, "a damper at the port of a coordinate is `dissipation 1/2*d*(%s - x')^2`", d->name);
    fail(e);
    return;
  }
  ExprId *by = column(e, s->expr, env, f->coord_count, "by"), y = e->pool->zero;
  if (!by) {
    fail(e);
    return;
  }
  ExprId u = expr_sym(e->pool, m->inputs.items[d->index].symbol);
  for (uint32_t i = 0; i < f->coord_count; i++) {
    if (by[i] == e->pool->zero) continue;
    y = expr_add(e->pool, y, expr_mul(e->pool, by[i], expr_sym(e->pool, m->coords.items[f->coords[i]].v)));
    vec_push(e->arena, &m->forces, (SystemForce){f->coords[i], expr_mul(e->pool, by[i], u), s->span});
  }
  vec_push(e->arena, &m->force_ports, (SystemForcePort){d->name, d->index, y, s->span});
}

static void take_port(Elab *e, const Stmt *s, const Binding *env) {
  PortFile *f = current(e);
  const Decl *d = port_input(e, s, env);
  if (!d) {
    fail(e);
    return;
  }
  bool twice = false;
  for (uint32_t i = 0; i < f->storage.ports.count; i++) twice = twice || f->storage.ports.items[i].input == d->index;
  for (uint32_t i = 0; i < e->model->force_ports.count; i++)
    twice = twice || e->model->force_ports.items[i].input == d->index;
  if (twice) {
    diag_error(e->diags, diag_twice, s->items.items[0].name_span, "a second `port %s`", s->items.items[0].name);
    fail(e);
  } else if (f->stored) {
    take_storage_port(e, s, env, d);
  } else {
    take_force_port(e, s, env, d);
  }
}

// Rows of S, then y = (G + P)' dH + S u.
static void finish_ports(Elab *e) {
  PortFile *f = current(e);
  SystemStorage *x = &f->storage;
  ExprPool *pool = e->pool;
  uint32_t m = x->ports.count;
  for (uint32_t k = 0; k < m && !f->failed; k++) {
    SystemPort *p = &x->ports.items[k];
    const Value *feed = &f->feeds.items[k];
    p->feed = zeros(e, m);
    if (feed->shape != value_scalar && (feed->shape != value_vector || feed->rows != m)) {
      diag_error(e->diags, diag_structure, f->feed_spans.items[k],
                 "`feed` is a number, or has an entry for each of the %u ports, but this is %s", m,
                 value_describe(e->arena, feed));
      fail(e);
      return;
    }
    if (!p->feed) return;
    if (feed->shape == value_scalar) p->feed[k] = feed->scalar;
    else memcpy(p->feed, feed->items, m * sizeof *p->feed);
    p->y = pool->zero;
    for (uint32_t i = 0; i < x->count; i++)
      p->y = expr_add(pool, p->y, expr_mul(pool, expr_add(pool, p->by[i], p->through[i]), x->dH[i]));
    for (uint32_t j = 0; j < m; j++) {
      ExprId u = expr_sym(pool, e->model->inputs.items[x->ports.items[j].input].symbol);
      p->y = expr_add(pool, p->y, expr_mul(pool, p->feed[j], u));
    }
  }
}

static bool anything_to_hold(Elab *e) {
  PortFile *f = current(e);
  if (f->stored) return true;
  f->coords = list_declared(e, decl_coord, &f->coord_count);
  StmtKind kind = has_statement(f->scope, stmt_interconnection) ? stmt_interconnection
                  : has_statement(f->scope, stmt_damping)       ? stmt_damping
                                                                : stmt_port;
  if (kind == stmt_port && f->coord_count) return true;
  for (uint32_t i = 0; i < f->scope->program->statements.count; i++) {
    const Stmt *s = &f->scope->program->statements.items[i];
    if (s->kind != kind || s->broken) continue;
    diag_error(e->diags, diag_structure, s->word, "`%s` needs an energy in the same file: `hamiltonian ...`",
               word_statement(kind)->word);
    break;
  }
  return false;
}

static void read_file(Elab *e, PortFile *f) {
  if (f->state != decl_new) return;
  f->state = decl_active;
  // in the middle of something else
  VisitState visit = e->visit;
  const char *owner = e->blocks.owner;
  PortFile *outer = e->ports.current;
  e->ports.current = f;
  f->failed = !anything_to_hold(e);
  if (f->stored) visit_scope(e, f->scope, stmt_hamiltonian, take_hamiltonian);
  if (f->stored && !f->failed) read_energy(e);
  if (f->stored && !f->failed) visit_scope(e, f->scope, stmt_interconnection, take_matrix);
  if (f->stored && !f->failed) visit_scope(e, f->scope, stmt_damping, take_matrix);
  if (f->stored && !f->failed && !f->storage.J && !f->storage.fitted) canonical(e);
  if (f->stored && !f->storage.R) f->storage.R = zeros(e, f->storage.count * f->storage.count);
  if (!f->failed) visit_scope(e, f->scope, stmt_port, take_port);
  if (f->stored && !f->failed) finish_ports(e);
  e->ports.current = outer;
  e->visit = visit;
  e->blocks.owner = owner;
  f->state = decl_done;
}

Value port_output(Elab *e, Decl *input, Span use) {
  PortFile *f = input->scope->ports;
  if (f && f->state == decl_active) {
    diag_error(e->diags, diag_circle, use,
               "`%s.y` follows from the energy and the matrices, so it may not stand in them", input->name);
    return value_none();
  }
  if (f) read_file(e, f);
  for (uint32_t i = 0; f && !f->failed && i < f->storage.ports.count; i++) {
    if (f->storage.ports.items[i].input == input->index) return value_of(f->storage.ports.items[i].y);
  }
  for (uint32_t i = 0; f && i < e->model->force_ports.count; i++) {
    if (e->model->force_ports.items[i].input == input->index) return value_of(e->model->force_ports.items[i].y);
  }
  if (f && f->failed) return value_none(); // reported
  diag_error(e->diags, diag_port, use, "`%s` is no port, so it has no output `%s.y`", input->name, input->name);
  diag_hint(e->diags, "`port %s by [...]` makes it one", input->name);
  return value_none();
}

void ports_read(Elab *e) {
  for (uint32_t i = 0; i < e->names.scopes.count; i++) {
    PortFile *f = e->names.scopes.items[i]->ports;
    if (!f) continue;
    read_file(e, f);
    if (f->stored && !f->failed) vec_push(e->arena, &e->model->storages, f->storage);
  }
}

bool port_is(Elab *e, const Decl *input, bool *by_storage) {
  PortFile *f = input->scope->ports;
  if (!f || f->state == decl_active) return false;
  read_file(e, f);
  for (uint32_t i = 0; i < f->storage.ports.count; i++) {
    if (f->storage.ports.items[i].input == input->index) return *by_storage = true;
  }
  *by_storage = false;
  for (uint32_t i = 0; i < e->model->force_ports.count; i++) {
    if (e->model->force_ports.items[i].input == input->index) return true;
  }
  return false;
}
