// The first line of an exported file: who wrote it, and a checksum of what follows.
//
// in    the text of a file whose first line has blanks for the digits
// out   the same with them; later: is this text as it was written? A file that somebody changed is not.
// how   FNV-1a of 64 bits over all behind the first line, without carriage returns: some programs rewrite the ends of
//       lines. It guards against accidents, not against anybody.
#include "show/export_c.h"
#include "show/export_steps.h"

#include <stdio.h>
#include <string.h>

static const char mark[] = "Written by viva ", sum_mark[] = ", checksum ";
enum { sum_digits = 16 };

// The first line has it; export_put_sum fills the digits in.
void export_mark(const ExportShow *s, Text *out) {
  text_printf(out, "%s%s%s%0*d.", mark, s->version, sum_mark, sum_digits, 0);
}

// Of all behind the first line. Ends of lines do not count: some programs rewrite them.
static void sum_of(const char *text, size_t length, char digits[sum_digits + 1]) {
  uint64_t h = 0xCBF29CE484222325u; // FNV-1a
  const char *line = memchr(text, '\n', length);
  for (const char *c = line ? line : text + length; c < text + length; c++) {
    if (*c != '\r') h = (h ^ (unsigned char)*c) * 0x100000001B3u;
  }
  snprintf(digits, sum_digits + 1, "%016llx", (unsigned long long)h);
}

// Where the digits stand in the first line; NULL: it is no line of ours.
static const char *find_sum(const char *text, size_t length) {
  const char *line = memchr(text, '\n', length), *found = NULL;
  size_t n = sizeof sum_mark - 1, first = line ? (size_t)(line - text) : 0;
  bool ours = false;
  for (size_t i = 0; i + n + sum_digits <= first; i++) {
    ours = ours || memcmp(text + i, mark, sizeof mark - 1) == 0;
    if (ours && memcmp(text + i, sum_mark, n) == 0) found = text + i + n;
  }
  return found;
}

void export_put_sum(Text *out) {
  char digits[sum_digits + 1];
  const char *at = out->data ? find_sum(out->data, out->length) : NULL;
  if (!at) return;
  sum_of(out->data, out->length, digits);
  memcpy(out->data + (at - out->data), digits, sum_digits);
}

bool export_is_unchanged(const char *text, size_t length) {
  char digits[sum_digits + 1];
  const char *at = find_sum(text, length);
  if (!at) return false;
  sum_of(text, length, digits);
  return memcmp(at, digits, sum_digits) == 0;
}
