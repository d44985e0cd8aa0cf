// The structure of a Linkage: every expression in numbers, at one time and with the values of the parameters.
//
// Numbers that are written as such are read at once; the others are the results of one tape. What is not said is as
// drawn: the length of a bar, the rest length of a spring, the rest angle of a torsion. A law of springs is a tape of
// its own in the stretch, with its derivative.
#include "expr/calculus.h"
#include "statics/structure.h"
#include "tape/tape.h"

#include <math.h>
#include <string.h>

typedef struct Made {
  Arena *arena, *passing;
  System own; // with a pool that may grow
  ExprPool pool;
  double time;
  const Linkage *linkage;
  Structure *s;
  StructureFault *fault;
  bool not_finite;
  // expressions that are no numbers, and where their values go
  VEC(ExprId) wanted;
  VEC(double *) targets;
  // what is read into passing arrays before it is used
  double *node_mass, *bar_mass, *load, *along, gravity[3];
} Made;

// ---- numbers

// The value of an expression goes to `out`; now if it is a number, else by the tape. 0: stays as it is.
static bool want(Made *m, ExprId id, double *out) {
  Rat value;
  if (!id) return true;
  if (expr_number(&m->pool, id, &value)) {
    *out = rat_to_double(value);
    return true;
  }
  return vec_push(m->passing, &m->wanted, id) && vec_push(m->passing, &m->targets, out);
}

// Inputs are what they are at this time; one may be said by others, which are said before it.
static bool put_inputs(Made *m) {
  SymbolMap map = symbol_map_in(m->passing);
  const SystemInputList *inputs = &m->own.inputs;
  for (uint32_t i = 0; i < inputs->count; i++) {
    ExprId value = inputs->items[i].value;
    if (!value) continue;
    if (!expr_replace(&m->pool, &map, &value, 1, &value)) return false;
    symbol_map_set(&map, inputs->items[i].symbol, value);
  }
  return inputs->count == 0 || expr_replace(&m->pool, &map, m->wanted.items, m->wanted.count, m->wanted.items);
}

static bool compute(Made *m) {
  if (m->wanted.count == 0) return true;
  if (!put_inputs(m)) return false;
  const Tape *t = tape_build(m->passing, &(TapeRequest){.system = &m->own,
                                                        .vars = &m->own.time,
                                                        .var_count = 1,
                                                        .results = m->wanted.items,
                                                        .result_count = m->wanted.count,
                                                        .params_by_value = true});
  double *w = t ? arena_array(m->passing, t->slot_count, sizeof *w) : NULL;
  if (!w) return false;
  tape_prepare(t, w);
  tape_vars(t, w)[0] = m->time;
  tape_eval(t, w);
  for (uint32_t i = 0; i < m->wanted.count; i++) *m->targets.items[i] = tape_result(t, w, i);
  return true;
}

static void blame(Made *m, StructurePart part, uint32_t index, double value) {
  if (isfinite(value) || m->not_finite) return;
  m->not_finite = true;
  *m->fault = (StructureFault){part, index};
}

// ---- laws

typedef struct Law {
  const Tape *tape;
  double *w;
  double time;
} Law;

static void law_value(const void *data, double e, double *force, double *slope) {
  const Law *law = data;
  double *vars = tape_vars(law->tape, law->w);
  vars[0] = law->time;
  vars[1] = e;
  tape_eval(law->tape, law->w);
  *force = tape_result(law->tape, law->w, 0);
  *slope = tape_result(law->tape, law->w, 1);
}

static bool add_law(Made *m, const LinkageSpring *spring) {
  Law *law = arena_new_of(m->arena, Law);
  ExprId results[2] = {spring->force, expr_diff(&m->pool, spring->force, spring->stretch)};
  SymbolId vars[2] = {m->own.time, spring->stretch};
  if (!law || !results[1]) return false;
  law->time = m->time;
  law->tape = tape_build(m->arena, &(TapeRequest){.system = &m->own,
                                                  .vars = vars,
                                                  .var_count = 2,
                                                  .results = results,
                                                  .result_count = 2,
                                                  .params_by_value = true});
  law->w = law->tape ? arena_array(m->arena, law->tape->slot_count, sizeof *law->w) : NULL;
  if (!law->w) return false;
  tape_prepare(law->tape, law->w);
  StructureLaw made = {law_value, law};
  return vec_push(m->arena, &m->s->laws, made);
}

// ---- parts, with fields for their numbers

static bool read_nodes(Made *m) {
  const Linkage *l = m->linkage;
  m->node_mass = arena_array(m->passing, l->nodes.count, sizeof *m->node_mass);
  if (!m->node_mass) return false;
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    const LinkageNode *node = &l->nodes.items[i];
    m->s->fixed[i] = node->fixed;
    if (!want(m, node->mass, &m->node_mass[i])) return false;
    for (uint32_t k = 0; k < l->dimensions; k++) {
      if (!want(m, node->place[k], &m->s->place[(size_t)i * l->dimensions + k])) return false;
    }
  }
  for (uint32_t k = 0; k < l->dimensions; k++) {
    if (!want(m, l->gravity[k], &m->gravity[k])) return false;
  }
  return true;
}

// NAN: as drawn
static bool read_bars(Made *m) {
  const Linkage *l = m->linkage;
  m->bar_mass = arena_array(m->passing, l->bars.count, sizeof *m->bar_mass);
  if (!m->bar_mass || !vec_reserve(m->arena, &m->s->bars, l->bars.count)) return false;
  m->s->bar_count = l->bars.count;
  for (uint32_t i = 0; i < l->bars.count; i++) {
    const LinkageBar *bar = &l->bars.items[i];
    m->s->bars.items[i] = (StructureBar){bar->a, bar->b, 0, i, structure_none};
    if (!want(m, bar->length, &m->s->bars.items[i].length) || !want(m, bar->mass, &m->bar_mass[i])) return false;
  }
  m->s->bars.count = l->bars.count;
  return true;
}

static bool read_springs(Made *m) {
  const Linkage *l = m->linkage;
  ExprId last_force = 0;
  SymbolId last_stretch = 0;
  if (!vec_reserve(m->arena, &m->s->springs, l->springs.count)) return false;
  for (uint32_t i = 0; i < l->springs.count; i++) {
    const LinkageSpring *spring = &l->springs.items[i];
    StructureSpring *out = &m->s->springs.items[i];
    *out = (StructureSpring){.a = spring->a, .b = spring->b, .law = structure_none, .cable = spring->cable};
    if (!want(m, spring->stiffness, &out->stiffness) || !want(m, spring->length, &out->length)) return false;
    if (!spring->force) continue;
    bool again = spring->force == last_force && spring->stretch == last_stretch; // springs of one kind stand together
    if (!again && !add_law(m, spring)) return false;
    out->law = m->s->laws.count - 1;
    last_force = spring->force;
    last_stretch = spring->stretch;
  }
  m->s->springs.count = l->springs.count;
  return true;
}

static bool read_others(Made *m) {
  const Linkage *l = m->linkage;
  m->load = arena_array(m->passing, 3 * (size_t)l->loads.count, sizeof *m->load);
  m->along = arena_array(m->passing, 3 * (size_t)l->sliders.count, sizeof *m->along);
  if (!m->load || !m->along || !vec_reserve(m->arena, &m->s->torsions, l->torsions.count)) return false;
  for (uint32_t i = 0; i < l->torsions.count; i++) {
    const LinkageTorsion *t = &l->torsions.items[i];
    m->s->torsions.items[i] = (StructureTorsion){t->a, t->b, t->c, 0, 0};
    if (!want(m, t->stiffness, &m->s->torsions.items[i].stiffness)) return false;
    if (!want(m, t->angle, &m->s->torsions.items[i].rest)) return false;
  }
  m->s->torsions.count = l->torsions.count;
  for (uint32_t k = 0; k < l->dimensions; k++) {
    for (uint32_t i = 0; i < l->loads.count; i++) {
      if (!want(m, l->loads.items[i].force[k], &m->load[3 * (size_t)i + k])) return false;
    }
    for (uint32_t i = 0; i < l->sliders.count; i++) {
      if (!want(m, l->sliders.items[i].along[k], &m->along[3 * (size_t)i + k])) return false;
    }
  }
  return true;
}

// ---- what is as drawn, and what follows from positions

static double drawn(const Structure *s, uint32_t a, uint32_t b) {
  double sum = 0;
  for (uint32_t k = 0; k < s->dim; k++) {
    double v = s->place[(size_t)b * s->dim + k] - s->place[(size_t)a * s->dim + k];
    sum += v * v;
  }
  return sqrt(sum);
}

static double drawn_angle(const Structure *s, const StructureTorsion *t) {
  double u[3] = {0}, v[3] = {0}, n[3], dot = 0;
  for (uint32_t k = 0; k < s->dim; k++) {
    u[k] = s->place[(size_t)t->a * s->dim + k] - s->place[(size_t)t->b * s->dim + k];
    v[k] = s->place[(size_t)t->c * s->dim + k] - s->place[(size_t)t->b * s->dim + k];
    dot += u[k] * v[k];
  }
  n[0] = u[1] * v[2] - u[2] * v[1];
  n[1] = u[2] * v[0] - u[0] * v[2];
  n[2] = u[0] * v[1] - u[1] * v[0];
  return s->dim == 2 ? atan2(n[2], dot) : atan2(sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), dot);
}

static void draw_lengths(Made *m) {
  const Linkage *l = m->linkage;
  Structure *s = m->s;
  for (uint32_t i = 0; i < s->nodes; i++) {
    for (uint32_t k = 0; k < s->dim; k++) blame(m, structure_node, i, s->place[(size_t)i * s->dim + k]);
    blame(m, structure_node, i, m->node_mass[i]);
  }
  for (uint32_t i = 0; i < s->bars.count; i++) {
    StructureBar *bar = &s->bars.items[i];
    if (!l->bars.items[i].length) bar->length = drawn(s, bar->a, bar->b);
    blame(m, structure_bar, i, bar->length + m->bar_mass[i]);
  }
  for (uint32_t i = 0; i < s->springs.count; i++) {
    StructureSpring *spring = &s->springs.items[i];
    if (!l->springs.items[i].length) spring->length = drawn(s, spring->a, spring->b);
    blame(m, structure_spring, i, spring->length + spring->stiffness);
  }
  for (uint32_t i = 0; i < s->torsions.count; i++) {
    StructureTorsion *t = &s->torsions.items[i];
    if (!l->torsions.items[i].angle) t->rest = drawn_angle(s, t);
    blame(m, structure_torsion, i, t->rest + t->stiffness);
  }
}

static void add_weights(Made *m) {
  Structure *s = m->s;
  for (uint32_t k = 0; k < s->dim; k++) {
    blame(m, structure_gravity, 0, m->gravity[k]);
    for (uint32_t i = 0; i < s->nodes; i++) s->force[(size_t)i * s->dim + k] += m->node_mass[i] * m->gravity[k];
    for (uint32_t i = 0; i < s->bars.count; i++) {
      double half = m->bar_mass[i] * m->gravity[k] / 2;
      s->force[(size_t)s->bars.items[i].a * s->dim + k] += half;
      s->force[(size_t)s->bars.items[i].b * s->dim + k] += half;
    }
  }
}

static bool add_loads(Made *m) {
  const Linkage *l = m->linkage;
  Structure *s = m->s;
  for (uint32_t i = 0; i < l->loads.count; i++) {
    const LinkageLoad *load = &l->loads.items[i];
    const double *f = m->load + 3 * (size_t)i;
    for (uint32_t k = 0; k < s->dim; k++) blame(m, structure_load, i, f[k]);
    if (s->fixed[load->node] == (1u << s->dim) - 1 && !vec_push(m->arena, &s->idle, load->node)) return false;
    if (load->bar == linkage_none) {
      for (uint32_t k = 0; k < s->dim; k++) s->force[(size_t)load->node * s->dim + k] += f[k];
      continue;
    }
    const LinkageBar *bar = &l->bars.items[load->bar];
    StructureFollower follower = {.node = load->node, .a = bar->a, .b = bar->b, .force = {f[0], f[1], f[2]}};
    double length = drawn(s, bar->a, bar->b);
    for (uint32_t k = 0; k < s->dim; k++) {
      follower.drawn[k] = (s->place[(size_t)bar->b * s->dim + k] - s->place[(size_t)bar->a * s->dim + k]) / length;
    }
    if (!vec_push(m->arena, &s->followers, follower)) return false;
  }
  return true;
}

static bool add_bound(Made *m) {
  const Linkage *l = m->linkage;
  for (uint32_t i = 0; i < l->sliders.count; i++) {
    const LinkageSlider *slider = &l->sliders.items[i];
    bool moving = slider->c != linkage_none;
    for (uint32_t k = 0; k < 3 && !moving; k++) blame(m, structure_slider, i, m->along[3 * (size_t)i + k]);
    if (m->not_finite) return true;
    bool ok = moving ? structure_add_moving_slider(m->arena, m->s, slider->node, slider->c, slider->d)
                     : structure_add_slider(m->arena, m->s, slider->node, m->along + 3 * (size_t)i);
    if (!ok) blame(m, structure_slider, i, NAN);
  }
  for (uint32_t i = 0; i < l->rigids.count; i++) {
    const LinkageRigid *rigid = &l->rigids.items[i];
    if (!structure_add_rigid(m->arena, m->s, l->members.items + rigid->first, rigid->count, i)) {
      blame(m, structure_rigid, i, NAN);
    }
  }
  return !arena_failed(m->arena);
}

static StructureStatus make(Made *m) {
  if (!read_nodes(m) || !read_bars(m) || !read_springs(m) || !read_others(m) || !compute(m)) {
    return structure_out_of_memory;
  }
  draw_lengths(m);
  if (m->not_finite) return structure_not_finite;
  add_weights(m);
  if (!add_loads(m) || !add_bound(m)) return structure_out_of_memory;
  return m->not_finite ? structure_not_finite : structure_made;
}

StructureStatus structure_make(Arena *arena, const System *system, double time, Structure *out, StructureFault *fault) {
  const Linkage *l = &system->linkage;
  Made m = {.arena = arena, .time = time, .linkage = l, .s = out, .fault = fault};
  // laws keep their tapes, and with them expressions: the pool lives as long as the arena
  if (!structure_init(arena, out, l->dimensions, l->nodes.count) || !system_clone(&m.own, system, &m.pool, arena)) {
    return structure_out_of_memory;
  }
  m.passing = arena_new_scratch(arena);
  StructureStatus status = m.passing ? make(&m) : structure_out_of_memory;
  arena_free_scratch(m.passing);
  return status;
}
