// Tables and sentences of the sections of a page.
#include "api/report_html.h"

#include "show/svg.h"

#include <math.h>
#include <string.h>

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

// ---- columns of numbers: points stand below points, heads at the right

enum { columns_most = 64 }; // of wider tables the others stay as they are
static const char number_cell[] = "<td class=\"n\">", head_cell[] = "<th scope=\"col\">";

typedef struct TableColumns {
  bool numbers[columns_most];
  size_t tail[columns_most]; // the longest fraction or exponent
} TableColumns;

static bool begins(const char *s, const char *word) { return strncmp(s, word, strlen(word)) == 0; }

// The fraction or the exponent of a number in a cell.
static size_t tail_length(const char *cell, size_t length) {
  size_t whole = strcspn(cell, ".e<");
  return length > whole ? length - whole : 0;
}

// Goes through the cells of a table. out NULL: looks what columns have; else writes them.
static void walk_cells(const char *table, TableColumns *columns, Text *out) {
  size_t column = 0;
  for (const char *s = table; *s;) {
    if (begins(s, "<tr>")) column = 0;
    bool number = begins(s, number_cell), head = begins(s, head_cell), known = column < columns_most;
    if (begins(s, "<td") || (begins(s, "<th") && !begins(s, "<thead"))) column++;
    if (!number || !known) {
      if (out && head && known && columns->numbers[column - 1]) {
        text_put(out, "<th scope=\"col\" class=\"n\">");
        s += sizeof head_cell - 1;
      } else {
        if (out) text_putc(out, *s);
        s++;
      }
      continue;
    }
    s += sizeof number_cell - 1;
    size_t length = strcspn(s, "<"), tail = tail_length(s, length);
    if (!out) {
      columns->numbers[column - 1] = true;
      if (tail > columns->tail[column - 1]) columns->tail[column - 1] = tail;
    } else {
      text_put(out, number_cell);
      text_putn(out, s, length);
      for (size_t k = tail; k < columns->tail[column - 1]; k++) text_put(out, "\xC2\xA0");
    }
    s += length;
  }
}

void html_table_close(Text *out) {
  static const char open[] = "<table>";
  size_t start = out->length;
  while (start > 0 && !begins(out->data + start, open)) start--;
  const char *table = arena_strndup(out->arena, text_str(out) + start, out->length - start);
  TableColumns columns = {0};
  if (table && begins(table, open)) {
    walk_cells(table, &columns, NULL);
    out->length = start;
    walk_cells(table, &columns, out);
  }
  text_put(out, "</tbody></table></div>\n");
}

// A sentence of words that begin small and end without a dot.
void html_sentence(Text *out, const char *text) {
  if (!text || !*text) return;
  char first[2] = {(char)(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text), 0};
  svg_escape(out, first);
  svg_escape(out, text + 1);
  text_put(out, ".");
}

enum { longest_math = 400000 }; // bytes of formulas in one element of a page

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
