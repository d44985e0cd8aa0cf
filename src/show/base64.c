// Bytes as text: three are four characters of 6 bits each, the last ones padded.
#include "show/base64.h"

void base64_put(Text *out, const unsigned char *b, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char block[4096];
  size_t used = 0;
  for (size_t i = 0; i < n; i += 3) {
    uint32_t v = (uint32_t)b[i] << 16 | (i + 1 < n ? (uint32_t)b[i + 1] << 8 : 0) | (i + 2 < n ? b[i + 2] : 0);
    block[used++] = digits[v >> 18];
    block[used++] = digits[v >> 12 & 63];
    block[used++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
    block[used++] = i + 2 < n ? digits[v & 63] : '=';
    if (used == sizeof block) {
      text_putn(out, block, used);
      used = 0;
    }
  }
  text_putn(out, block, used);
}
