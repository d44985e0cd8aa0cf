// The names of a model and its parts: what is declared, where, and what became of it.
#ifndef VIVA_LANG_NAMES_H
#define VIVA_LANG_NAMES_H

#include "expr/value.h"
#include "lang/ast.h"

struct Elab;

// A local name: an argument, the variable of `for`, `sum` or `integral_of`.
typedef struct Binding {
  const char *name;
  Value value;
  const struct Binding *next;
  bool counts; // it is the whole number `count`, which becomes a value where one is needed
  int64_t count;
} Binding;

typedef enum DeclState { decl_new, decl_active, decl_done } DeclState;

typedef struct Scope Scope;
struct Setting;
struct PortFile;
struct BlockCount;

typedef struct Decl {
  const char *name; // with its parts and its index: hip.th[3]
  Scope *scope;     // the file it stands in
  const Item *item;
  const Binding *env;            // variables of `for`
  const struct Setting *changed; // by `with`, a case, --set or --input
  DeclKind kind : 8;
  DeclState state : 8;
  bool entries_changed; // of a vector, one by one
  bool structural;      // a range or an index depends on it
  bool used;            // somewhere in the text
  bool inferring;       // its dimensions are being inferred: who asks for them closes a loop
  Span span;
  uint32_t index; // into the model's list of its kind
  SymbolId loop;  // of a cycle that was cut here
  uint32_t round; // of the settings in which `known` was found; 0: not yet
  uint32_t dims;  // of its dimensions, index plus one; 0: they were not needed yet (infer_inside.h)
  uint32_t var;   // its variable among the dimensions, where that was made before they were needed; 0: none
  Value value;
  Value known;               // the value where parameters count with theirs
  struct BlockCount *blocks; // in its text
  union {
    Scope *part;              // of a part: its names
    const Scope *start_by[2]; // of a coordinate: who said where it starts: position, velocity
  };
} Decl;

// Elements b[from] .. b[from + count - 1] of a list of the model, one behind the other from `first` on.
typedef struct FamilyRun {
  int64_t from;
  uint32_t first, count;
  const Item *item;
} FamilyRun;
typedef VEC(FamilyRun) FamilyRunList;

// All of a family th[1] .. th[n] that were declared with an index.
typedef struct Family {
  const char *name;
  int64_t least, most;
  // of nodes, bars, springs and rigid bodies, which have no declarations of their own until somebody asks for one
  DeclKind kind;
  FamilyRunList runs; // ascending
} Family;

// The names of one file: of the model itself, or of a part. In the table a name has the prefix before it.
struct Scope {
  const char *prefix; // "" or "hip."
  size_t prefix_length;
  const Scope *outer; // NULL: the model itself
  const Program *program;
  uint32_t source;
  uint32_t depth; // parts around it
  VEC(Family) families;
  VEC(Decl *) numbered;   // coordinates of a robot: q[1], q[2], ...
  struct PortFile *ports; // its energies with structure (ports.c); NULL: none
};

typedef struct Names {
  VEC(Decl *) decls; // in order of declaration
  Decl **table;      // by name
  uint32_t table_size;
  Scope *scope;        // where names are looked up now
  VEC(Scope *) scopes; // the model itself first, a part after its user
  bool numbered;       // some part has numbered coordinates
} Names;

typedef VEC(const char *) NameList;

// Allocates space for `count` names at once.
bool names_reserve(struct Elab *e, uint32_t count);
Scope *names_enter(struct Elab *e, Scope *scope);         // returns the one before
Decl *names_find(const struct Elab *e, const char *name); // in the present scope; hip.th and link[2].th are found, too
// Is it the word `bodies`, all of them together? Not where a name of the model is called so.
bool names_are_all_bodies(const struct Elab *e, const Ast *a);
Decl *names_find_in(const struct Elab *e, const Scope *scope, const char *name);
Family *names_family(const Scope *scope, const char *name);
// May an item declare this name? False: reported.
bool names_allowed(struct Elab *e, DeclKind kind, const Item *item);
// Declares it in the present scope, with the value of its index where the item has one.
// NULL: reported, or out of memory.
Decl *names_add(struct Elab *e, DeclKind kind, const Item *item, int64_t index, const Binding *env);
// The same for an element of a list of the model that is named by the family alone, `place` is its index there. NULL:
// it is declared twice, reported, or out of memory. Else its name.
const char *names_add_element(struct Elab *e, DeclKind kind, const Item *item, int64_t index, uint32_t place);
// Its index in the list of the model; UINT32_MAX: there is none.
uint32_t names_element(const Family *family, int64_t index, const Item **item);
const char *decl_word(DeclKind kind);                             // "a parameter"
const char *decl_place(struct Elab *e, const Decl *d, Span from); // "line 3", "motor.viva:3"
const char *names_nearest(struct Elab *e, const char *name);
// Of some kinds alone: 1u << decl_...
const char *names_nearest_in(struct Elab *e, const Scope *scope, const char *name, unsigned kinds);

// The unit of what an item declares: a lone number carries it itself.
static inline Unit item_unit(const Item *item) {
  return !item->unit->said && item->value && item->value->unit ? *item->value->unit : *item->unit;
}

#endif
