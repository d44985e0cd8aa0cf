// Tables and sentences of the sections of a page.
#include "api/report_html.h"

#include "show/svg.h"

#include <math.h>

void html_number(Text *out, double x) {
  if (isnan(x)) text_put(out, "–");
  else text_printf(out, "%.6g", fabs(x) < 1e-300 ? 0 : x);
}

void html_table_open(Text *out, const char *caption) {
  text_printf(
      out,
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table><caption>%s</caption><thead><tr>",
      caption, caption);
}

void html_head(Text *out, const char *text) {
  text_put(out, "<th scope=\"col\">");
  svg_escape(out, text);
  text_put(out, "</th>");
}

void html_row(Text *out, const char *text) {
  text_put(out, "<tr><th scope=\"row\">");
  svg_escape(out, text);
  text_put(out, "</th>");
}

void html_cell(Text *out, double x) {
  text_put(out, "<td class=\"n\">");
  html_number(out, x);
  text_put(out, "</td>");
}

void html_table_close(Text *out) { text_put(out, "</tbody></table></div>\n"); }

// A sentence of words that begin small and end without a dot.
void html_sentence(Text *out, const char *text) {
  if (!text || !*text) return;
  char first[2] = {(char)(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text), 0};
  svg_escape(out, first);
  svg_escape(out, text + 1);
  text_put(out, ".");
}

enum { longest_math = 400000 }; // bytes of formulas in one place of a page

void html_math(Text *out, const char *label, const Text *math) {
  if (math->length > longest_math) {
    text_printf(out, "<p>%s would be longer than the rest of the page: <code>viva derive</code> shows them.</p>\n",
                label);
    return;
  }
  text_printf(out, "<div class=\"math\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n", label);
  text_putn(out, text_str(math), math->length);
  text_put(out, "</div>\n");
}
