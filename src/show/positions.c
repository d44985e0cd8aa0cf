// Position analysis of mechanisms as text and JSON. See positions.h.
//
// The text has a table of at most `most_rows` rows, evenly thinned, and `most_columns` columns of what is shown;
// files have everything.
#include "show/positions.h"

#include "positions/refuse.h"
#include "show/json.h"
#include "show/synthesis.h"

#include <math.h>
#include <string.h>

enum { most_rows = 25, most_columns = 6 };

// Positions one after the other, not a single one?
static bool follows(const Positions *x) {
  if (x->problem == positions_deformed) return x->row_count > 1;
  return x->problem == positions_successive || x->problem == positions_path;
}

// The drives are targets that somebody asked for, not drives of the model?
static bool reaches(const Positions *x) { return x->problem == positions_inverse || x->held; }

static const char *unit_behind(const char *si) { return si && *si ? si : ""; }

// ---- text

static void put_drives(const Positions *x, Text *out) {
  const Places *p = &x->places;
  if (!p->k) return;
  text_put(out, "Drives\n");
  for (uint32_t i = 0; i < p->k; i++) {
    const SystemDrive *d = &x->drives[i];
    text_printf(out, "  %s from %.9g to %.9g", d->name, p->from[i], p->to[i]);
    if (*unit_behind(d->si)) text_printf(out, " %s", d->si);
    text_printf(out, ", %u %s", d->steps, d->steps == 1 ? "step" : "steps");
    if (!isnan(p->time)) text_printf(out, " in %.9g s", p->time);
    text_putc(out, '\n');
  }
  text_putc(out, '\n');
}

static void put_position(const Positions *x, Text *out) {
  const Places *p = &x->places;
  size_t width = 0;
  int digits = x->problem == positions_inverse && x->status != positions_done ? 7 : 9; // a nearest one is less exact
  if ((x->problem == positions_inverse || (x->problem == positions_deformed && p->k)) && x->row_count) {
    text_put(out, x->problem == positions_inverse ? "Reached\n" : "Held\n");
    for (uint32_t i = 0; i < p->k; i++)
      text_printf(out, "  %s = %.*g\n", x->drives[i].name, digits, position_shown(x, x->rows.items[i]));
    text_putc(out, '\n');
  }
  for (uint32_t i = 0; i < p->shown.count; i++) {
    size_t length = strlen(p->shown.items[i].name);
    width = length > width ? length : width;
  }
  if (!p->shown.count) return;
  text_put(out, "Position\n");
  for (uint32_t i = 0; i < p->shown.count && x->rows.count >= x->columns; i++) {
    if (i == p->soft.first) text_put(out, "\nElongations\n");
    text_printf(out, "  %-*s = %.*g", (int)width, p->shown.items[i].name, digits,
                position_shown(x, x->rows.items[p->k + i]));
    if (*unit_behind(p->shown.items[i].si)) text_printf(out, " %s", p->shown.items[i].si);
    text_putc(out, '\n');
  }
  text_putc(out, '\n');
}

// A length or an angle, 0 where it is rounding; of others beside the largest number of their column (NAN: not known).
// located: it is known to rounding.
static double without_rounding(const Places *p, const PlacesShown *shown, double value, double most, bool located) {
  bool place = !shown->si || (!*shown->si || strcmp(shown->si, "m") == 0 || strcmp(shown->si, "rad") == 0);
  return fabs(value) <= (located ? 1e-14 : 1e-9) * (place ? p->size : most) ? 0 : value;
}

// 0 where that is the rounding of the range.
static double drive_value(const Places *p, uint32_t drive, double value) {
  return fabs(value) <= 1e-15 * fmax(fabs(p->from[drive]), fabs(p->to[drive])) ? 0 : value;
}

// The largest number of a column.
static double column_most(const Positions *x, uint32_t column) {
  double most = 0;
  for (size_t r = 0; x->columns && r < x->rows.count / x->columns; r++)
    most = fmax(most, fabs(x->rows.items[r * x->columns + column]));
  return most;
}

static void put_stability(double unstable, Text *out) {
  if (isnan(unstable)) text_put(out, "  not judged");
  else if (unstable == 0) text_put(out, "  stable");
  else text_printf(out, "  unstable in %.0f", unstable);
}

static void put_table(const Positions *x, Text *out) {
  const Places *p = &x->places;
  uint64_t kept = x->columns ? x->rows.count / x->columns : 0, every = 1;
  uint32_t columns = p->k + (p->shown.count < most_columns ? p->shown.count : most_columns);
  while (kept > most_rows * every) every++;
  if (!kept) return;
  text_put(out, x->problem == positions_deformed ? "Deformed positions\n"
                : p->statics                     ? "Equilibria\n"
                                                 : "Positions\n");
  double most[1 + most_columns] = {0};
  for (uint32_t c = 0; c < columns; c++) text_printf(out, "  %14s", x->names[c]);
  for (uint32_t c = p->k; c < columns; c++) most[c - p->k] = column_most(x, c);
  text_put(out, p->statics ? "  stability\n" : "\n");
  for (uint64_t r = 0; r < kept; r++) {
    if (r % every && r + 1 < kept) continue;
    const double *row = x->rows.items + r * x->columns;
    bool located = !p->statics || !isnan(row[x->columns - 1]);
    for (uint32_t c = 0; c < columns; c++)
      text_printf(out, "  %14.9g",
                  c < p->k ? drive_value(p, c, row[c])
                           : without_rounding(p, &p->shown.items[c - p->k], row[c], most[c - p->k], located));
    if (p->statics) put_stability(row[x->columns - 1], out);
    text_putc(out, '\n');
  }
  if (every > 1 || p->shown.count > most_columns || kept < x->row_count)
    text_printf(out, "  (%llu positions with %u columns: `--out FILE.csv` has them all)\n",
                (unsigned long long)x->row_count, x->columns);
  text_putc(out, '\n');
}

static const char *bifurcation_word(BifurcationKind kind) {
  return kind == bifurcation_symmetric       ? "symmetric"
         : kind == bifurcation_transcritical ? "transcritical"
                                             : "not simple";
}

// Which kind, and what the other way is like.
static void put_bifurcation(const Positions *x, const PositionsSpecial *e, Text *out) {
  const Bifurcation *b = &e->bifurcation;
  if (e->again) {
    text_printf(out, "  it is bifurcation %u again\n", e->again);
    return;
  }
  text_printf(out, "  %s%s", bifurcation_word(b->kind), b->kind == bifurcation_symmetric ? " (a pitchfork)" : "");
  if (b->from_side) text_put(out, ", met from its side: the path joins another one, and crosses it");
  if (b->kind == bifurcation_symmetric && !isnan(b->bend)) {
    bool up = (b->bend > 0) == (x->places.to[0] > x->places.from[0]);
    text_printf(out, ": the other way leads to %s %s", up ? "larger" : "smaller", x->drives[0].name);
  }
  static const char *const where[] = {"before", "behind", "on the other way"};
  for (int i = 0; i < 3; i++) {
    if (isnan(e->unstable[i])) continue;
    text_printf(out, "; %s", where[i]);
    if (e->unstable[i] == 0) text_put(out, " stable");
    else text_printf(out, " unstable in %.0f", e->unstable[i]);
  }
  text_putc(out, '\n');
}

static const char *special_word(const Positions *x, const PositionsSpecial *e) {
  bool dead = e->kind == follow_dead;
  if (x->problem == positions_modes) return "transition";
  if (x->problem == positions_deformed) return e->moved > 0 ? "jump" : "turn";
  if (e->kind == follow_corner) return "corner";
  if (x->places.statics) return dead ? "limit point" : "bifurcation";
  return dead ? "dead point" : "crossing";
}

static void put_specials(const Positions *x, Text *out) {
  const Places *p = &x->places;
  for (uint32_t i = 0; i < x->specials.count; i++) {
    const PositionsSpecial *e = &x->specials.items[i];
    const char *word = special_word(x, e);
    text_printf(out, "%c%s at ", word[0] - 'a' + 'A', word + 1);
    bool located = e->kind == follow_dead && x->problem != positions_deformed; // else interpolated, or bisected
    int digits = located ? 15 : x->proved && x->problem != positions_deformed ? 11 : 9;
    for (uint32_t k = 0; k < p->k; k++)
      text_printf(out, "%s%s = %.*g", k ? ", " : "", x->drives[k].name, digits, drive_value(p, k, e->P[k]));
    for (uint32_t k = 0; k < p->shown.count && k < most_columns; k++)
      text_printf(out, "%s%s = %.9g", k ? ", " : ": ", p->shown.items[k].name,
                  without_rounding(p, &p->shown.items[k], e->shown[k], column_most(x, p->k + k), located));
    text_putc(out, '\n');
    if (x->problem == positions_path && e->kind == follow_branch) put_bifurcation(x, e, out);
    if (x->problem == positions_deformed && e->moved > 0)
      text_printf(out, "  the least error ends here; the next one is %.6g away\n", e->moved);
    else if (x->problem == positions_deformed)
      text_put(out, "  from here on the least error goes another way, which joins: elements give way differently\n");
  }
  if (x->specials.count) text_putc(out, '\n');
}

static void put_resultant(const AssemblyModes *m, Text *out) {
  if (!m->turned_bar) text_put(out, "  by elimination: every node lies on two circles or lines around known ones\n");
  else
    text_printf(
        out,
        "  by elimination: the resultant in the angle of `%s` has degree %u; %u of its zeros are not real, %u those "
        "of denominators\n",
        m->turned_bar, m->degree, m->complex_zeros, m->extraneous);
}

// The power of ten above it.
static double decade(double value) { return pow(10, ceil(log10(fmax(1e-300, value)))); }

static void put_comparison(const Positions *x, Text *out) {
  const AssemblyModes *o = &x->other;
  if (o->why) text_printf(out, "  no second way: %s\n", o->why);
  else if (!isnan(x->apart)) {
    text_printf(out, "  a second way finds the same %u, within %.0e\n", o->count, fmax(1e-9, decade(x->apart)));
    put_resultant(o, out);
  } else text_printf(out, "  a second way finds others: %u by elimination; one of the two is wrong\n", o->count);
}

static void put_modes(const Positions *x, Text *out) {
  const Places *p = &x->places;
  const AssemblyModes *m = &x->modes;
  uint32_t columns = p->shown.count < most_columns ? p->shown.count : most_columns;
  text_printf(out, "Assembly modes\n");
  text_put(out, m->count ? "  mode" : "  none\n\n");
  for (uint32_t c = 0; m->count && c < columns; c++) text_printf(out, "  %14s", x->names[p->k + c]);
  if (m->count) text_putc(out, '\n');
  for (uint32_t i = 0; i < m->count && (uint64_t)(i + 1) * x->columns <= x->rows.count; i++) {
    text_printf(out, "  %4u", i + 1);
    for (uint32_t c = 0; c < columns; c++)
      text_printf(out, "  %14.9g", x->rows.items[(size_t)i * x->columns + p->k + c]);
    text_putc(out, '\n');
  }
  if (m->count) text_putc(out, '\n');
  put_specials(x, out);
  if (m->count)
    text_printf(out, "Verdict\n  %s%u %s\n", m->all ? "all: " : "found: ", m->count,
                m->count == 1 ? "position, proved to be one" : "positions, each proved to be one");
  else text_printf(out, "Verdict\n  %s\n", m->all ? "there is none" : "none is proved");
  if (m->resultant) put_resultant(m, out);
  else if (m->bound > 0)
    text_printf(out,
                "  %.0f %s at most (the product of the degrees); of %llu %s %llu end in solutions, %u of these "
                "not real, %llu at infinity, %llu are lost\n",
                m->bound, m->bound == 1 ? "solution" : "solutions", (unsigned long long)m->paths.paths,
                m->paths.paths == 1 ? "path" : "paths", (unsigned long long)m->paths.finite,
                m->paths.count - m->count - m->turned - m->unproved - m->doubtful,
                (unsigned long long)m->paths.infinite, (unsigned long long)m->paths.lost);
  else text_put(out, "  linear equations contradict each other\n");
  if (m->transitions)
    text_printf(out, "  %u %s where modes meet, a transition: found in numbers, and singular, so not proved\n",
                m->transitions, m->transitions == 1 ? "position" : "positions");
  if (m->met) text_printf(out, "  %u of the lost paths end where solutions meet\n", m->met);
  if (m->loose) text_put(out, "  some positions are not alone: something can still be moved with the drives held\n");
  if (m->turned) text_printf(out, "  %u more have a driven bar the other way round\n", m->turned);
  if (m->unproved) text_printf(out, "  %u more are real, and not proved: singular, or nearly\n", m->unproved);
  if (m->doubtful) text_printf(out, "  %u more are so nearly real that nothing is said of them\n", m->doubtful);
  if (x->other.resultant) put_comparison(x, out);
}

// Inverse kinematics: how far the coordinates moved.
static void put_motion(const Positions *x, Text *out) {
  if (x->status != positions_done) return;
  text_printf(out, "  moved by %.9g, the root of the sum of squares over all coordinates", x->moved);
  if (x->freedoms > x->places.k)
    text_put(out, x->least ? ": the least near by, and elsewhere another way may be shorter"
                           : ": little, and not proved to be the least near by");
  text_putc(out, '\n');
  if (x->limits) text_printf(out, "  held by %s\n", x->limits);
  if (x->starts)
    text_printf(out,
                "  the start itself does not lead there: found from another one near by, the %u%s that was tried\n",
                x->starts,
                x->starts % 10 == 1 && x->starts != 11   ? "st"
                : x->starts % 10 == 2 && x->starts != 12 ? "nd"
                : x->starts % 10 == 3 && x->starts != 13 ? "rd"
                                                         : "th");
}

static const char *iterations_word(const Positions *x) { return x->iterations == 1 ? "iteration" : "iterations"; }

static void put_verdict(const Positions *x, Text *out) {
  text_put(out, "Verdict\n");
  if (x->problem == positions_deformed && !follows(x) && x->row_count) {
    text_printf(out, "  error %.9g: half the sum of squares of the elongations\n", x->error);
    text_put(out, isnan(x->unstable) ? "  whether it is least was not judged: too many unknowns\n"
                  : x->unstable == 0 ? "  least: it grows in every direction\n"
                                     : "  not least: it falls in a direction\n");
    return;
  }
  if (x->assembled && x->problem == positions_deformed)
    text_put(out, x->row_count ? "  deformed as little as can be, near by" : "  no deformed position");
  else if (x->assembled && x->places.statics)
    text_printf(out, "  a first equilibrium in %u %s", x->iterations, iterations_word(x));
  else if (x->assembled)
    text_printf(out, "  assembled in %u %s; %u %s of the mechanism", x->iterations, iterations_word(x), x->freedoms,
                x->freedoms == 1 ? "freedom" : "freedoms");
  else text_put(out, "  not assembled");
  if (x->redundant)
    text_printf(out, ", %u %s from others", x->redundant,
                x->redundant == 1 ? "constraint follows" : "constraints follow");
  text_putc(out, '\n');
  if (x->problem == positions_inverse) put_motion(x, out);
  if (follows(x) && x->row_count) {
    uint32_t crossed = 0;
    for (uint32_t i = 0; i < x->specials.count; i++) crossed += x->specials.items[i].kind == follow_branch;
    text_printf(out, "  %s: %llu steps, %llu were halved\n",
                x->problem == positions_deformed && x->specials.count ? "one branch between the places above"
                : x->path.corners ? "one branch, proved between corners (tubes of intervals)"
                : x->proved       ? "one branch, proved from each position to the next (tubes of intervals)"
                                  : "one branch by estimate: too many unknowns for a proof",
                (unsigned long long)x->steps, (unsigned long long)x->refused);
    if (x->problem == positions_path && !x->proved)
      text_put(out, "  bifurcations are looked for by the number of unstable directions at the end of each step\n");
    if (x->path.unjudged)
      text_printf(out, "  at the end of %llu %s it is not known: a bifurcation there may be missed\n",
                  (unsigned long long)x->path.unjudged, x->path.unjudged == 1 ? "step" : "steps");
    if (x->path.corners)
      text_printf(out, "  over %s, where the equations switch, by the tangent behind it\n",
                  x->path.corners == 1 ? "a corner" : "corners");
    if (crossed && x->status == positions_done)
      text_put(out, x->path.branched ? "  onto the other way at the bifurcation that was named, straight on at others\n"
                                     : "  straight on where two ways cross: there nothing proves which is meant\n");
    static const char *const by[] = {"by the time", "by the value of the drive", "by the part of the way, 0 to 1"};
    text_printf(out, "  derivatives are %s\n", by[x->by]);
  } else if (x->alone) {
    text_put(out, "  no other position is near: proved, the drives held\n");
  }
}

void show_positions_text(const Positions *x, Text *out) {
  if (x->system->title) text_printf(out, "%s\n\n", x->system->title);
  if (x->problem == positions_synthesis) {
    show_synthesis_text(x, out);
    return;
  }
  if (x->problem != positions_inverse && !(x->problem == positions_deformed && !follows(x))) put_drives(x, out);
  if (x->problem == positions_modes) {
    if (!x->modes.why) put_modes(x, out);
    return;
  }
  if (follows(x)) put_table(x, out);
  else if (x->assembled && x->row_count) put_position(x, out);
  put_specials(x, out);
  put_verdict(x, out);
  for (uint32_t i = 0; i < x->places.left_out.count; i++)
    text_printf(out, "\nNote: %s has no value here: it depends on more than places", x->places.left_out.items[i]);
  if (x->places.left_out.count) text_putc(out, '\n');
}

// ---- JSON

static void json_values(Json *j, const char *key, const char *const *names, const double *values, uint32_t count) {
  json_open(j, key, '{');
  for (uint32_t i = 0; i < count; i++) json_number(j, names[i], values[i]);
  json_close(j, '}');
}

// Prescribed and reached outputs: of inverse kinematics, or outputs that are held.
static void json_targets(const Positions *x, Json *j) {
  json_open(j, "targets", '[');
  for (uint32_t i = 0; i < x->places.k; i++) {
    json_open(j, NULL, '{');
    json_string(j, "name", x->drives[i].name);
    json_number(j, "wanted", x->places.from[i]);
    json_number(j, "value", x->P ? x->P[i] : NAN);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_drives(const Positions *x, Json *j) {
  json_open(j, "drives", '[');
  for (uint32_t i = 0; i < x->places.k; i++) {
    const SystemDrive *d = &x->drives[i];
    json_open(j, NULL, '{');
    json_string(j, "name", d->name);
    json_number(j, "from", x->places.from[i]);
    json_number(j, "to", x->places.to[i]);
    json_count(j, "steps", d->steps);
    json_number(j, "value", x->P ? x->P[i] : NAN);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_specials(const Positions *x, Json *j) {
  const Places *p = &x->places;
  json_open(j, "singular", '[');
  for (uint32_t i = 0; i < x->specials.count; i++) {
    const PositionsSpecial *e = &x->specials.items[i];
    json_open(j, NULL, '{');
    json_string(j, "kind", special_word(x, e));
    json_count(j, "row", e->row);
    if (x->problem == positions_deformed) json_number(j, "moved", e->moved);
    if (x->problem == positions_path && e->kind == follow_branch) {
      json_string(j, "type", e->again ? "again" : bifurcation_word(e->bifurcation.kind));
      json_number(j, "bend", e->bifurcation.bend);
      json_open(j, "unstable", '[');
      for (int k = 0; k < 3; k++) json_number(j, NULL, e->unstable[k]);
      json_close(j, ']');
    }
    json_values(j, "drives", x->names, e->P, p->k);
    json_values(j, "values", x->names + p->k, e->shown, p->shown.count);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_modes(const Positions *x, Json *j) {
  const AssemblyModes *m = &x->modes;
  json_open(j, "modes", '{');
  json_bool(j, "all", m->all);
  json_count(j, "count", m->count);
  json_number(j, "bound", m->bound);
  json_count(j, "paths", m->paths.paths);
  json_count(j, "solutions", m->paths.count);
  json_count(j, "infinite", m->paths.infinite);
  json_count(j, "lost", m->paths.lost);
  json_count(j, "turned", m->turned);
  json_count(j, "unproved", m->unproved);
  json_count(j, "doubtful", m->doubtful);
  json_count(j, "transitions", m->transitions);
  json_bool(j, "loose", m->loose);
  json_string(j, "method", m->resultant ? "resultants" : "homotopy");
  const AssemblyModes *second = m->resultant ? m : x->other.resultant && !x->other.why ? &x->other : NULL;
  if (second) json_count(j, "degree", second->degree);
  if (x->other.resultant) {
    json_count(j, "second", x->other.why ? 0 : x->other.count);
    json_number(j, "apart", x->apart);
  }
  json_close(j, '}');
}

static void json_rows(const Positions *x, Json *j) {
  json_strings(j, "columns", x->names, x->columns);
  json_open(j, "rows", '[');
  for (uint32_t r = 0; x->columns && r < x->rows.count / x->columns; r++) {
    json_open(j, NULL, '[');
    for (uint32_t c = 0; c < x->columns; c++) json_number(j, NULL, x->rows.items[(size_t)r * x->columns + c]);
    json_close(j, ']');
  }
  json_close(j, ']');
  json_count(j, "positions", x->row_count);
}

void show_positions_json(const Positions *x, Text *out) {
  static const char *const by[] = {"time", "drive", "part"};
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", x->system->title);
  static const char *const problems[] = {"initial", "successive", "path", "modes", "inverse", "deformed", "synthesis"};
  json_string(j, "problem", problems[x->problem]);
  json_string(j, "status",
              x->status == positions_done          ? "done"
              : x->status == positions_interrupted ? "interrupted"
                                                   : "failed");
  json_string(j, "message", x->message);
  json_bool(j, "assembled", x->assembled);
  json_count(j, "freedoms", x->freedoms);
  json_count(j, "redundant", x->redundant);
  if (x->problem == positions_inverse) {
    json_number(j, "missed", x->missed);
    json_number(j, "moved", x->moved);
    json_bool(j, "least", x->least);
    json_count(j, "starts", x->starts);
  }
  if (x->problem >= positions_deformed) json_number(j, "error", x->error);
  if (x->problem == positions_synthesis) show_synthesis_json(x, j);
  json_string(j, "branch", x->proved ? "proved" : x->alone ? "alone" : "estimated");
  json_string(j, "derivatives", by[x->by]);
  json_count(j, "steps", x->steps);
  json_count(j, "halved", x->refused);
  if (reaches(x)) json_targets(x, j);
  else if (x->problem != positions_synthesis) json_drives(x, j);
  bool none = x->problem == positions_modes && x->modes.count == 0; // no position, no values
  json_values(j, "values", x->places.names, x->u ? x->u : x->places.start,
              (x->u || x->places.start) && !none ? x->places.coords : 0);
  json_specials(x, j);
  if (x->problem == positions_modes) json_modes(x, j);
  json_rows(x, j);
  json_close(j, '}');
  text_putc(out, '\n');
}
