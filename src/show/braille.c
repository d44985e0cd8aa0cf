// Characters for a drawing. A braille character holds 2 by 4 dots:
//
//   1 4      bits 0x01 0x08
//   2 5           0x02 0x10
//   3 6           0x04 0x20
//   7 8           0x40 0x80
#include "show/braille.h"

#include <math.h>
#include <string.h>

typedef struct Cell {
  char word[8]; // a character; "" : dots, if any
  uint8_t dots;
  int32_t colour; // of the dots or the character; draw_no_colour: the terminal's own
} Cell;

typedef struct Canvas {
  Cell *cells;
  long columns, rows;
  const DrawRect *clip; // NULL: none
} Canvas;

static Cell *cell_at(Canvas *c, long column, long row) {
  return column >= 0 && row >= 0 && column < c->columns && row < c->rows ? &c->cells[row * c->columns + column] : NULL;
}

static void put_word(Canvas *c, long column, long row, const char *text, size_t length, int32_t colour) {
  Cell *cell = cell_at(c, column, row);
  if (!cell || length >= sizeof cell->word) return;
  memcpy(cell->word, text, length);
  cell->word[length] = '\0';
  cell->colour = colour;
}

static void put_dot(Canvas *c, long x, long y, int32_t colour) {
  static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  if (c->clip) {
    // the lower and right edge belong to the last dot inside
    long left = (long)c->clip->x, top = (long)c->clip->y, right = left + (long)c->clip->w - 1,
         bottom = top + (long)c->clip->h - 1;
    if (x == right + 1) x = right;
    if (y == bottom + 1) y = bottom;
    if (x < left || y < top || x > right || y > bottom) return;
  }
  Cell *cell = x >= 0 && y >= 0 ? cell_at(c, x / 2, y / 4) : NULL;
  if (!cell || cell->word[0]) return;
  cell->dots |= bits[y % 4][x % 2];
  cell->colour = colour;
}

static bool pen_down(DrawDash dash, long at) {
  switch (dash) {
  case dash_long: return at % 8 < 5;
  case dash_dots: return at % 3 == 0;
  case dash_mixed: return at % 9 < 5 || at % 9 == 7;
  default: return true;
  }
}

// A straight run of dots; `at` counts them for the dashes.
static void put_line(Canvas *c, DrawPoint a, DrawPoint b, DrawDash dash, int32_t colour, long *at) {
  double n = ceil(fmax(fabs(b.x - a.x), fabs(b.y - a.y)));
  if (n > 20000) n = 20000;
  for (double i = 0; i <= n; i++) {
    double part = n > 0 ? i / n : 0;
    if (pen_down(dash, *at))
      put_dot(c, (long)floor(a.x + part * (b.x - a.x)), (long)floor(a.y + part * (b.y - a.y)), colour);
    *at += i < n;
  }
}

static void put_path(Canvas *c, const DrawItem *item) {
  long at = 0;
  int32_t colour = item->stroke == draw_no_colour ? item->fill : item->stroke;
  uint32_t first = 0;
  for (uint32_t i = 0; i < item->count; i++) {
    bool start = i == 0 || isnan(item->points[i - 1].x);
    if (isnan(item->points[i].x)) continue;
    if (start) first = i;
    put_line(c, item->points[start ? i : i - 1], item->points[i], item->dash, colour, &at);
  }
  if (item->closed && item->count > first)
    put_line(c, item->points[item->count - 1], item->points[first], item->dash, colour, &at);
}

static void put_axis(Canvas *c, const DrawItem *item) {
  DrawPoint a = item->points[0], b = item->points[1];
  if (a.x == b.x) {
    for (long row = (long)(a.y / 4); row < (long)(b.y / 4); row++)
      put_word(c, (long)(a.x / 2) - 1, row, "│", 3, draw_no_colour);
    return;
  }
  long row = (long)(a.y / 4), from = (long)(a.x / 2) - 1;
  put_word(c, from, row, "└", 3, draw_no_colour);
  for (long column = from + 1; column < (long)(b.x / 2); column++) {
    Cell *cell = cell_at(c, column, row);
    if (cell && !cell->word[0]) put_word(c, column, row, "─", 3, draw_no_colour);
  }
}

static void put_tick(Canvas *c, const DrawItem *item) {
  DrawPoint a = item->points[0], b = item->points[1];
  if (item->role == role_tick_x) {
    put_word(c, (long)floor(a.x / 2), (long)(a.y / 4), "┬", 3, draw_no_colour);
    return;
  }
  Cell *cell = cell_at(c, (long)(b.x / 2) - 1, (long)floor(a.y / 4));
  if (cell && strcmp(cell->word, "└") != 0)
    put_word(c, (long)(b.x / 2) - 1, (long)floor(a.y / 4), "┤", 3, draw_no_colour);
}

static void put_text(Canvas *c, const DrawItem *item) {
  double width = drawing_text_width(item->text, 0, true);
  double x = item->anchor < 0 ? item->x : item->anchor > 0 ? item->x - width : item->x - width / 2;
  long column = (long)floor(item->anchor == 0 ? (x + 1) / 2 : x / 2), row = (long)floor(item->y / 4);
  uint32_t code;
  for (const char *s = item->text; *s;) {
    size_t n = utf8_decode(s, strlen(s), &code);
    if (n == 0) n = 1;
    char one[8] = {0};
    memcpy(one, s, n);
    double w = drawing_text_width(one, 0, true);
    if (w > 0) put_word(c, column, row, s, n, draw_no_colour);
    column += (long)(w / 2);
    s += n;
  }
}

static void put_arrow(Canvas *c, const DrawItem *item) {
  static const char *const arrows[] = {"→", "↗", "↑", "↖", "←", "↙", "↓", "↘"};
  const DrawPoint *p = item->points;
  double mx = (p[0].x + p[1].x + p[2].x) / 3, my = (p[0].y + p[1].y + p[2].y) / 3;
  long turn = lround(atan2(my - p[0].y, p[0].x - mx) / (3.14159265358979323846 / 4));
  put_word(c, (long)(mx / 2), (long)(my / 4), arrows[(turn + 8) % 8], 3, item->fill);
}

static void put_item(Canvas *c, const Drawing *d, const DrawItem *item) {
  c->clip = item->clip ? &d->clips.items[item->clip - 1] : NULL;
  if (item->kind == draw_text) put_text(c, item);
  else if (item->kind == draw_circle)
    put_word(c, (long)floor(item->x / 2), (long)floor(item->y / 4), item->role == role_points ? "•" : "○", 3,
             draw_no_colour);
  else if (item->role == role_grid || item->role == role_minor) return;
  else if (item->role == role_axis) put_axis(c, item);
  else if (item->role == role_tick_x || item->role == role_tick_y || item->role == role_tick_right) put_tick(c, item);
  else if (item->role == role_arrow) put_arrow(c, item);
  else put_path(c, item);
}

static void put_cell(const Cell *cell, bool colour, int32_t *current, Text *out) {
  int32_t wanted = cell->word[0] || cell->dots ? cell->colour : *current;
  if (colour && wanted != *current) {
    if (wanted == draw_no_colour) text_put(out, "\033[39m");
    else text_printf(out, "\033[38;2;%d;%d;%dm", wanted >> 16 & 255, wanted >> 8 & 255, wanted & 255);
    *current = wanted;
  }
  if (cell->word[0]) text_put(out, cell->word);
  else if (cell->dots)
    text_putn(out, (char[]){(char)0xE2, (char)(0xA0 | cell->dots >> 6), (char)(0x80 | (cell->dots & 0x3F))}, 3);
  else text_putc(out, ' ');
}

void braille_write(const Drawing *d, bool colour, Text *out) {
  Canvas canvas = {.columns = (long)(d->width / 2), .rows = (long)ceil(d->height / 4)}, *c = &canvas;
  c->cells = arena_array(d->arena, (size_t)(c->columns * c->rows) + 1, sizeof *c->cells);
  if (!c->cells) return;
  for (long i = 0; i < c->columns * c->rows; i++) c->cells[i].colour = draw_no_colour;
  // words keep their cells: dots come last
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < d->items.count; i++) {
      const DrawItem *item = &d->items.items[i];
      bool dots = item->kind == draw_path && item->role >= role_legend && item->role != role_arrow;
      if (dots == (pass == 1)) put_item(c, d, item);
    }
  }
  for (long row = 0; row < c->rows; row++) {
    long end = c->columns;
    while (end > 0 && !c->cells[row * c->columns + end - 1].word[0] && !c->cells[row * c->columns + end - 1].dots)
      end--;
    int32_t current = draw_no_colour;
    for (long column = 0; column < end; column++) put_cell(&c->cells[row * c->columns + column], colour, &current, out);
    if (current != draw_no_colour) text_put(out, "\033[39m");
    text_putc(out, '\n');
  }
}
