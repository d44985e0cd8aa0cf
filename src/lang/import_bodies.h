// What importers of mechanisms share: names of the language for names of a file, and `body` statements as text.
#ifndef VIVA_LANG_IMPORT_BODIES_H
#define VIVA_LANG_IMPORT_BODIES_H

#include "lang/imported.h"

typedef struct BodyNames {
  const char **table; // open addressing
  uint32_t size, count;
} BodyNames;

typedef struct BodyWriter {
  Arena *arena;
  Imported *out;
  BodyNames names;
} BodyWriter;

typedef struct ImportBody {
  const char *name, *parent;                     // in the language
  const char *joint;                             // its word: "revolute"
  const double *axis;                            // NULL: the joint has none
  const char *coordinates;                       // "q1", "x, y, th"; NULL: none
  double at[3], turned[3];                       // m, rad
  const char *mass;                              // a name or a number; NULL: it has none
  double com[3];                                 // m
  double inertia[6];                             // xx yy zz xy xz yz about the com, kg m^2
  const char *at_unit, *com_unit, *inertia_unit; // NULL: SI
  const char *note;                              // a comment; NULL: none
  Span span;
} ImportBody;

// A name of the language that looks like a name of a file, and that no other one has. NULL: out of memory.
const char *bodies_name(BodyWriter *w, const char *wanted);
// The same; where there is such a name already, it ends in a word: elbow_joint.
const char *bodies_name_or(BodyWriter *w, const char *wanted, const char *ending);

void bodies_number(BodyWriter *w, double value);
void bodies_line(BodyWriter *w, const char *text); // that comes from no line of the file
void bodies_end(BodyWriter *w, Span from);         // a line ends; it came from there
void bodies_note(BodyWriter *w, const char *text); // a comment behind what stands on the line
void bodies_title(BodyWriter *w, const char *title, Span from);
// param name = value [unit]  # note; unit NULL: none, note NULL: none
void bodies_param(BodyWriter *w, const char *name, double value, const char *unit, Span from, const char *note);
void bodies_write(BodyWriter *w, const ImportBody *body);

#endif
