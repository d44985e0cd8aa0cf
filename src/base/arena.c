// Arena: a list of blocks, each twice as large as the one before up to a limit, and pieces of their own.
//
// A large piece stands alone: it comes zeroed from the system, what is never written takes no memory,
// and when it grows or is dropped its old memory goes back at once, so that a long array leaves nothing behind. Pieces
// are numbered; a release gives back those that are younger than its mark.
//
// With VIVA_ARENA_EXACT every piece stands alone and moves when it grows, so that a tool sees where each begins and
// ends and who still looks at an old one, and a test can let each of them fail.
#ifdef __linux__
#define _GNU_SOURCE // mremap
#include <sys/mman.h>
#endif
#include "base/arena.h"

#include "base/number.h"
#include "base/pages.h"
#include "base/refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ArenaBlock {
  struct ArenaBlock *next;
  size_t used, size;
  size_t paged; // not 0: it stands in large pages (base/pages.h) and takes large pieces; bytes with this head
  size_t dirty; // of those: so much was in use before and is not zero any more
  _Alignas(16) unsigned char data[];
} ArenaBlock;

// A piece that stands alone.
typedef struct ArenaPiece {
  struct ArenaPiece *older, *younger;
  Arena *owner;
  size_t size;
  uint64_t number;
  _Alignas(16) unsigned char data[];
} ArenaPiece;

struct Arena {
  ArenaBlock *top;
  ArenaPiece *youngest;
  uint64_t pieces;   // how many were made: the number of the next one
  ArenaBlock *spare; // a block that was released, kept for the next need
  Arena *parent, *children, *next;
  const char *reason; // why somebody gave up; not memory
  bool failed;
};

#ifdef VIVA_ARENA_EXACT
enum { exact = 1 };
#else
enum { exact = 0 };
#endif

// Doubling, an array leaves as much behind in blocks as the largest piece that is kept there: little beside what a long
// one takes, and enough that few pieces ask the system for pages of their own.
enum { first_block = 16 * 1024, largest_block = 4 * 1024 * 1024, largest_piece = 256 * 1024, alignment = 16 };

// ---- pieces that stand alone

#if defined __linux__ && !defined VIVA_ARENA_EXACT
// Pages of their own: growing moves no byte and takes no second buffer.
static ArenaPiece *room_new(size_t size) {
  void *p = mmap(NULL, sizeof(ArenaPiece) + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}
static void room_free(ArenaPiece *p) { munmap(p, sizeof *p + p->size); }
static ArenaPiece *room_grow(ArenaPiece *p, size_t size) {
  void *q = mremap(p, sizeof *p + p->size, sizeof *p + size, MREMAP_MAYMOVE);
  return q == MAP_FAILED ? NULL : q;
}
#else
static ArenaPiece *room_new(size_t size) { return calloc(1, sizeof(ArenaPiece) + size); }
static void room_free(ArenaPiece *p) { free(p); }
static ArenaPiece *room_grow(ArenaPiece *p, size_t size) {
  ArenaPiece *q = room_new(size);
  if (!q) return NULL;
  memcpy(q, p, sizeof *p + p->size);
  free(p);
  return q;
}
#endif

static size_t align_up(size_t size) { return (size + alignment - 1) & ~(size_t)(alignment - 1); }
static bool stands_alone(size_t size) { return exact || align_up(size) > largest_piece; }
static ArenaPiece *piece_of(void *data) { return (ArenaPiece *)((unsigned char *)data - offsetof(ArenaPiece, data)); }

// The piece of this arena that stands alone at `data`; NULL: there is none, it lies in a block or in another arena, or
// an array began in memory of its user, which is small. With all pieces standing alone no size tells, so it is looked
// for.
static ArenaPiece *own_piece(const Arena *arena, void *data, size_t size) {
  if (!data || !stands_alone(size)) return NULL;
  for (const ArenaBlock *b = arena->top; b && !exact; b = b->next) {
    if (b->paged && (unsigned char *)data >= b->data && (unsigned char *)data < b->data + b->size) return NULL;
  }
  if (!exact) return piece_of(data)->owner == arena ? piece_of(data) : NULL;
  ArenaPiece *p = arena->youngest;
  while (p && p->data != (unsigned char *)data) p = p->older;
  return p;
}

static void piece_free(ArenaPiece *p) {
  if (p->younger) p->younger->older = p->older;
  else p->owner->youngest = p->older;
  if (p->older) p->older->younger = p->younger;
  room_free(p);
}

Arena *arena_new(void) { return calloc(1, sizeof(Arena)); }

static void block_free(ArenaBlock *b) {
  if (b && b->paged) pages_give(b, b->paged);
  else free(b);
}

void arena_free(Arena *arena) {
  if (!arena) return;
  for (Arena *child = arena->children; child;) {
    Arena *next = child->next;
    arena_free(child);
    child = next;
  }
  for (ArenaBlock *b = arena->top; b;) {
    ArenaBlock *next = b->next;
    block_free(b);
    b = next;
  }
  while (arena->youngest) piece_free(arena->youngest);
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

ArenaMark arena_mark(const Arena *scratch) {
  return (ArenaMark){scratch->top, scratch->top ? scratch->top->used : 0, scratch->pieces};
}

void arena_release(Arena *scratch, ArenaMark mark) {
  while (scratch->youngest && scratch->youngest->number >= mark.pieces) piece_free(scratch->youngest);
  while (scratch->top != mark.block) {
    ArenaBlock *b = scratch->top;
    scratch->top = b->next;
    // the largest one is kept
    ArenaBlock *drop = b;
    if (!b->paged && (!scratch->spare || scratch->spare->size < b->size)) {
      drop = scratch->spare;
      scratch->spare = b;
    }
    block_free(drop);
  }
  if (scratch->top) scratch->top->used = mark.used;
}

bool arena_failed(const Arena *arena) { return arena->failed; }

// The text lives in the outermost arena: a scratch goes before the reason is read.
void arena_refuse(Arena *arena, const char *why) {
  Arena *outer = arena;
  while (outer->parent) outer = outer->parent;
  const char *copy = arena_strndup(outer, why, strlen(why));
  for (; copy && arena; arena = arena->parent) {
    if (!arena->reason) arena->reason = copy;
  }
}

const char *arena_reason(const Arena *arena) { return arena->failed ? NULL : arena->reason; }

static void *piece_new(Arena *arena, size_t size) {
  ArenaPiece *p = room_new(size);
  if (!p) return fail(arena);
  *p = (ArenaPiece){.older = arena->youngest, .owner = arena, .size = size, .number = arena->pieces++};
  if (p->older) p->older->younger = p;
  arena->youngest = p;
  return p->data;
}

static void *piece_grow(ArenaPiece *p, size_t size) {
  Arena *arena = p->owner;
  p = room_grow(p, size);
  if (!p) return fail(arena);
  p->size = size;
  if (p->younger) p->younger->older = p;
  else arena->youngest = p;
  if (p->older) p->older->younger = p;
  return p->data;
}

// ---- blocks

void arena_expect(Arena *arena, size_t bytes) {
  if (exact || bytes < pages_large || bytes > SIZE_MAX / 4) return;
  size_t size = sizeof(ArenaBlock) + bytes;
  ArenaBlock *b = pages_take(&size);
  if (!b) return;
  *b = (ArenaBlock){.next = arena->top, .size = size - sizeof *b, .paged = size};
  arena->top = b;
}

// From a block in large pages, which are zero until they are used.
static void *take_paged(ArenaBlock *b, size_t size) {
  unsigned char *p = b->data + b->used;
  if (b->used < b->dirty) memset(p, 0, size < b->dirty - b->used ? size : b->dirty - b->used);
  b->used += size;
  if (b->used > b->dirty) b->dirty = b->used;
  return p;
}

void *arena_alloc(Arena *arena, size_t size) {
  if (size > SIZE_MAX / 4) return fail(arena);
  size = align_up(size ? size : 1);
  if (arena->top && arena->top->paged && arena->top->size - arena->top->used >= size)
    return take_paged(arena->top, size);
  if (stands_alone(size)) return piece_new(arena, size);
  ArenaBlock *b = arena->top;
  if (!b || b->size - b->used < size) {
    size_t room = b && !b->paged ? b->size * 2 : first_block;
    if (room > largest_block) room = largest_block;
    if (room < size) room = largest_piece;
    if (arena->spare && arena->spare->size >= size) {
      b = arena->spare;
      arena->spare = NULL;
    } else {
      b = malloc(sizeof(ArenaBlock) + room);
      if (!b) return fail(arena);
      *b = (ArenaBlock){.size = room};
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
  ArenaPiece *own = new_size > old_size && new_size <= SIZE_MAX / 4 ? own_piece(arena, old, old_size) : NULL;
  if (own) return piece_grow(own, align_up(new_size));
  // the newest piece of a block grows in place
  ArenaBlock *b = arena->top;
  size_t old_room = align_up(old_size ? old_size : 1);
  if (old && b && new_size <= SIZE_MAX / 4 && (unsigned char *)old + old_room == b->data + b->used) {
    size_t new_room = align_up(new_size ? new_size : 1);
    size_t start = (size_t)((unsigned char *)old - b->data);
    if (start + new_room <= b->size) {
      if (new_room > old_room) memset((unsigned char *)old + old_room, 0, new_room - old_room);
      b->used = start + new_room;
      if (b->used > b->dirty) b->dirty = b->used;
      return old;
    }
  }
  void *p = arena_alloc(arena, new_size);
  if (p && old) memcpy(p, old, old_size < new_size ? old_size : new_size);
  return p;
}

void arena_drop(Arena *arena, void *old, size_t size) {
  ArenaPiece *own = own_piece(arena, old, size);
  if (own) piece_free(own);
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
  char *p = arena_alloc(arena, length + 1);
  if (p && length) memcpy(p, text, length);
  return p;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  char few[128]; // most texts are short: these are made once, longer ones are measured by it
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = number_vformat(few, sizeof few, format, args);
  va_end(args);
  char *p = n < 0 ? NULL : arena_alloc(arena, (size_t)n + 1);
  if (p && (size_t)n < sizeof few) memcpy(p, few, (size_t)n + 1);
  else if (p) number_vformat(p, (size_t)n + 1, format, again);
  va_end(again);
  return p;
}

void *vec_grow(Arena *arena, void *items, uint32_t *cap, size_t item_size) {
  if (*cap > UINT32_MAX / 2) {
    fail(arena);
    return items;
  }
  return vec_room(arena, items, cap, *cap ? *cap * 2 : 8, item_size);
}

void *vec_room(Arena *arena, void *items, uint32_t *cap, uint32_t room, size_t item_size) {
  void *p = arena_grow(arena, items, (size_t)*cap * item_size, (size_t)room * item_size);
  if (!p) return items;
  *cap = room;
  return p;
}
