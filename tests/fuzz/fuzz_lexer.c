// Any bytes become tokens that lie in order inside the text.
#include "tests/fuzz/fuzz.h"

#include "lang/lexer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  if (!arena) return 0;
  Sources sources = {.arena = arena};
  Diags diags = {.arena = arena, .sources = &sources};
  uint32_t id = source_add(&sources, "fuzz.viva", (const char *)data, size);
  Tokens tokens = lex(arena, arena, source_get(&sources, (Span){id, 0, 0}), id, &diags);
  HOLDS(tokens.count >= 2 && tokens.items[tokens.count - 1].kind == tok_end);
  uint32_t last = 0;
  for (uint32_t i = 0; i < tokens.count; i++) {
    const Token *t = &tokens.items[i];
    HOLDS(t->span.start >= last && t->span.start <= t->span.end && t->span.end <= size);
    HOLDS((t->kind != tok_name && t->kind != tok_string) || t->text);
    HOLDS(token_name((TokenKind)t->kind));
    last = t->span.start;
  }
  check_diagnostics(&sources, &diags, arena);
  arena_free(arena);
  return 0;
}
