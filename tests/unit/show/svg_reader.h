// A small reader of SVG for tests: elements with their attributes and text, and whether tags close.
#ifndef VIVA_TESTS_SVG_READER_H
#define VIVA_TESTS_SVG_READER_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SvgElement {
  char name[16];
  const char *start, *end; // of the tag's inside
  const char *text;        // what follows the tag, up to text_end
  const char *text_end;
} SvgElement;

typedef struct SvgFile {
  SvgElement *items;
  size_t count;
  bool well_formed;
} SvgFile;

static inline SvgFile svg_read(const char *s) {
  SvgFile f = {calloc(200000, sizeof(SvgElement)), 0, true};
  char open[32][16];
  int depth = 0;
  while (f.items && (s = strchr(s, '<')) && f.count < 200000) {
    const char *end = strchr(s, '>');
    if (!end) {
      f.well_formed = false;
      break;
    }
    if (s[1] == '/') {
      size_t n = (size_t)(end - s - 2);
      if (depth == 0 || strlen(open[depth - 1]) != n || memcmp(open[depth - 1], s + 2, n) != 0) f.well_formed = false;
      if (depth > 0) depth--;
      s = end;
      continue;
    }
    SvgElement *e = &f.items[f.count++];
    size_t n = strcspn(s + 1, " />\n");
    if (n > 15) n = 15;
    memcpy(e->name, s + 1, n);
    e->start = s + 1 + n;
    e->end = end;
    e->text = end + 1;
    e->text_end = strchr(end, '<');
    if (end[-1] != '/' && depth < 32) memcpy(open[depth++], e->name, 16);
    s = end;
  }
  f.well_formed = f.well_formed && depth == 0;
  return f;
}

// The value of an attribute, or NULL; valid until the next call.
static inline const char *svg_get(const SvgElement *e, const char *name, char *out, size_t size) {
  char key[40];
  snprintf(key, sizeof key, " %s=\"", name);
  for (const char *s = e->start; s < e->end; s++) {
    if (strncmp(s, key, strlen(key)) != 0) continue;
    s += strlen(key);
    size_t n = strcspn(s, "\"");
    if (n >= size) n = size - 1;
    memcpy(out, s, n);
    out[n] = '\0';
    return out;
  }
  return NULL;
}

static inline double svg_num(const SvgElement *e, const char *name) {
  char text[64];
  return svg_get(e, name, text, sizeof text) ? strtod(text, NULL) : NAN;
}

static inline bool svg_is(const SvgElement *e, const char *name, const char *class) {
  char text[64];
  return strcmp(e->name, name) == 0 && (!class || (svg_get(e, "class", text, sizeof text) && strcmp(text, class) == 0));
}

static inline size_t svg_count(const SvgFile *f, const char *name, const char *class) {
  size_t n = 0;
  for (size_t i = 0; i < f->count; i++) n += svg_is(&f->items[i], name, class) ? 1u : 0u;
  return n;
}

static inline const SvgElement *svg_find(const SvgFile *f, const char *name, const char *class, size_t which) {
  for (size_t i = 0; i < f->count; i++) {
    if (svg_is(&f->items[i], name, class) && which-- == 0) return &f->items[i];
  }
  return NULL;
}

// The points of a path of absolute coordinates; M starts a piece. Returns how many.
static inline size_t svg_points(const SvgElement *e, double (*xy)[2], size_t most) {
  const char *s = e->start, *end = e->end;
  while (s < end && strncmp(s, " d=\"", 4) != 0) s++;
  size_t n = 0;
  for (s += 4; s < end && *s != '"' && n < most;) {
    char *next;
    double x = strtod(s, &next);
    if (next == s || *s == '\0') {
      s++;
      if (s[-1] == 'h') s++; // a dot
      continue;
    }
    xy[n][0] = x;
    s = next + (*next == ',');
    xy[n][1] = strtod(s, &next);
    s = next;
    n++;
  }
  return n;
}

// The scale that the ticks of an axis tell: value = a + b*place, from two of their words.
static inline void told_scale(const SvgFile *f, const char *class, const char *place, bool log, double *a, double *b) {
  double v[2], at[2];
  size_t last = svg_count(f, "text", class) - 1;
  for (int i = 0; i < 2; i++) {
    const SvgElement *e = svg_find(f, "text", class, i ? last : 0);
    char text[64] = "", *s = text;
    memcpy(text, e->text, (size_t)(e->text_end - e->text));
    double sign = 1;
    if (strncmp(s, "−", 3) == 0) sign = -1, s += 3;
    v[i] = sign * strtod(s, NULL);
    if (log) v[i] = log10(v[i]);
    at[i] = svg_num(e, place);
    if (*place == 'y') at[i] -= 0.35 * svg_num(e, "font-size"); // the middle of the letters
  }
  *b = (v[1] - v[0]) / (at[1] - at[0]);
  *a = v[0] - *b * at[0];
}

// Widths of the printable ASCII letters of DejaVu Sans, in thousandths; it is among the widest of common faces.
static const short dejavu[95] = {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
                                 636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
                                 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
                                 603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
                                 500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
                                 635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};

static inline double svg_letters(const char *s, const char *end, bool bold) {
  double em = 0;
  for (; s < end; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '&') s += strcspn(s, ";");
    if ((c & 0xC0) == 0x80) continue;
    em += c >= 32 && c < 127 ? dejavu[c - 32] / 1000.0 : c >= 0xE3 && c < 0xEF ? 1.0 : c == 0xE2 ? 0.45 : 0.64;
  }
  return bold ? 1.1 * em : em;
}

// The room of a text on paper.
typedef struct SvgBox {
  double x0, y0, x1, y1;
} SvgBox;

static inline SvgBox svg_box(const SvgElement *e) {
  double size = svg_num(e, "font-size"), x = svg_num(e, "x"), y = svg_num(e, "y");
  char anchor[16] = "start", turn[64], weight[16];
  svg_get(e, "text-anchor", anchor, sizeof anchor);
  double w = size * svg_letters(e->text, e->text_end, svg_get(e, "font-weight", weight, sizeof weight) != NULL),
         left = strcmp(anchor, "middle") == 0 ? w / 2
                : strcmp(anchor, "end") == 0  ? w
                                              : 0;
  // letters stand on y and rise by three quarters of their size
  if (svg_get(e, "transform", turn, sizeof turn))
    return (SvgBox){x - 0.75 * size, y - w + left, x + 0.1 * size, y + left};
  return (SvgBox){x - left, y - 0.75 * size, x - left + w, y + 0.1 * size};
}

// How many words leave the picture or lie over another one.
static inline size_t svg_clashes(const SvgFile *f, const char *what) {
  size_t n = svg_count(f, "text", NULL), bad = 0;
  SvgBox *box = calloc(n + 1, sizeof *box);
  double w = svg_num(&f->items[0], "width"), h = svg_num(&f->items[0], "height");
  for (size_t i = 0; i < n; i++) {
    const SvgElement *e = svg_find(f, "text", NULL, i);
    box[i] = svg_box(e);
    bool inside = box[i].x0 >= 0 && box[i].y0 >= 0 && box[i].x1 <= w && box[i].y1 <= h;
    if (!inside && what)
      fprintf(stderr, "%s: \"%.*s\" leaves the picture\n", what, (int)(e->text_end - e->text), e->text);
    bad += inside ? 0u : 1u;
    for (size_t k = 0; k < i; k++) {
      const SvgElement *o = svg_find(f, "text", NULL, k);
      bool apart = box[i].x0 >= box[k].x1 || box[k].x0 >= box[i].x1 || box[i].y0 >= box[k].y1 || box[k].y0 >= box[i].y1;
      if (!apart && what)
        fprintf(stderr, "%s: \"%.*s\" lies over \"%.*s\"\n", what, (int)(e->text_end - e->text), e->text,
                (int)(o->text_end - o->text), o->text);
      bad += apart ? 0u : 1u;
    }
  }
  free(box);
  return bad;
}

#endif
