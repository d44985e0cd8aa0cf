// A list for an indexed name: tau = [1, 2] sets tau[1] and tau[2].
#ifndef VIVA_LANG_ENTRIES_H
#define VIVA_LANG_ENTRIES_H

#include "lang/elab.h"

// An indexed name that an item without an index calls by its name alone.
typedef struct Entries {
  const Family *family; // NULL: it is no such name
  const Scope *scope;   // where it is declared
  const char *name;     // with its part: hip.tau
  Decl **list;          // its elements, by their index
  int64_t *index;
  uint32_t count;
} Entries;

// Looks up `name`, by which `item` calls something in `names`.
Entries entries_find(Elab *e, const Scope *names, const Item *item, const char *name);
// The k-th entry of a list as an item of its own, without an index; NULL: out of memory.
const Item *entries_take(Elab *e, const Item *item, uint32_t k);
// The same as an item for the k-th element. NULL: out of memory.
const Item *entries_element(Elab *e, const Entries *entries, const Item *item, uint32_t k);
// hip.tau[3], the name of the k-th element as settings know it. NULL: out of memory.
const char *entries_name(Elab *e, const Entries *entries, uint32_t k);
// Is the value a list with one entry for each element? False: reported.
bool entries_fit(Elab *e, const Entries *entries, const Item *item);

#endif
