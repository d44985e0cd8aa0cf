// Arena: a list of blocks, each twice as large as the one before up to a limit.
//
// With VIVA_ARENA_EXACT every piece is a block of its own, so that a tool sees where each begins and ends, and a test
// can let each of them fail.
#include "base/arena.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ArenaBlock {
  struct ArenaBlock *next;
  size_t used, size;
  _Alignas(16) unsigned char data[];
} ArenaBlock;

struct Arena {
  ArenaBlock *top;
  ArenaBlock *spare; // a block that was released, kept for the next need
  Arena *parent, *children, *next;
  bool failed;
};

#ifdef VIVA_ARENA_EXACT
enum { exact = 1 };
#else
enum { exact = 0 };
#endif

enum { first_block = 16 * 1024, largest_block = 4 * 1024 * 1024, alignment = 16 };

Arena *arena_new(void) { return calloc(1, sizeof(Arena)); }

void arena_free(Arena *arena) {
  if (!arena) return;
  for (Arena *child = arena->children; child;) {
    Arena *next = child->next;
    arena_free(child);
    child = next;
  }
  for (ArenaBlock *b = arena->top; b;) {
    ArenaBlock *next = b->next;
    free(b);
    b = next;
  }
  free(arena->spare);
  free(arena);
}

static void *fail(Arena *arena) {
  for (; arena; arena = arena->parent) arena->failed = true;
  return NULL;
}

Arena *arena_new_scratch(Arena *parent) {
  Arena *scratch = arena_new();
  if (!scratch) {
    fail(parent);
    return NULL;
  }
  scratch->parent = parent;
  scratch->next = parent->children;
  parent->children = scratch;
  return scratch;
}

void arena_free_scratch(Arena *scratch) {
  if (!scratch) return;
  Arena **link = &scratch->parent->children;
  while (*link != scratch) link = &(*link)->next;
  *link = scratch->next;
  arena_free(scratch);
}

ArenaMark arena_mark(const Arena *scratch) { return (ArenaMark){scratch->top, scratch->top ? scratch->top->used : 0}; }

void arena_release(Arena *scratch, ArenaMark mark) {
  while (scratch->top != mark.block) {
    ArenaBlock *b = scratch->top;
    scratch->top = b->next;
    // the largest one is kept
    ArenaBlock *drop = b;
    if (!exact && (!scratch->spare || scratch->spare->size < b->size)) {
      drop = scratch->spare;
      scratch->spare = b;
    }
    free(drop);
  }
  if (scratch->top) scratch->top->used = mark.used;
}

bool arena_failed(const Arena *arena) { return arena->failed; }

static size_t align_up(size_t size) { return (size + alignment - 1) & ~(size_t)(alignment - 1); }

void *arena_alloc(Arena *arena, size_t size) {
  if (size > SIZE_MAX / 4) return fail(arena);
  size = align_up(size ? size : 1);
  ArenaBlock *b = arena->top;
  if (!b || b->size - b->used < size) {
    size_t room = b ? b->size * 2 : first_block;
    if (room > largest_block) room = largest_block;
    if (room < size || exact) room = size;
    if (arena->spare && arena->spare->size >= size) {
      b = arena->spare;
      arena->spare = NULL;
    } else {
      // a large piece comes zeroed from the system, and what is never written takes no memory
      bool large = room > largest_block;
      b = large ? calloc(1, sizeof(ArenaBlock) + room) : malloc(sizeof(ArenaBlock) + room);
      if (!b) return fail(arena);
      b->size = room;
      if (large) {
        b->next = arena->top;
        b->used = size;
        arena->top = b;
        return b->data;
      }
    }
    b->used = 0;
    b->next = arena->top;
    arena->top = b;
  }
  void *p = b->data + b->used;
  b->used += size;
  return memset(p, 0, size);
}

void *arena_array(Arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 4 / size) return fail(arena);
  return arena_alloc(arena, count * size);
}

void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size) {
  // the newest piece of a block grows in place
  ArenaBlock *b = arena->top;
  size_t old_room = align_up(old_size ? old_size : 1);
  if (old && b && new_size <= SIZE_MAX / 4 && (unsigned char *)old + old_room == b->data + b->used) {
    size_t new_room = align_up(new_size ? new_size : 1);
    size_t start = (size_t)((unsigned char *)old - b->data);
    if (start + new_room <= b->size) {
      if (new_room > old_room) memset((unsigned char *)old + old_room, 0, new_room - old_room);
      b->used = start + new_room;
      return old;
    }
  }
  void *p = arena_alloc(arena, new_size);
  if (p && old) memcpy(p, old, old_size < new_size ? old_size : new_size);
  return p;
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
  char *p = arena_alloc(arena, length + 1);
  if (p && length) memcpy(p, text, length);
  return p;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = number_vformat(NULL, 0, format, args);
  va_end(args);
  char *p = n < 0 ? NULL : arena_alloc(arena, (size_t)n + 1);
  if (p) number_vformat(p, (size_t)n + 1, format, again);
  va_end(again);
  return p;
}

// An array grows to twice its room. What it leaves behind stays in the arena; a large one grows to four times its room,
// because pages that are never written take no memory, and so leaves a third of itself behind instead of all.
void *vec_grow(Arena *arena, void *items, uint32_t count, uint32_t *cap, size_t item_size) {
  uint32_t times = *cap * item_size > largest_block ? 4 : 2;
  if (*cap > UINT32_MAX / times) {
    fail(arena);
    return items;
  }
  return vec_room(arena, items, count, cap, *cap ? *cap * times : 8, item_size);
}

void *vec_room(Arena *arena, void *items, uint32_t count, uint32_t *cap, uint32_t room, size_t item_size) {
  void *p = arena_grow(arena, items, (size_t)count * item_size, (size_t)room * item_size);
  if (!p) return items;
  *cap = room;
  return p;
}
