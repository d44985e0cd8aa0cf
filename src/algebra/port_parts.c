// What the pieces of a port-Hamiltonian form share: storage, notes, entries for reading. A part of port_form.h.
#include "algebra/port_form.h"

#include "expr/calculus.h"

const char port_beyond_note[] = "inputs enter otherwise than linearly: ports are the linear part, the rest stands in g";

ExprId port_tidy(ExprPool *pool, ExprId id) { return expr_group(pool, expr_expand(pool, id, 20000)); }

void port_note(PortForm *f, const char *note) {
  if (note) vec_push(f->s->arena, &f->notes, note);
}

ExprId *port_zeros(System *s, size_t count) {
  ExprId *items = arena_array(s->arena, count + 1, sizeof *items);
  for (size_t i = 0; items && i < count; i++) items[i] = s->pool->zero;
  return items;
}

bool port_form_open(System *s, PortForm *f, uint32_t n, uint32_t m) {
  *f = (PortForm){.s = s, .n = n, .m = m, .H = s->pool->zero, .still = s->pool->zero};
  f->x = arena_array(s->arena, (size_t)n + 1, sizeof *f->x);
  f->u = arena_array(s->arena, (size_t)m + 1, sizeof *f->u);
  f->names = arena_array(s->arena, (size_t)m + 1, sizeof *f->names);
  f->dH = port_zeros(s, n);
  f->F = port_zeros(s, (size_t)n * n);
  f->E = port_zeros(s, (size_t)n * m);
  f->W = port_zeros(s, (size_t)m * n);
  f->S = port_zeros(s, (size_t)m * m);
  f->g = port_zeros(s, n);
  return !arena_failed(s->arena);
}

void port_form_lists(PortForm *f, PortList out[port_list_count]) {
  const PortList lists[port_list_count] = {{&f->H, 1},
                                           {f->F, (size_t)f->n * f->n},
                                           {f->E, (size_t)f->n * f->m},
                                           {f->W, (size_t)f->m * f->n},
                                           {f->S, (size_t)f->m * f->m},
                                           {f->g, f->n},
                                           {f->A, (size_t)f->n * f->bound}};
  for (size_t k = 0; k < port_list_count; k++) out[k] = lists[k];
}
