// Items of a drawing, colours, and the widths of words.
//
// Colours of curves are those of Okabe and Ito (2008), which people with any colour vision tell apart, ordered so that
// neighbours differ in lightness as well; scales of colours are viridis. The reader's font is not known: words are
// measured by classes of letters of a wide sans-serif face, so widths are upper estimates. In a terminal a character
// is two dots wide, or four.
#include "show/drawing.h"

#include <math.h>
#include <string.h>

// ---- colours

Theme drawing_theme(bool dark) {
  if (dark) {
    return (Theme){
        0x15181d, 0xe6e6e6, 0x9aa0a8, 0x2b3037, {0x56b4e9, 0xf0e442, 0xd55e00, 0xffffff, 0x009e73, 0xe69f00, 0xcc79a7},
        0xff6b57};
  }
  return (Theme){
      0xffffff, 0x1a1a1a, 0x6b6b6b, 0xe4e4e4, {0x0072b2, 0xe69f00, 0x000000, 0xd55e00, 0x56b4e9, 0x009e73, 0xcc79a7},
      0xc62f21};
}

Theme drawing_theme_terminal(void) {
  Theme t = drawing_theme(true);
  static const int32_t middle[7] = {0x56b4e9, 0xe69f00, 0x009e73, 0xd55e00, 0xcc79a7, 0x0072b2, 0x999999};
  for (int i = 0; i < 7; i++) t.curve[i] = middle[i];
  return t;
}

int32_t drawing_theme_curve(const Theme *theme, uint32_t index) { return theme->curve[index % 7]; }

// With seven colours and four dashes the pair repeats after 28 curves.
DrawDash drawing_dash(uint32_t index) { return (DrawDash)(index % dash_count); }

// From a to b, channel by channel.
static int32_t mix(int32_t a, int32_t b, double part) {
  int32_t out = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    double from = a >> shift & 0xff, to = b >> shift & 0xff;
    out |= (int32_t)lround(from + part * (to - from)) << shift;
  }
  return out;
}

int32_t drawing_scale_colour(double part) {
  // the anchors of matplotlib's viridis (CC0)
  static const int32_t anchors[] = {0x440154, 0x482878, 0x3b528b, 0x2c728e, 0x21918c,
                                    0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
  enum { last = sizeof anchors / sizeof *anchors - 1 };
  double at = fmin(fmax(part, 0), 1) * last;
  int i = at >= last ? last - 1 : (int)at;
  return mix(anchors[i], anchors[i + 1], at - i);
}

int32_t drawing_diverging_colour(double part) {
  const int32_t low = 0x0072b2, high = 0xd55e00, middle = 0xffffff; // blue and vermilion of Okabe and Ito
  double at = 2 * fmin(fmax(part, 0), 1) - 1;
  return mix(middle, at < 0 ? low : high, fabs(at));
}

int32_t drawing_scale_line(double part, bool dark) {
  return drawing_scale_colour(dark ? 0.25 + 0.75 * part : 0.85 * part);
}

double drawing_lightness(int32_t colour) {
  static const double weight[3] = {0.2126, 0.7152, 0.0722};
  double y = 0;
  for (int i = 0; i < 3; i++) {
    double c = (double)(colour >> (16 - 8 * i) & 0xff) / 255;
    y += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
  }
  return y <= 216.0 / 24389 ? y * 24389 / 27 : 116 * cbrt(y) - 16;
}

// ---- words

// Width of a letter in ems, after a wide sans-serif face.
static double letter_width(uint32_t c) {
  if (c < 0x80) {
    if (strchr("ijl.,:;'|!", (int)c) && c) return 0.34;
    if (strchr("ftr()[]I /\\-\"", (int)c) && c) return 0.42;
    if (strchr("mwMW%@", (int)c) && c) return 0.99;
    if (c >= 'A' && c <= 'Z') return 0.78;
    return 0.64;
  }
  if (c == 0xb2 || c == 0xb3 || c == 0xb9 || (c >= 0x2070 && c <= 0x208e)) return 0.44; // superscripts
  if (c >= 0x300 && c < 0x370) return 0;                                                // combining marks
  if ((c >= 0x1100 && c < 0x1200) || (c >= 0x2e80 && c < 0xd7b0) || c >= 0x1f300) return 1.1;
  return c == 0x2212 || c == 0xd7 || c == 0xb7 ? 0.84 : 0.8;
}

static size_t next_letter(const char *s, uint32_t *code) {
  size_t n = utf8_decode(s, strlen(s), code);
  if (n) return n;
  *code = '?';
  return 1;
}

static double cell_width(uint32_t c) {
  if (c >= 0x300 && c < 0x370) return 0;
  return (c >= 0x1100 && c < 0x1200) || (c >= 0x2e80 && c < 0xd7b0) || c >= 0x1f300 ? 4 : 2;
}

double drawing_text_width(const char *text, double size, bool cells) {
  double w = 0;
  uint32_t c;
  for (const char *s = text; *s; s += next_letter(s, &c)) {
    next_letter(s, &c);
    w += cells ? cell_width(c) : size * letter_width(c);
  }
  return w;
}

const char *drawing_text_fit(Arena *arena, const char *text, double size, bool cells, double most) {
  if (drawing_text_width(text, size, cells) <= most) return text;
  double dots = drawing_text_width("…", size, cells), w = 0;
  const char *s = text;
  for (uint32_t c; *s; s += next_letter(s, &c)) {
    next_letter(s, &c);
    w += cells ? cell_width(c) : size * letter_width(c);
    if (w + dots > most) break;
  }
  const char *cut = arena_printf(arena, "%.*s…", (int)(s - text), text);
  return cut ? cut : "";
}

const char *drawing_text_fit_inside(Arena *arena, const char *text, double size, bool cells, double most, double tail) {
  if (drawing_text_width(text, size, cells) <= most) return text;
  double room = most - drawing_text_width("…", size, cells), w = 0;
  const char *head = text, *end = text + strlen(text);
  for (uint32_t c; *head; head += next_letter(head, &c)) {
    next_letter(head, &c);
    w += cells ? cell_width(c) : size * letter_width(c);
    if (w > (1 - tail) * room) break;
  }
  while (end > head) { // a letter more
    const char *before = end - 1;
    while (before > head && ((unsigned char)*before & 0xC0) == 0x80) before--;
    if (drawing_text_width(before, size, cells) > tail * room) break;
    end = before;
  }
  const char *cut = arena_printf(arena, "%.*s…%s", (int)(head - text), text, end);
  return cut ? cut : "";
}

uint32_t drawing_text_wrap(Arena *arena, const char *text, double size, bool cells, double most,
                           const char *lines[text_lines_most]) {
  uint32_t count = 0;
  while (count < text_lines_most - 1 && drawing_text_width(text, size, cells) > most) {
    // the last blank before which the text fits
    const char *end = NULL;
    for (const char *blank = strchr(text, ' '); blank; blank = strchr(blank + 1, ' ')) {
      const char *start = arena_printf(arena, "%.*s", (int)(blank - text), text);
      if (!start || drawing_text_width(start, size, cells) > most) break;
      lines[count] = start;
      end = blank;
    }
    if (!end) break;
    count++;
    text = end + 1;
  }
  lines[count] = drawing_text_fit(arena, text, size, cells, most);
  return count + 1;
}

// ---- items

DrawItem *drawing_add(Drawing *d, DrawItem item) {
  return vec_push(d->arena, &d->items, item) ? &d->items.items[d->items.count - 1] : NULL;
}

void drawing_line(Drawing *d, DrawRole role, DrawPoint from, DrawPoint to, int32_t colour, double width) {
  DrawPoint *p = arena_array(d->arena, 2, sizeof *p);
  if (!p) return;
  p[0] = from;
  p[1] = to;
  drawing_add(d, (DrawItem){.kind = draw_path,
                            .role = role,
                            .stroke = colour,
                            .fill = draw_no_colour,
                            .line = width,
                            .opacity = 1,
                            .points = p,
                            .count = 2});
}

void drawing_word(Drawing *d, DrawRole role, DrawPoint at, int anchor, const char *text, double size, int32_t colour) {
  drawing_add(d, (DrawItem){.kind = draw_text,
                            .role = role,
                            .stroke = draw_no_colour,
                            .fill = colour,
                            .opacity = 1,
                            .x = at.x,
                            .y = at.y,
                            .anchor = anchor,
                            .text = text,
                            .size = size});
}
