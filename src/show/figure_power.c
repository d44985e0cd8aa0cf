// Power flows over time, and phase portraits. A part of figure.h.
//
// in    the powers of the energy balance and the ports of a system; its pairs of coordinates and velocities, or of
//       states that J joins
// out   what a run must watch for them; panels: the power that is stored, dissipated and supplied, with several ports
//       that of each; a phase portrait for each pair
// how   The model is read only: products of watched columns are made here. d(stored)/dt is supplied - dissipated.
#include "show/figure.h"

#include "system/dimension.h"

enum { most_pairs = 6 }; // phase portraits of a figure

// ---- ports

typedef struct FigurePort {
  const char *name;
  ExprId u, y;
} FigurePort;
typedef VEC(FigurePort) FigurePortList;

static bool is_connected(const System *s, uint32_t input) {
  for (uint32_t i = 0; i < s->connections.count; i++) {
    if (s->connections.items[i].to == input) return true;
  }
  for (uint32_t i = 0; i < s->ties.count; i++) {
    for (uint32_t k = 0; k < s->ties.items[i].count; k++) {
      if (s->ties.items[i].inputs[k] == input) return true;
    }
  }
  return false;
}

static void put_port(const Figure *f, uint32_t input, const char *name, ExprId y, FigurePortList *list) {
  const System *s = f->system;
  if (!is_connected(s, input))
    vec_push(f->arena, list, (FigurePort){name, expr_sym(s->pool, s->inputs.items[input].symbol), y});
}

static void list_ports(const Figure *f, FigurePortList *list) {
  const System *s = f->system;
  for (uint32_t i = 0; i < s->storages.count; i++) {
    const SystemPortList *ports = &s->storages.items[i].ports;
    for (uint32_t k = 0; k < ports->count; k++)
      put_port(f, ports->items[k].input, ports->items[k].name, ports->items[k].y, list);
  }
  for (uint32_t i = 0; i < s->force_ports.count; i++) {
    const SystemForcePort *p = &s->force_ports.items[i];
    put_port(f, p->input, p->name, p->y, list);
  }
  if (list->count < 2) list->count = 0; // it is all that is supplied
}

// ---- pairs

typedef struct FigurePair {
  SystemOutput across, up;
} FigurePair;
typedef VEC(FigurePair) FigurePairList;

static SystemOutput state_shown(const Figure *f, uint32_t i) {
  const SystemState *x = &f->system->states.items[i];
  return (SystemOutput){x->name, expr_sym(f->system->pool, x->x), x->unit, x->span,
                        unit_si_text(f->arena, &x->unit, &x->dim, 0)};
}

static void list_pairs(const Figure *f, FigurePairList *list) {
  const System *s = f->system;
  for (uint32_t i = 0; i < s->coords.count && list->count < most_pairs; i++) {
    const SystemCoord *c = &s->coords.items[i];
    SystemOutput q = {c->name, expr_sym(s->pool, c->q), c->unit, c->span, unit_si_text(f->arena, &c->unit, &c->dim, 0)};
    SystemOutput v = {pool_symbol_get(s->pool, c->v)->name, expr_sym(s->pool, c->v), c->unit, c->span,
                      unit_si_text(f->arena, &c->unit, &c->dim, 1)};
    vec_push(f->arena, list, (FigurePair){q, v});
  }
  for (uint32_t k = 0; k < s->storages.count; k++) {
    const SystemStorage *x = &s->storages.items[k];
    for (uint32_t i = 0; i < x->count; i++) {
      for (uint32_t j = i + 1; j < x->count && list->count < most_pairs; j++) {
        bool joined = x->fitted || x->J[i * x->count + j] != s->pool->zero;
        if (joined) vec_push(f->arena, list, (FigurePair){state_shown(f, x->rows[i]), state_shown(f, x->rows[j])});
      }
    }
  }
}

// ---- what to watch

bool figure_watch_power(Figure *f) {
  FigurePortList ports = {0};
  const SystemEnergy *e = &f->system->energy;
  if (!e->kept) return true;
  f->power = true;
  figure_watch(f, e->flows.items[flow_dissipated].power);
  figure_watch(f, e->flows.items[flow_supplied].power);
  list_ports(f, &ports);
  for (uint32_t i = 0; i < ports.count; i++) {
    figure_watch(f, ports.items[i].u);
    figure_watch(f, ports.items[i].y);
  }
  return figure_make_columns(f);
}

bool figure_watch_phase(Figure *f) {
  FigurePairList pairs = {0};
  list_pairs(f, &pairs);
  f->phase = pairs.count > 0;
  for (uint32_t i = 0; i < pairs.count; i++) {
    figure_watch(f, pairs.items[i].across.value);
    figure_watch(f, pairs.items[i].up.value);
  }
  return figure_make_columns(f);
}

// ---- panels

static void put_power(const Figure *f, PlotPanel *p, const char *name, const double *y) {
  PlotCurve c = {
      .kind = curve_line, .name = name, .unit = "W", .x = f->columns[0].items, .y = y, .count = figure_rows(f)};
  vec_push(f->arena, &p->curves, c);
}

// a - b, or a times b
static double *combined(const Figure *f, const double *a, const double *b, bool product) {
  size_t n = figure_rows(f);
  double *out = arena_array(f->arena, n + 1, sizeof *out);
  for (size_t i = 0; out && i < n; i++) out[i] = product ? a[i] * b[i] : a[i] - b[i];
  return out;
}

static void power_panels(const Figure *f, Plot *plot) {
  const EnergyFlow *flows = f->system->energy.flows.items;
  FigurePortList ports = {0};
  PlotPanel *p = plot_panel(f->arena, plot, "t", "s");
  if (!p) return;
  p->y_name = "power";
  const double *lost = figure_column(f, flows[flow_dissipated].power),
               *in = figure_column(f, flows[flow_supplied].power);
  put_power(f, p, "stored", combined(f, in, lost, false));
  put_power(f, p, "dissipated", lost);
  put_power(f, p, "supplied", in);
  list_ports(f, &ports);
  if (!ports.count || !(p = plot_panel(f->arena, plot, "t", "s"))) return;
  p->y_name = "power of ports";
  for (uint32_t i = 0; i < ports.count; i++)
    put_power(f, p, ports.items[i].name,
              combined(f, figure_column(f, ports.items[i].u), figure_column(f, ports.items[i].y), true));
}

static void phase_panels(const Figure *f, Plot *plot) {
  FigurePairList pairs = {0};
  list_pairs(f, &pairs);
  for (uint32_t i = 0; i < pairs.count; i++) {
    const FigurePair *k = &pairs.items[i];
    PlotPanel *p = plot_panel(f->arena, plot, k->across.name, k->across.si);
    if (!p) return;
    p->phase = true;
    PlotCurve c = {.kind = curve_line,
                   .name = k->up.name,
                   .unit = k->up.si,
                   .x = figure_column(f, k->across.value),
                   .y = figure_column(f, k->up.value),
                   .count = figure_rows(f)};
    vec_push(f->arena, &p->curves, c);
  }
}

void figure_power(const Figure *f, Plot *plot) {
  *plot = (Plot){0};
  if (f->power) power_panels(f, plot);
}

void figure_phase(const Figure *f, Plot *plot) {
  *plot = (Plot){0};
  if (f->phase) phase_panels(f, plot);
}

void figure_whole(const Figure *f, Plot *plot) {
  figure_plot(f, plot);
  if (f->power && !f->apart) power_panels(f, plot);
  if (f->phase && !f->apart) phase_panels(f, plot);
}
