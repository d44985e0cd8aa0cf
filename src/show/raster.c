// Pictures as PNG and PDF: SVG drawn by librsvg on cairo.
//
// in    the text of an SVG, a scale (pixels of the picture for one of the text)
// out   the bytes of the file, or why there are none
// how   the libraries are opened when a picture is first wanted: nobody else pays for loading them. They end the
//       program when it is out of memory, so it is asked for before. What we call of them is declared here, so that no
//       headers are needed where viva is built
#include "show/raster.h"

#include <dlfcn.h>
#include <stdlib.h>

// As in librsvg/rsvg.h and cairo.h; these interfaces are stable.
typedef struct RsvgHandle RsvgHandle;
typedef struct cairo_surface_t cairo_surface_t;
typedef struct cairo_t cairo_t;
typedef struct RsvgRectangle {
  double x, y, width, height;
} RsvgRectangle;
enum { cairo_status_success = 0, cairo_format_argb32 = 0 };
typedef int CairoWrite(void *self, const unsigned char *data, unsigned length); // a status comes back

// What we call, found in the loaded library (and in what it has loaded itself).
typedef struct Calls {
  RsvgHandle *(*handle_new)(const unsigned char *data, size_t length, void **error);
  int (*size)(RsvgHandle *handle, double *width, double *height);
  int (*render)(RsvgHandle *handle, cairo_t *cr, const RsvgRectangle *viewport, void **error);
  void (*set_dpi)(RsvgHandle *handle, double dpi);
  void (*unref)(void *object);
  cairo_surface_t *(*image_new)(int format, int width, int height);
  cairo_surface_t *(*pdf_new)(CairoWrite *write, void *self, double width, double height);
  int (*png)(cairo_surface_t *surface, CairoWrite *write, void *self);
  cairo_t *(*create)(cairo_surface_t *surface);
  void (*scale)(cairo_t *cr, double x, double y);
  void (*destroy)(cairo_t *cr);
  void (*finish)(cairo_surface_t *surface);
  void (*surface_destroy)(cairo_surface_t *surface);
  int (*status)(cairo_surface_t *surface);
} Calls;

static bool find(void *library, const char *name, void *into) {
  *(void **)into = dlsym(library, name);
  return *(void **)into != NULL;
}

static bool load(Calls *c) {
  void *rsvg = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  void *cairo = rsvg ? dlopen("libcairo.so.2", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) : NULL;
  void *object = cairo ? dlopen("libgobject-2.0.so.0", RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) : NULL;
  return object && find(rsvg, "rsvg_handle_new_from_data", &c->handle_new) &&
         find(rsvg, "rsvg_handle_get_intrinsic_size_in_pixels", &c->size) &&
         find(rsvg, "rsvg_handle_render_document", &c->render) && find(rsvg, "rsvg_handle_set_dpi", &c->set_dpi) &&
         find(object, "g_object_unref", &c->unref) && find(cairo, "cairo_image_surface_create", &c->image_new) &&
         find(cairo, "cairo_pdf_surface_create_for_stream", &c->pdf_new) &&
         find(cairo, "cairo_surface_write_to_png_stream", &c->png) && find(cairo, "cairo_create", &c->create) &&
         find(cairo, "cairo_scale", &c->scale) && find(cairo, "cairo_destroy", &c->destroy) &&
         find(cairo, "cairo_surface_finish", &c->finish) && find(cairo, "cairo_surface_destroy", &c->surface_destroy) &&
         find(cairo, "cairo_surface_status", &c->status);
}

// GLib and fontconfig end the whole program when out of memory, so it is asked for first: what they take once, the
// tree of the picture, and its pixels. Measured with Debian's fonts: 90 MB, and 128 MB of addresses more for each of up
// to three threads; 60 bytes for each byte of the text. What is only asked for costs nothing.
static bool is_room(double once, size_t text, double pixels) {
  double need = once + 120.0 * (double)text + 12 * pixels;
  if (!(need < 1e12)) return false;
  void *volatile room = malloc((size_t)need);
  bool there = room != NULL;
  free(room);
  return there;
}

static const char not_loaded[] = "librsvg (Debian: librsvg2-2), which cannot be loaded";

const char *raster_missing(void) {
  Calls c;
  // without enough memory nothing is loaded: raster_write says so
  return is_room(512e6, 0, 0) && !load(&c) ? not_loaded : NULL;
}

static int take_bytes(void *self, const unsigned char *data, unsigned length) {
  text_putn(self, (const char *)data, length);
  return cairo_status_success;
}

const char *raster_write(const char *svg, size_t length, RasterFormat format, double scale, Text *out) {
  Calls c;
  static const char no_room[] = "there is not enough memory for the libraries that draw the picture";
  if (!is_room(512e6, length, 0)) return no_room; // loading takes it, too
  if (!load(&c)) return not_loaded;
  RsvgHandle *handle = c.handle_new((const unsigned char *)svg, length, NULL);
  double w = 0, h = 0;
  const char *problem = "librsvg cannot draw the picture";
  if (!handle) return problem;
  c.set_dpi(handle, 96);
  c.size(handle, &w, &h);
  bool pdf = format == raster_pdf;
  // a pixel is 3/4 of a point
  double unit = pdf ? 0.75 : scale;
  const double tallest = 16000; // many programs show no more
  if (!pdf && h * unit > tallest) unit = tallest / h;
  if (!pdf && !is_room(400e6, length, w * unit * h * unit)) {
    c.unref(handle);
    return no_room;
  }
  cairo_surface_t *surface = pdf ? c.pdf_new(take_bytes, out, w * unit, h * unit)
                                 : c.image_new(cairo_format_argb32, (int)(w * unit + 0.5), (int)(h * unit + 0.5));
  cairo_t *cr = c.create(surface);
  RsvgRectangle view = {0, 0, w, h};
  c.scale(cr, unit, unit);
  if (c.render(handle, cr, &view, NULL)) problem = NULL;
  c.destroy(cr);
  if (!problem && !pdf && c.png(surface, take_bytes, out) != cairo_status_success)
    problem = "cairo cannot write the PNG";
  c.finish(surface);
  if (!problem && c.status(surface) != cairo_status_success) problem = "cairo cannot write the picture";
  c.surface_destroy(surface);
  c.unref(handle);
  return problem;
}
