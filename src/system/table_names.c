// Tables by the words that name them in the text.
#include "system/table_names.h"

ExprNames table_names(const System *s, Arena *arena) {
  const char **names = arena_array(arena, (size_t)s->tables.count + 1, sizeof *names);
  for (uint32_t i = 0; names && i < s->tables.count; i++) names[i] = s->tables.items[i].text;
  return (ExprNames){.tables = names, .table_count = names ? s->tables.count : 0};
}
