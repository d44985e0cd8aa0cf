// What the script of a page gets: columns of numbers, and what to draw with them, as one JSON text.
//
// {"columns": [{"data": base64 of doubles, least byte first} or {"from", "step", "count"}],
//  "figures": [{"id", "panels": [{"x": {name, unit, log}, "y": ..., "phase",
//               "curves": [{"kind", "name", "unit", "style", "x", "y", "y2"}],
//               "events": [{"at", "name"}]}]}],
//  "tables": [{"id", "file", "columns": [{"name", "column": its number}]}],
//  "scene": {"width", "height", "frames", "fine", "from", "to", "speed",
//            "shapes": [{"kind", "points", "data": base64 of int16}]} or null,
//  "space": see space_data.h; only of a scene in space}
#ifndef VIVA_SHOW_REPORT_DATA_H
#define VIVA_SHOW_REPORT_DATA_H

#include "show/plot.h"
#include "show/scene.h"

typedef struct DataColumn {
  const double *values;
  size_t count;
} DataColumn;

typedef struct DataFigure {
  const char *id;
  const Plot *plot;
} DataFigure;

typedef struct DataNamed {
  const char *name;
  uint32_t column;
} DataNamed;

typedef struct DataTable {
  const char *id, *file;
  VEC(DataNamed) columns;
} DataTable;

typedef struct ReportData {
  Arena *arena;
  size_t most; // rows kept of a column; further ones are thinned evenly
  bool thinned;
  VEC(DataColumn) columns;
  VEC(DataFigure) figures;
  VEC(DataTable) tables;
  const Scene *scene;
  double speed;
} ReportData;

uint32_t report_data_column(ReportData *d, const double *values,
                            size_t count);                                // its number; the same values are kept once
void report_data_figure(ReportData *d, const char *id, const Plot *plot); // borrowed until it is written
DataTable *report_data_table(ReportData *d, const char *id, const char *file); // valid until the next one is added
void report_data_write(ReportData *d, Text *out);

#endif
