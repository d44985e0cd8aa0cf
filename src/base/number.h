// Numbers as text and back: the one home of it. The locale of a host program, with its decimal comma, never matters
// here.
#ifndef VIVA_BASE_NUMBER_H
#define VIVA_BASE_NUMBER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// The shortest decimal text that reads back to the same double; nan, inf and -inf otherwise.
enum { number_text_size = 32 };
void number_print(double value, char out[number_text_size]);

// As strtod, snprintf and vsnprintf in the C locale.
double number_parse(const char *text, char **end);
int number_format(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int number_vformat(char *out, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

// The bits of a number as hexadecimal text, as %a: 0x1.8p+1, -0x0p+0, inf, nan.
void number_print_bits(double value, char out[number_text_size]);
// Reads what that writes, and nothing else; NULL: it is no such text. Else the first character behind it.
const char *number_read_bits(const char *text, double *value);

#endif
