// What the files that write an exported model share: pieces of text, and the order of the workspace.
//
// The workspace: right-hand side, outputs; of steps: rules, inputs, history; of constraints: residuals, corrections of
// positions, of velocities; the stages of a step.
#include "show/export_steps.h"

#include <math.h>
#include <string.h>

// ---- text

void export_safe(Text *out, const char *s) {
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '*' && s[1] == '/') text_put(out, "* ");
    else if (c == '/' && s[1] == '*') text_put(out, "/ ");
    else if (c == '"' || c == '\\') text_printf(out, "\\%c", c);
    else if (c == '?') text_put(out, "\\?");
    else text_putc(out, c < 32 ? ' ' : (char)c);
  }
}

void export_number(const ExportShow *s, Text *out, double x) {
  if (isnan(x)) {
    text_printf(out, "(%s_real)NAN", s->name);
    return;
  }
  char number[number_text_size];
  number_print(x, number);
  text_printf(out, "%s%s%s", number, strpbrk(number, ".en") ? "" : ".0", s->single ? "f" : "");
}

void export_put(const ExportShow *s, Text *out, const char *text) {
  for (const char *at = text; *at; at++) {
    if (at[0] == '@' && at[1] == 'n') text_put(out, s->name), at++;
    else if (at[0] == '@' && at[1] == 'N') text_put(out, s->upper), at++;
    else text_putc(out, *at);
  }
}

// ---- the workspace

void export_put_variables(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  uint32_t params = e->system->params.count;
  text_printf(o, "  w[%u] = t;\n", params);
  if (e->width == e->dim)
    text_printf(o, "  for (unsigned i = 0; i < %s_STATES; i++) w[%u + i] = y[i];\n", s->upper, params + 1);
  for (uint32_t i = 0; e->width != e->dim && i < e->dim; i++)
    text_printf(o, "  w[%u] = y[%u];\n", params + 1 + e->places[i], i);
}

uint32_t export_memory_at(const Export *e) { return e->system->params.count + 1 + e->width; }

static uint32_t steps_work(const ExportEvents *e) {
  return e->rules->slot_count + (e->delays ? e->inputs->slot_count + e->history->slot_count : 0);
}

static uint32_t bound_work(const ExportConstraints *c) {
  return c->residues->slot_count + c->place->slot_count + c->speed->slot_count;
}

uint32_t export_bound_at(const Export *e) {
  return e->f->slot_count + e->rows->slot_count + (e->events ? steps_work(e->events) : 0);
}

uint32_t export_stages_at(const Export *e) {
  return export_bound_at(e) + (e->constraints ? bound_work(e->constraints) : 0);
}

// A stack may be too small for them.
void export_put_stages(const ExportShow *s, Text *o, const char *last) {
  const char *u = s->upper;
  text_printf(o,
              "  viva_real *k1 = w + %u, *k2 = k1 + %s_STATES, *k3 = k2 + %s_STATES, *k4 = k3 + %s_STATES, *%s = k4 + "
              "%s_STATES;\n",
              export_stages_at(s->e), u, u, u, last, u);
}

// Unit quaternions: as sim/balls.c does it.
void export_put_balls(const ExportShow *s, const char *indent, Text *o) {
  const System *system = s->e->system;
  for (uint32_t i = 0; i < system->tree.balls.count; i++) {
    text_printf(o, "%s{\n%s  viva_real square = 0;\n", indent, indent);
    unsigned place[4];
    for (uint32_t k = 0; k < 4; k++) {
      uint32_t at = system_place(system, system->states.items[system->tree.balls.items[i].first + k].x);
      place[k] = 0;
      for (uint32_t j = 0; j < at; j++) place[k] += system->y.items[j].symbol != 0;
      text_printf(o, "%s  square += y[%u]*y[%u];\n", indent, place[k], place[k]);
    }
    text_printf(o, "%s  if (square != 1 && square > 0 && square - square == 0) {\n", indent);
    text_printf(o, "%s    viva_real factor = 1/sqrt%s(square);\n", indent, s->single ? "f" : "");
    for (int k = 0; k < 4; k++) text_printf(o, "%s    y[%u] *= factor;\n", indent, place[k]);
    text_printf(o, "%s  }\n%s}\n", indent, indent);
  }
}
