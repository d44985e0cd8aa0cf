// Bytes as text, in base64 (RFC 4648).
#ifndef VIVA_SHOW_BASE64_H
#define VIVA_SHOW_BASE64_H

#include "base/text.h"

// Pieces of whole threes may be put one after the other.
void base64_put(Text *out, const unsigned char *bytes, size_t count);

#endif
