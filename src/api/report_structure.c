// Energy and structure on a page: the matrices of the port-Hamiltonian form, the power balance, the verdict.
//
// in    a copy of a system with `hamiltonian` or `port`
// out   HTML: formulas as MathML, a table of what is stored, lost and supplied, and a sentence with the verdict
#include "algebra/derive.h"
#include "algebra/passivity.h"
#include "api/report_html.h"
#include "api/report_parts.h"
#include "show/derivation.h"
#include "show/passivity.h"
#include "show/svg.h"

#include <string.h>

enum { most_rows = 12 }; // of matrices that are written out

bool report_has_structure(const System *s) { return s->storages.count || s->force_ports.count; }

// H, the matrices, the outputs of the ports.
static void put_form(System *clone, Text *out) {
  Derivation d;
  Text math = text_in(clone->arena);
  if (!derive_equations(clone, form_hamilton, &(DeriveStyle){0}, &d) || clone->pool->limit) {
    clone->pool->limit = limit_none;
    return;
  }
  if (!d.ports || d.ports->why) {
    html_sentence(out, arena_printf(clone->arena, "there is no port-Hamiltonian form: %s",
                                    d.ports && d.ports->why ? d.ports->why : "it was not found"));
    return;
  }
  if (d.ports->n > most_rows) {
    text_printf(out, "<p>The form has %u states: <code>viva derive --form hamilton</code> shows its matrices.</p>\n",
                d.ports->n);
    return;
  }
  show_derivation(clone, &d, show_mathml, &math);
  html_math(out, "Port-Hamiltonian form", &math);
  text_put(out, "<ul class=\"notes\">\n");
  for (uint32_t i = 0; i < d.notes.count; i++) {
    text_put(out, "<li>");
    svg_escape(out, d.notes.items[i]);
    text_put(out, "</li>\n");
  }
  text_put(out, "</ul>\n");
}

// The lines of `check --passivity`: the verdict, then a word and what it says.
static void put_verdict(System *clone, Text *out) {
  Passivity found;
  Text plain = text_in(clone->arena);
  if (!passivity_find(clone, &found)) return;
  show_passivity_text(clone, &found, &plain);
  const char *line = text_str(&plain), *end = strchr(line, '\n');
  if (!end) return;
  text_put(out, "<p>At its ports, with this energy as the storage, the model is <strong>");
  svg_escape(out, arena_strndup(clone->arena, line, (size_t)(end - line)));
  text_put(out, "</strong>.</p>\n<dl>\n");
  for (line = end + 1; *line && (end = strchr(line, '\n')); line = end + 1) {
    while (*line == ' ') line++;
    size_t word = strcspn(line, " \n"), gap = strspn(line + word, " ");
    text_put(out, "<dt>");
    svg_escape(out, arena_strndup(clone->arena, line, word));
    text_put(out, "</dt><dd>");
    svg_escape(out, arena_strndup(clone->arena, line + word + gap, (size_t)(end - line) - word - gap));
    text_put(out, "</dd>\n");
  }
  text_put(out, "</dl>\n");
}

bool report_structure(System *clone, Text *out) {
  if (!report_has_structure(clone)) return true;
  put_form(clone, out);
  put_verdict(clone, out);
  return !arena_failed(clone->arena);
}
