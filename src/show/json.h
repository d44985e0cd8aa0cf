// Writing JSON. Numbers read back to the same double; nan and infinities become null.
#ifndef VIVA_SHOW_JSON_H
#define VIVA_SHOW_JSON_H

#include "base/text.h"

typedef struct Json {
  Text *out;
  bool comma; // something stands before, at this level
} Json;

void json_open(Json *json, const char *key, char bracket); // key NULL: inside a list or at the top
void json_close(Json *json, char bracket);
void json_string(Json *json, const char *key, const char *value); // NULL gives null
void json_number(Json *json, const char *key, double value);
void json_count(Json *json, const char *key, uint64_t value);
void json_bool(Json *json, const char *key, bool value);
void json_null(Json *json, const char *key);
void json_strings(Json *json, const char *key, const char *const *items, uint32_t count); // a list of strings

#endif
