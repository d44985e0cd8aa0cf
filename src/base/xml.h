// XML as a tree of elements with their spans in the text.
//
// What a document may do to its reader is limited: entities are refused (a few lines of them grow without end), nothing
// outside of the text is opened, and depth and number of elements have bounds. Text between tags is left out.
#ifndef VIVA_BASE_XML_H
#define VIVA_BASE_XML_H

#include "base/diag.h"

enum { xml_deepest = 200, xml_most = 1000000 };

typedef struct XmlAttribute {
  const char *name, *value;
  Span span; // of the value, without its quotes
} XmlAttribute;

typedef struct XmlElement {
  const char *name; // with its prefix: xacro:macro
  Span span;        // of `<name`
  const XmlAttribute *attributes;
  uint32_t attribute_count;
  struct XmlElement *parent, *first, *last, *next; // around it, inside of it, behind it
} XmlElement;

// Reads a source. NULL: reported, or out of memory.
const XmlElement *xml_read(Arena *arena, const Sources *sources, uint32_t source, Diags *diags);
// The first element of a name inside of one; NULL: none.
const XmlElement *xml_child(const XmlElement *of, const char *name);
// The next one of the same name behind it; NULL: none.
const XmlElement *xml_again(const XmlElement *one);
const XmlAttribute *xml_attribute(const XmlElement *of, const char *name); // NULL: none

#endif
