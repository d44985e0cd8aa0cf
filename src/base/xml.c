// A tree of elements by expat, which says where a tag starts; where the values of its attributes stand is read from the
// tag itself.
#include "base/xml.h"

#include <expat.h>
#include <string.h>

typedef struct XmlReader {
  Arena *arena;
  Diags *diags;
  const Source *source;
  uint32_t id;
  XML_Parser parser;
  XmlElement *root, *open; // open: the innermost element that has not ended
  uint32_t depth, count;
  bool reported; // why the reading was stopped
} XmlReader;

// ---- spans in the text

static Span place(const XmlReader *r, uint32_t length) {
  XML_Index at = XML_GetCurrentByteIndex(r->parser);
  size_t start = at < 0 ? 0 : (size_t)at;
  if (start > r->source->length) start = r->source->length;
  size_t end = start + length > r->source->length ? r->source->length : start + length;
  return (Span){r->id, (uint32_t)start, (uint32_t)end};
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Where the value of an attribute stands in the tag, from *from on, which moves behind it: expat names attributes in
// their order in the text. The tag's own span where it is not found.
static Span value_place(const XmlReader *r, Span tag, size_t *from, const char *name) {
  const char *text = r->source->text;
  size_t end = r->source->length, at = *from, n = strlen(name);
  while (at < end && text[at] != '>') {
    while (at < end && is_blank(text[at])) at++;
    size_t start = at;
    while (at < end && !is_blank(text[at]) && text[at] != '=' && text[at] != '>') at++;
    bool same = at - start == n && memcmp(text + start, name, n) == 0;
    while (at < end && (is_blank(text[at]) || text[at] == '=')) at++;
    if (at >= end || (text[at] != '"' && text[at] != '\'')) break;
    char quote = text[at++];
    start = at;
    while (at < end && text[at] != quote) at++;
    at++;
    if (!same) continue;
    *from = at;
    return (Span){r->id, (uint32_t)start, (uint32_t)at - 1};
  }
  *from = at;
  return tag;
}

// ---- what expat calls

static void stop(XmlReader *r) {
  r->reported = true;
  XML_StopParser(r->parser, XML_FALSE);
}

static void read_attributes(XmlReader *r, XmlElement *e, const XML_Char **given) {
  uint32_t count = 0;
  size_t from = e->span.end;
  while (given[2 * (size_t)count]) count++;
  XmlAttribute *list = arena_array(r->arena, (size_t)count + 1, sizeof *list);
  for (uint32_t i = 0; list && i < count; i++) {
    const char *name = given[2 * (size_t)i], *value = given[2 * (size_t)i + 1];
    list[i].name = arena_strndup(r->arena, name, strlen(name));
    list[i].value = arena_strndup(r->arena, value, strlen(value));
    list[i].span = value_place(r, e->span, &from, name);
  }
  e->attributes = list;
  e->attribute_count = list ? count : 0;
}

static void XMLCALL start_element(void *data, const XML_Char *name, const XML_Char **given) {
  XmlReader *r = data;
  if (r->reported) return;
  Span span = place(r, (uint32_t)strlen(name) + 1);
  if (++r->depth > xml_deepest) {
    diag_error(r->diags, diag_xml, span, "elements stand more than %d deep inside each other", xml_deepest);
    stop(r);
    return;
  }
  if (++r->count > xml_most) {
    diag_error(r->diags, diag_xml, span, "more than %d elements", xml_most);
    stop(r);
    return;
  }
  XmlElement *e = arena_new_of(r->arena, XmlElement);
  if (!e) {
    stop(r);
    return;
  }
  e->name = arena_strndup(r->arena, name, strlen(name));
  e->span = span;
  read_attributes(r, e, given);
  e->parent = r->open;
  if (!r->open) r->root = e;
  else if (r->open->last) r->open->last->next = e;
  else r->open->first = e;
  if (r->open) r->open->last = e;
  r->open = e;
  if (arena_failed(r->arena)) stop(r);
}

static void XMLCALL end_element(void *data, const XML_Char *name) {
  XmlReader *r = data;
  (void)name;
  if (r->reported || !r->open) return;
  r->open = r->open->parent;
  r->depth--;
}

static void XMLCALL entity_declared(void *data, const XML_Char *name, int is_parameter, const XML_Char *value,
                                    int length, const XML_Char *base, const XML_Char *system, const XML_Char *public,
                                    const XML_Char *notation) {
  XmlReader *r = data;
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  if (r->reported) return;
  diag_error(r->diags, diag_xml, place(r, 1), "the entity `%s` is declared here, and entities are not read", name);
  diag_hint(r->diags, "write out what it stands for");
  stop(r);
}

// ---- reading

static const char *error_words(enum XML_Error why) {
  switch ((int)why) {
  case XML_ERROR_NO_ELEMENTS: return "the text ends too early";
  case XML_ERROR_INVALID_TOKEN: return "this cannot stand here";
  case XML_ERROR_UNCLOSED_TOKEN: return "this does not end";
  case XML_ERROR_TAG_MISMATCH: return "another element should end here";
  case XML_ERROR_DUPLICATE_ATTRIBUTE: return "this attribute stands there twice";
  case XML_ERROR_UNDEFINED_ENTITY: return "an entity in this element is not known";
  case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: return "something follows the end of the first element";
  default: return XML_ErrorString(why);
  }
}

static bool parse(XmlReader *r) {
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, start_element, end_element);
  XML_SetEntityDeclHandler(r->parser, entity_declared);
  XML_SetParamEntityParsing(r->parser, XML_PARAM_ENTITY_PARSING_NEVER);
  // in pieces: the length of one is an int
  enum { piece = 1 << 20 };
  for (size_t at = 0;;) {
    size_t left = r->source->length - at, n = left < piece ? left : piece;
    enum XML_Status status = XML_Parse(r->parser, r->source->text + at, (int)n, n == left);
    if (status != XML_STATUS_OK) return false;
    at += n;
    if (n == left) return true;
  }
}

const XmlElement *xml_read(Arena *arena, const Sources *sources, uint32_t source, Diags *diags) {
  XmlReader r = {.arena = arena, .diags = diags, .source = source_get(sources, (Span){source, 0, 0}), .id = source};
  if (memchr(r.source->text, 0, r.source->length)) {
    diag_error(diags, diag_xml, (Span){source, 0, 0}, "this file has bytes of zero: it is no text in UTF-8");
    diag_hint(diags, "a file in UTF-16 is turned by `iconv -f UTF-16 -t UTF-8`");
    return NULL;
  }
  r.parser = XML_ParserCreate(NULL);
  if (!r.parser) {
    arena_alloc(arena, SIZE_MAX); // out of memory
    return NULL;
  }
  bool good = parse(&r);
  if (!good && !r.reported) {
    enum XML_Error why = XML_GetErrorCode(r.parser);
    if (why == XML_ERROR_NO_MEMORY) arena_alloc(arena, SIZE_MAX);
    else diag_error(diags, diag_xml, place(&r, 1), "this is not well-formed XML: %s", error_words(why));
    if (!arena_failed(arena) && r.open) diag_hint(diags, "`<%s>` is open here", r.open->name);
  }
  XML_ParserFree(r.parser);
  return good && !r.reported && !arena_failed(arena) ? r.root : NULL;
}

const XmlElement *xml_child(const XmlElement *of, const char *name) {
  for (const XmlElement *e = of->first; e; e = e->next) {
    if (strcmp(e->name, name) == 0) return e;
  }
  return NULL;
}

const XmlElement *xml_again(const XmlElement *one) {
  for (const XmlElement *e = one->next; e; e = e->next) {
    if (strcmp(e->name, one->name) == 0) return e;
  }
  return NULL;
}

const XmlAttribute *xml_attribute(const XmlElement *of, const char *name) {
  for (uint32_t i = 0; i < of->attribute_count; i++) {
    if (strcmp(of->attributes[i].name, name) == 0) return &of->attributes[i];
  }
  return NULL;
}
