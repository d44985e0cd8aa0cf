// Changes by `with`, a case, --set and --input; families of models.
#ifndef VIVA_LANG_SETTINGS_H
#define VIVA_LANG_SETTINGS_H

#include "lang/elab.h"

// A new text for a parameter, an input or a starting value.
typedef struct Setting {
  const Item *item;
  const char *name; // with its index, as `names` knows it; NULL: reported
  Scope *names;     // where the name is looked up
  Scope *scope;     // where the value is read
  const Binding *env;
  uint32_t rank;      // of two for the same name the higher one counts
  bool with, input;   // by the user of a part; by --input
  bool varied;        // chosen from a list
  bool done;          // what it names was found
  const Decl *vector; // it is an entry of this one
} Setting;

void settings_collect(Elab *e, const ModelOptions *options);
void settings_with(Elab *e, const Stmt *use, const Binding *env, Scope *part);
void settings_step(Elab *e, bool final); // final: what names nothing is reported
void settings_entries(Elab *e);
void settings_starts(Elab *e);
void settings_varied(Elab *e);
void settings_override(Elab *e, const Decl *d, Value *v); // entries of a vector whose value is needed now
void settings_check_case(Elab *e, const Stmt *s);
void settings_unknown(Elab *e, const Item *item, const char *name); // reports

#endif
