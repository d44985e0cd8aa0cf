// Dimensional synthesis of a mechanism as text and JSON. See synthesis.h.
#include "show/synthesis.h"

#include <math.h>
#include <string.h>

enum { most_points = 40 };

// The drives of free parameters stand behind those of what passes.
static uint32_t first_free(const Positions *x) { return x->places.k - x->synthesis.d; }

// The element that is farthest from its shape, over all points: among what is shown; UINT32_MAX: none.
static uint32_t worst_element(const Positions *x, double *most) {
  const Places *p = &x->places;
  uint32_t worst = UINT32_MAX;
  *most = 0;
  for (size_t r = 0; (r + 1) * x->columns <= x->rows.count; r++) {
    const double *row = x->rows.items + r * x->columns + p->k + p->soft.first;
    for (uint32_t i = 0; i < p->soft.count; i++) {
      if (worst != UINT32_MAX && !(fabs(row[i]) > fabs(*most))) continue;
      *most = row[i];
      worst = p->soft.first + i;
    }
  }
  return worst;
}

static void put_parameters(const Positions *x, Text *out) {
  const Synthesis *s = &x->synthesis;
  size_t width = 0;
  for (uint32_t i = 0; i < s->d; i++) {
    size_t length = strlen(x->drives[first_free(x) + i].name);
    width = length > width ? length : width;
  }
  text_put(out, "Found\n");
  for (uint32_t i = 0; i < s->d; i++)
    text_printf(out, "  %-*s = %.9g\n", (int)width, x->drives[first_free(x) + i].name, s->p[i]);
  text_putc(out, '\n');
}

static void put_points(const Positions *x, Text *out) {
  const Synthesis *s = &x->synthesis;
  uint32_t targets = first_free(x);
  text_put(out, "Points\n");
  for (uint32_t i = 0; i < targets; i++) text_printf(out, "  %14s", x->names[i]);
  text_put(out, "           off\n");
  for (uint32_t j = 0; j < s->count && j < most_points; j++) {
    for (uint32_t i = 0; i < targets; i++) text_printf(out, "  %14.9g", x->rows.items[(size_t)j * x->columns + i]);
    text_printf(out, "  %12.4g\n", s->off[j]);
  }
  if (s->count > most_points) text_printf(out, "  (%u points: `--out FILE.csv` has them all)\n", s->count);
  text_putc(out, '\n');
}

void show_synthesis_text(const Positions *x, Text *out) {
  const Synthesis *s = &x->synthesis;
  double most;
  if (!x->row_count) return;
  put_parameters(x, out);
  put_points(x, out);
  uint32_t worst = worst_element(x, &most);
  text_put(out, "Verdict\n");
  text_printf(out, "  error %.9g: half the sum of squares of the elongations over %s%u %s\n", s->cost,
              s->count == 1 ? "" : "all ", s->count, s->count == 1 ? "point" : "points");
  if (worst != UINT32_MAX) text_printf(out, "  at most %s = %.4g\n", x->places.shown.items[worst].name, most);
  text_printf(out, "  the best of %u starts (%u without an answer), %llu steps; %s\n", s->starts, s->failed,
              (unsigned long long)s->steps,
              s->settled ? "no step leads further down" : "it still goes down, slowly: more could be gained");
  text_put(out, "  other starts may be better: a least value near by is not the least of all\n");
  text_put(out, "  whether one motion passes the points in this order is asked by `--problem successive`\n");
}

void show_synthesis_json(const Positions *x, Json *j) {
  const Synthesis *s = &x->synthesis;
  json_open(j, "parameters", '{');
  for (uint32_t i = 0; i < s->d && s->p; i++) json_number(j, x->drives[first_free(x) + i].name, s->p[i]);
  json_close(j, '}');
  json_open(j, "off", '[');
  for (uint32_t i = 0; i < s->count && s->off; i++) json_number(j, NULL, s->off[i]);
  json_close(j, ']');
  json_count(j, "starts", s->starts);
  json_bool(j, "settled", s->settled);
}
