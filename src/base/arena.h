// An arena: memory that is taken piece by piece and given back all at once.
//
// One arena serves a compilation, one a run. Out of memory is absorbing: the call returns NULL, the arena marks itself
// as failed, and a stage asks arena_failed() once at its end.
#ifndef VIVA_BASE_ARENA_H
#define VIVA_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;

Arena *arena_new(void);        // owned by caller; NULL when out of memory
void arena_free(Arena *arena); // NULL is fine

void *arena_alloc(Arena *arena, size_t size); // zeroed; NULL when out of memory
void *arena_array(Arena *arena, size_t count, size_t size);
// A piece of old_size grows, and its new part is zeroed. The old address may be invalid then: who keeps pointers into
// an array across what lets it grow keeps indices instead.
void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size);
// About so much will be taken next, and all of it written: where that is a lot, room for it in large pages.
void arena_expect(Arena *arena, size_t bytes);
// A piece that nobody needs any more: a large one goes back to the system now, a small one with its arena.
void arena_drop(Arena *arena, void *old, size_t size);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool arena_failed(const Arena *arena);

// An arena for passing needs, freed with its parent; when it fails, the parent has failed too. What was taken after a
// mark is given back by a release.
typedef struct ArenaMark {
  void *block;
  size_t used;
  uint64_t pieces;
} ArenaMark;
Arena *arena_new_scratch(Arena *parent);
void arena_free_scratch(Arena *scratch); // before its parent; NULL is fine
ArenaMark arena_mark(const Arena *scratch);
void arena_release(Arena *scratch, ArenaMark mark);

#define arena_new_of(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))

// A growable array inside an arena: VEC(int) v = {0}; vec_push(arena, &v, 3);
#define VEC(Type)                                                                                                      \
  struct {                                                                                                             \
    Type *items;                                                                                                       \
    uint32_t count, cap;                                                                                               \
  }

void *vec_grow(Arena *arena, void *items, uint32_t *cap, size_t item_size);

// Capacity for `room` elements at once, where their number is known. False (and the arena failed) when out of memory.
#define vec_reserve(arena, v, room)                                                                                    \
  ((v)->cap >= (room) ||                                                                                               \
   ((v)->items = vec_room((arena), (v)->items, &(v)->cap, (room), sizeof *(v)->items), (v)->cap >= (room)))
void *vec_room(Arena *arena, void *items, uint32_t *cap, uint32_t room, size_t item_size);

// true when the item went in; false (and the arena failed) when out of memory
#define vec_push(arena, v, ...)                                                                                        \
  (((v)->count < (v)->cap ||                                                                                           \
    ((v)->items = vec_grow((arena), (v)->items, &(v)->cap, sizeof *(v)->items), (v)->count < (v)->cap))                \
       ? ((v)->items[(v)->count++] = (__VA_ARGS__), true)                                                              \
       : false)

#endif
