// Writing JSON (RFC 8259), one value after the other.
//
// in    open and close of objects and lists, keys with values
// out   text in one line; commas are set by what came before at this level
// how   a key stands before every value of an object, none inside a list. Strings are UTF-8: what is no text becomes an
//       escape, a byte that is no UTF-8 becomes U+FFFD, so every output can be read back.
#include "show/json.h"

#include <math.h>
#include <string.h>

static void put_string(Text *out, const char *s) {
  text_putc(out, '"');
  for (size_t left = strlen(s), n; left; s += n, left -= n) {
    uint32_t code;
    n = utf8_decode(s, left, &code);
    if (!n) text_put(out, "\\ufffd"); // a byte of a path, say
    else if (code == '"' || code == '\\') text_printf(out, "\\%c", (char)code);
    else if (code == '\n') text_put(out, "\\n");
    else if (!utf8_is_plain(code)) text_printf(out, "\\u%04x", code);
    else text_putn(out, s, n);
    n = n ? n : 1;
  }
  text_putc(out, '"');
}

static void before(Json *json, const char *key) {
  if (json->comma) text_put(json->out, ", ");
  json->comma = true;
  if (!key) return;
  put_string(json->out, key);
  text_put(json->out, ": ");
}

void json_open(Json *json, const char *key, char bracket) {
  before(json, key);
  text_putc(json->out, bracket);
  json->comma = false;
}

void json_close(Json *json, char bracket) {
  text_putc(json->out, bracket);
  json->comma = true;
}

void json_string(Json *json, const char *key, const char *value) {
  before(json, key);
  if (value) put_string(json->out, value);
  else text_put(json->out, "null");
}

void json_number(Json *json, const char *key, double value) {
  before(json, key);
  if (isfinite(value)) text_number(json->out, value);
  else text_put(json->out, "null");
}

void json_count(Json *json, const char *key, uint64_t value) {
  before(json, key);
  text_printf(json->out, "%llu", (unsigned long long)value);
}

void json_bool(Json *json, const char *key, bool value) {
  before(json, key);
  text_put(json->out, value ? "true" : "false");
}

void json_null(Json *json, const char *key) {
  before(json, key);
  text_put(json->out, "null");
}

void json_strings(Json *json, const char *key, const char *const *items, uint32_t count) {
  json_open(json, key, '[');
  for (uint32_t i = 0; i < count; i++) json_string(json, NULL, items[i]);
  json_close(json, ']');
}
