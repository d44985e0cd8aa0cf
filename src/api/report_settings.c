// Which options of the command line a page stands for.
//
// in    a model, which keeps the texts of `--set` and `--input` as sources, and the name of its case
// out   words that a shell takes: plain ones as they are, others in quotes
#include "api/handles.h"
#include "api/report_parts.h"
#include "show/svg.h"

#include <string.h>

// Quotes of two strokes where these change nothing of the word, else of one; a ' ends them for a moment.
static void put_word(Text *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=+-.,:/^%@";
  if (*word && strspn(word, plain) == strlen(word)) {
    text_put(out, word);
  } else if (strchr(word, '\'') && !strpbrk(word, "\"$`\\!")) {
    text_printf(out, "\"%s\"", word);
  } else {
    text_putc(out, '\'');
    for (const char *s = word; *s; s++) *s == '\'' ? text_put(out, "'\\''") : text_putc(out, *s);
    text_putc(out, '\'');
  }
}

void report_settings(const viva_model *model, Text *out) {
  const Model *m = &model->model;
  if (m->chosen) text_put(out, " --case "), put_word(out, m->chosen);
  for (uint32_t i = 0; i < m->sources.list.count; i++) {
    const Source *s = &m->sources.list.items[i];
    if (!s->option || (strcmp(s->name, "--set") != 0 && strcmp(s->name, "--input") != 0)) continue;
    text_printf(out, " %s ", s->name);
    put_word(out, s->text);
  }
}

void report_whose_values(const viva_model *model, Text *out) {
  Text words = text_in(out->arena);
  report_settings(model, &words);
  text_put(out, "The other sections have the values of the model's text");
  if (words.length) {
    text_put(out, ", with <code>");
    svg_escape(out, text_str(&words) + 1);
    text_put(out, "</code>");
  }
  text_put(out, ".");
}
