// Pictures as PNG and PDF: SVG drawn by librsvg on cairo.
//
// in    the text of an SVG, a scale (pixels of the picture for one of the text)
// out   the bytes of the file, or why there are none
// how   the libraries are opened when a picture is first wanted: nobody else pays for loading them. They end the
//       program when it is out of memory, so it is asked for before.
#include "show/raster.h"

#ifdef VIVA_RSVG
#include <cairo-pdf.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>
#include <stdlib.h>

bool raster_built(void) { return true; }

// What we call, found in the loaded library (and in what it has loaded itself).
typedef struct Calls {
  __typeof__(&rsvg_handle_new_from_data) handle_new;
  __typeof__(&rsvg_handle_get_intrinsic_size_in_pixels) size;
  __typeof__(&rsvg_handle_render_document) render;
  __typeof__(&rsvg_handle_set_dpi) set_dpi;
  __typeof__(&g_object_unref) unref;
  __typeof__(&cairo_image_surface_create) image_new;
  __typeof__(&cairo_pdf_surface_create_for_stream) pdf_new;
  __typeof__(&cairo_surface_write_to_png_stream) png;
  __typeof__(&cairo_create) create;
  __typeof__(&cairo_scale) scale;
  __typeof__(&cairo_destroy) destroy;
  __typeof__(&cairo_surface_finish) finish;
  __typeof__(&cairo_surface_destroy) surface_destroy;
  __typeof__(&cairo_surface_status) status;
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

static cairo_status_t take_bytes(void *self, const unsigned char *data, unsigned length) {
  text_putn(self, (const char *)data, length);
  return CAIRO_STATUS_SUCCESS;
}

const char *raster_write(const char *svg, size_t length, RasterFormat format, double scale, Text *out) {
  Calls c;
  static const char no_room[] = "there is not enough memory for the libraries that draw the picture";
  if (!is_room(512e6, length, 0)) return no_room; // loading takes it, too
  if (!load(&c)) return "librsvg (Debian: librsvg2-2) cannot be loaded";
  RsvgHandle *handle = c.handle_new((const guint8 *)svg, length, NULL);
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
                                 : c.image_new(CAIRO_FORMAT_ARGB32, (int)(w * unit + 0.5), (int)(h * unit + 0.5));
  cairo_t *cr = c.create(surface);
  RsvgRectangle view = {0, 0, w, h};
  c.scale(cr, unit, unit);
  if (c.render(handle, cr, &view, NULL)) problem = NULL;
  c.destroy(cr);
  if (!problem && !pdf && c.png(surface, take_bytes, out) != CAIRO_STATUS_SUCCESS)
    problem = "cairo cannot write the PNG";
  c.finish(surface);
  if (!problem && c.status(surface) != CAIRO_STATUS_SUCCESS) problem = "cairo cannot write the picture";
  c.surface_destroy(surface);
  c.unref(handle);
  return problem;
}
#else
bool raster_built(void) { return false; }

const char *raster_write(const char *svg, size_t length, RasterFormat format, double scale, Text *out) {
  (void)svg, (void)length, (void)format, (void)scale, (void)out;
  return "this program was built without librsvg; install librsvg2-dev and libcairo2-dev and build it again";
}
#endif
