// The operating point of `--at` as the library takes it: a word, and values.
#include "cli/point.h"

#include "cli/message.h"
#include "cli/nearest.h"

#include <string.h>

int read_at(TextList *at, viva_linearize_options *o) {
  bool values = false, word = false;
  for (size_t i = 0; i < at->count; i++) {
    static const struct {
      const char *word;
      viva_point point;
    } words[] = {{"equilibrium", VIVA_AT_EQUILIBRIUM}, {"start", VIVA_AT_START}};
    const char *text = at->items[i];
    for (size_t k = 0; k < 2; k++) {
      size_t length = strlen(words[k].word);
      if (strncmp(text, words[k].word, length) != 0 || (text[length] && text[length] != ',')) continue;
      o->point = words[k].point;
      word = true;
      text += text[length] ? length + 1 : length;
    }
    if (!*text && word) continue;
    if (!strchr(text, '=')) {
      Nearest near = {.word = text};
      for (size_t k = 0; k < 2; k++) nearest_try(&near, words[k].word);
      complain("`--at` takes values, `equilibrium` or `start`, not `%s`", text);
      if (near.best) hint("did you mean `%s`?", near.best);
      else hint("for example `--at %s=0`", *text ? text : "x");
      return exit_input;
    }
    at->items[o->at_count++] = text;
    values = true;
  }
  if (values && !word) o->point = VIVA_AT_POINT;
  o->at = at->items;
  return -1;
}
