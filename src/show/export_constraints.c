// Projection onto the constraint manifold in an exported model, as C.
//
// in    the tapes of ExportConstraints: residuals, corrections of positions and of velocities; the initial values
// out   NAME_project, NAME_residues, the part of NAME_start; `keep` for the ends of steps, `impulse` for events
// how   as sim/constrain.c does it inside a run, in the same order, so that the bits are the same
//
// Their part of the workspace stands behind that of the steps, before the stages of a step. Corrections are put into
// the stages, which are free whenever constraints are looked at.
#include "show/export_steps.h"

enum { bound_tapes = 3 };

uint32_t export_bound_tapes(const ExportConstraints *c, const Tape **tapes, const char **names) {
  tapes[0] = c->residues;
  names[0] = "missing";
  tapes[1] = c->place;
  names[1] = "place_corrections";
  tapes[2] = c->speed;
  names[2] = "speed_corrections";
  return bound_tapes;
}

// Where the workspace of each of them begins.
static void find_work(const Export *e, uint32_t at[bound_tapes]) {
  const ExportConstraints *c = e->constraints;
  at[0] = export_bound_at(e);
  at[1] = at[0] + c->residues->slot_count;
  at[2] = at[1] + c->place->slot_count;
}

// ---- the header

void export_bound_header(const ExportShow *s, Text *o) {
  const ExportConstraints *c = s->e->constraints;
  export_put(s, o, "\n/* The constraints:\n");
  for (uint32_t k = 0; k < c->count; k++) {
    text_printf(o, " *   %u  ", k);
    export_safe(o, c->names[k]);
    text_putc(o, '\n');
  }
  export_put(
      s, o,
      s->e->events
          ? " * @n_step ends on them, and returns -1 where it cannot. Velocities that `when` and `every` set are "
            "answered by an impulse.\n"
          : " * @n_rk4 ends on them; where it cannot, y has no finite values. @n_rk4_to is the same to `end`, "
            "which is t + h as\n"
            " * the caller counts its time: where constraints depend on time the last bits do.\n");
  export_put(s, o,
             " *\n"
             " * @n_start gives a y that obeys them, the one of `viva run`, where p holds the parameters as the model "
             "has them. With\n"
             " * others it returns 1, and y is what the model says and guesses: @n_project is Newton's search from "
             "there. It may move\n"
             " * what was said; any other y may be put in before it.\n"
             " *\n"
             " *   if (@n_start(p, y) && @n_project(0, y, w)) ... no start was found\n"
             " */\n");
  text_printf(o, "enum { %s_CONSTRAINTS = %u };\n", s->upper, c->count);
  if (!s->e->events) export_put(s, o, "void @n_rk4_to(@n_real t, @n_real h, @n_real end, @n_real *y, @n_real *w);\n");
  export_put(
      s, o,
      "/* Brings y back onto the constraints: to the nearest place in the metric of the masses, and the velocities as "
      "an impulse\n"
      " * does. 0: they hold, to rounding; 1: no place was found from here, and y is where the search ended. */\n"
      "int @n_project(@n_real t, @n_real *y, @n_real *w);\n"
      "/* How far y is from obeying: out has 2*@N_CONSTRAINTS numbers, the value of each constraint (left side minus "
      "right side,\n"
      " * 0 for one on velocities), then the rate of each. */\n"
      "void @n_residues(@n_real t, const @n_real *y, @n_real *out, @n_real *w);\n\n");
}

// ---- the start

void export_bound_start(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  uint32_t params = e->system->params.count;
  text_put(o, "  /* with the parameters of the model: as the constraints let it be */\n");
  for (uint32_t i = 0; i < params; i++) {
    text_printf(o, "  if (p[%u] != ", i);
    export_number(s, o, e->params[i]);
    text_put(o, ") return 1;\n");
  }
  for (uint32_t i = 0; i < e->dim; i++) {
    text_printf(o, "  y[%u] = ", i);
    export_number(s, o, e->constraints->start[i]);
    text_put(o, ";\n");
  }
  text_put(o, "  return 0;\n");
}

void export_bound_prepare(const ExportShow *s, Text *o) {
  uint32_t params = s->e->system->params.count, at[bound_tapes];
  const Tape *tapes[bound_tapes];
  const char *names[bound_tapes];
  find_work(s->e, at);
  export_bound_tapes(s->e->constraints, tapes, names);
  for (uint32_t i = 0; i < bound_tapes; i++) {
    if (params) text_printf(o, "  for (unsigned i = 0; i < %u; i++) w[%u + i] = p[i];\n", params, at[i]);
    text_printf(o, "  %s_%s_prepare(w + %u);\n", s->name, names[i], at[i]);
  }
}

// ---- the source

// The values of memory blocks, into their workspaces. total: how many numbers that is.
void export_bound_memory(const ExportShow *s, uint32_t total, Text *o) {
  uint32_t z = export_memory_at(s->e), at[bound_tapes];
  find_work(s->e, at);
  for (uint32_t i = 0; i < bound_tapes && total; i++)
    text_printf(o, "  for (unsigned i = 0; i < %u; i++) w[%u + i] = m->z[i];\n", total, at[i] + z);
}

// The body of a function: a tape there, and its first results.
static void put_evaluation(const ExportShow *s, const EmitJob *job, const char *what, uint32_t at, uint32_t count,
                           Text *o) {
  text_printf(o, "  w += %u;\n", at);
  export_put_variables(s, o);
  text_printf(o, "  %s_%s(w);\n", s->name, what);
  for (uint32_t i = 0; i < count; i++) {
    text_printf(o, "  out[%u] = ", i);
    emit_result(job, i);
    text_put(o, ";\n");
  }
  text_put(o, "}\n\n");
}

static void put_places(Text *o, const char *name, const uint32_t *at, uint32_t count) {
  text_printf(o, "static const unsigned %s[%u] = {", name, count ? count : 1);
  for (uint32_t i = 0; i < count; i++) text_printf(o, i == 0 ? "%u" : i % 16 ? ", %u" : ",\n    %u", at[i]);
  text_put(o, count ? "};\n" : "0};\n");
}

// Where the corrections stand: inside a step its stages are in use.
static const char *room_of_corrections(const ExportShow *s) {
  const ExportConstraints *c = s->e->constraints;
  return c->dependent ? arena_printf(s->e->arena, "d[%u]", c->coords)
                      : arena_printf(s->e->arena, "*d = w + %u", export_stages_at(s->e));
}

// Rotation of the quaternion of a spherical joint, as bound_move of a run.
static void put_turn(const ExportShow *s, Text *o) {
  const ExportConstraints *c = s->e->constraints;
  const char *f = s->single ? "f" : "";
  if (!c->turns) return;
  put_places(o, "bound_turns", c->turn, c->coords);
  put_places(o, "bound_quaternions", c->r, 4 * c->coords);
  text_printf(o,
              "\n/* Turns a body by d about its axis k, 1 to 3: r (1, d/2 e_k), at length 1. */\n"
              "static void turn(viva_real *y, const unsigned *r, unsigned k, viva_real d) {\n"
              "  static const int with[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};\n"
              "  static const int sign[3][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}, {-1, 1, -1, 1}};\n"
              "  const viva_real was[4] = {y[r[0]], y[r[1]], y[r[2]], y[r[3]]}, scale = 1/sqrt%s(1 + 0.25%s*d*d);\n"
              "  for (int i = 0; i < 4; i++)\n"
              "    y[r[i]] = (was[i] + 0.5%s*d*(viva_real)sign[k - 1][i]*was[with[k - 1][i]])*scale;\n"
              "}\n\n",
              f, f, f);
}

// The order of the operations is the one of a run.
static void put_correct(const ExportShow *s, Text *o) {
  const char *f = s->single ? "f" : "";
  bool turns = s->e->constraints->turns;
  text_printf(o,
              "/* One correction of the bound places, or of their velocities. Its largest part of the sizes; negative: "
              "it has no\n * finite value. */\n"
              "static viva_real correct(int rates, viva_real t, viva_real *y, viva_real *w) {\n"
              "  const unsigned *at = rates ? bound_speeds : bound_places;\n"
              "  viva_real %s, most = 0, size = 0;\n"
              "  if (rates) see_speed_corrections(t, y, d, w);\n"
              "  else see_place_corrections(t, y, d, w);\n"
              "  for (unsigned i = 0; i < %u; i++) {\n"
              "    const viva_real own = %sy[at[i]] < 0 ? -y[at[i]] : y[at[i]], by = d[i] < 0 ? -d[i] : d[i];\n"
              "    if (!isfinite(d[i])) return -1;\n"
              "    if (own > size) size = own;\n"
              "    if (by > most) most = by;\n"
              "  }\n"
              "  for (unsigned i = 0; i < %u; i++) %sy[at[i]] += d[i];\n"
              "  return most > 0 ? most/(size > most ? size : most) : 0;\n"
              "}\n\n",
              room_of_corrections(s), s->e->constraints->coords, turns ? "!rates && bound_turns[i] ? 1 : " : "",
              s->e->constraints->coords,
              turns ? "if (!rates && bound_turns[i]) turn(y, bound_quaternions + 4*i, bound_turns[i], d[i]);\n    else "
                    : "");
  text_printf(o,
              "/* Corrections below this part of the size are rounding; what does not become smaller any more must be "
              "below\n * the second. */\n"
              "#define BOUND_SLACK %s\n#define BOUND_ROUGH %s\n\n"
              "static int repeat(int rates, viva_real t, viva_real *y, viva_real *w) {\n"
              "  viva_real before = 0;\n"
              "  for (int i = 0; i < 12; i++) {\n"
              "    const viva_real size = correct(rates, t, y, w);\n"
              "    if (size < 0) return 1;\n"
              "    if (size <= BOUND_SLACK || (i && size > 0.25%s*before && size < BOUND_ROUGH)) return 0;\n"
              "    if (i > 3 && size > before) return 1;\n"
              "    before = size;\n"
              "  }\n"
              "  return !(before < BOUND_ROUGH);\n"
              "}\n\n",
              s->single ? "2e-7f" : "4e-16", s->single ? "5e-4f" : "1e-8", f);
}

static void put_impulse(const ExportShow *s, Text *o) {
  bool moves = false;
  const ExportEvents *v = s->e->events;
  for (uint32_t i = 0; v && i < v->whens.count; i++) moves = moves || v->whens.items[i].moves;
  if (!moves) return;
  text_put(o,
           "/* What the constraints answer to velocities that an event has set. Once would do, but for rounding. */\n"
           "static void impulse(viva_real t, viva_real *y, viva_real *w) {\n"
           "  for (int i = 0; i < 3; i++) {\n"
           "    const viva_real moved = correct(1, t, y, w);\n"
           "    if (moved <= BOUND_SLACK) break;\n"
           "  }\n"
           "}\n\n");
}

// As constraint_stage of a run.
static void put_stage(const ExportShow *s, Text *o) {
  if (!s->e->constraints->dependent) return;
  export_put(s, o,
             "/* The constraints depend on each other where they hold, and there alone: beside them rates would say "
             "nothing. */\n"
             "static void bound_f(viva_real t, const viva_real *y, viva_real *dydt, viva_real *w) {\n"
             "  viva_real seen[@N_STATES];\n"
             "  int fine = 1;\n"
             "  for (unsigned i = 0; i < @N_STATES; i++) seen[i] = y[i];\n"
             "  for (int rates = 0; rates < 2; rates++) {\n"
             "    viva_real part = 1;\n"
             "    for (int i = 0; i < 4 && fine && part > (viva_real)1e-10; i++) {\n"
             "      part = correct(rates, t, seen, w);\n"
             "      fine = part >= 0;\n"
             "    }\n"
             "  }\n"
             "  @n_f(t, fine ? seen : y, dydt, w);\n"
             "}\n\n");
}

const char *export_bound_rates(const ExportShow *s) {
  return s->e->constraints && s->e->constraints->dependent ? "bound" : s->name;
}

void export_bound_source(const ExportShow *s, const EmitJob *jobs, Text *o) {
  const ExportConstraints *c = s->e->constraints;
  uint32_t at[bound_tapes];
  find_work(s->e, at);
  export_put(s, o, "void @n_residues(viva_real t, const viva_real *y, viva_real *out, viva_real *w) {\n");
  put_evaluation(s, &jobs[0], "missing", at[0], 2 * c->count, o);
  static const char *const names[bound_tapes] = {"", "place_corrections", "speed_corrections"};
  for (uint32_t i = 1; i < bound_tapes; i++) {
    text_printf(o, "static void see_%s(viva_real t, const viva_real *y, viva_real *out, viva_real *w) {\n", names[i]);
    put_evaluation(s, &jobs[i], names[i], at[i], c->coords, o);
  }
  put_places(o, "bound_places", c->q, c->coords);
  put_places(o, "bound_speeds", c->v, c->coords);
  text_putc(o, '\n');
  put_turn(s, o);
  put_correct(s, o);
  export_put(s, o, "int @n_project(viva_real t, viva_real *y, viva_real *w) {\n");
  export_put_balls(s, "  ", o);
  export_put(s, o, "  return repeat(0, t, y, w) || repeat(1, t, y, w);\n}\n\n");
  put_impulse(s, o);
  put_stage(s, o);
}
