// A scene as a page that opens anywhere: play and pause, a slider for the time, the speed. One file, no network.
//
// in    a Scene and its frames
// out   HTML: the first frame as SVG; the positions of all shapes over the frames as numbers in a script, which moves
//       the elements by the same rules as scene.c draws them. A scene in space is moved and rotated by the script of
//       web/src/space.ts where that was built in; else it is moved as it is seen by its camera
#include "show/embedded.h"
#include "show/policy.h"
#include "show/scene.h"
#include "show/space.h"
#include "show/space_data.h"
#include "show/svg.h"

#include <math.h>

static const char style[] = "body{margin:0;font:15px/1.5 system-ui,sans-serif;background:%s;color:%s}\n"
                            "main{max-width:%gpx;margin:0 auto;padding:1em}\n"
                            "h1{font-size:1.15em;margin:0 0 .5em}\n"
                            "svg{width:100%%;height:auto;display:block}\n"
                            ".row{display:flex;flex-wrap:wrap;gap:.6em;align-items:center}\n"
                            "#time,#member{flex:1;min-width:8em}\n"
                            "#who{min-width:12em}\n"
                            "output{min-width:6.5em;font-variant-numeric:tabular-nums}\n"
                            "button,select{font:inherit;padding:.25em .9em}\n";
static const char key_style[] =
    ".key{list-style:none;display:flex;flex-wrap:wrap;gap:.2em 1.2em;margin:0 0 .4em;padding:0}\n"
    ".key svg{display:inline-block;width:16px;height:4px;vertical-align:middle}\n";

// p of a shape holds its positions over the frames, x1 y1 (x2 y2); of a trail those of finer times.
static const char script[] =
    "const $=i=>document.getElementById(i),N=D.frames,els=[...document.querySelectorAll('[data-s]')];\n"
    "const f=v=>v.toFixed(2);\n"
    "function spring(a,b,c,d,m,o){const "
    "n=Math.hypot(c-a,d-b),u=n?(c-a)/n:1,v=n?(d-b)/n:0,e=Math.min(10,n/5),k=(n-2*e)/(2*m);\n"
    " let s='M'+f(a)+','+f(b)+'L'+f(a+e*u)+','+f(b+e*v);\n"
    " for(let i=0;i<2*m;i++){const l=e+(i+.5)*k,w=i%2?-o:o;s+=' '+f(a+l*u-w*v)+','+f(b+l*v+w*u)}\n"
    " return s+' '+f(c-e*u)+','+f(d-e*v)+' '+f(c)+','+f(d)}\n"
    "function arrow(a,b,c,d){const n=Math.hypot(c-a,d-b),h=Math.min(9,n/2),u=n?(c-a)/n:0,v=n?(d-b)/n:0;\n"
    " return 'M'+f(a)+','+f(b)+'L'+f(c)+','+f(d)+' '+f(c-h*(u-.5*v))+','+f(d-h*(v+.5*u))+' '+f(c)+','+f(d)+' "
    "'+f(c-h*(u+.5*v))+','+f(d-h*(v-.5*u))}\n"
    "function box(a,b,c,d,r){const x=c-a,y=d-b,u=-r*y,v=r*x;\n"
    " return 'M'+f(a+x+u)+','+f(b+y+v)+'L'+f(a-x+u)+','+f(b-y+v)+' '+f(a-x-u)+','+f(b-y-v)+' "
    "'+f(a+x-u)+','+f(b+y-v)+'Z'}\n"
    "function place(el,x){const s=D.shapes[+el.dataset.s],P=s.p,k=s.k;if(s.kind=='trail')x*=D.fine;const "
    "L=P.length/k,i=Math.min(Math.floor(x),L-2),r=x-i,q=[];\n"
    " for(let j=0;j<k;j++)q.push(P[i*k+j]+r*(P[i*k+k+j]-P[i*k+j]));\n"
    " if(s.kind=='rod'||s.kind=='line')el.setAttribute('d','M'+f(q[0])+','+f(q[1])+'L'+f(q[2])+','+f(q[3]));\n"
    " else if(s.kind=='spring')el.setAttribute('d',spring(...q,s.n,s.w));\n"
    " else if(s.kind=='box')el.setAttribute('d',box(...q,s.r));\n"
    " else if(s.kind=='vector')el.setAttribute('d',arrow(...q));\n"
    " else if(s.kind=='trail'){let t='';for(let "
    "j=0;j<=i;j++)t+=(j?'L':'M')+f(P[j*k])+','+f(P[j*k+1]);el.setAttribute('d',t+'L'+f(q[0])+','+f(q[1]))}\n"
    " else if(s.kind=='lines'){let t='';for(let "
    "j=0;j<k;j+=4)t+='M'+f(q[j])+','+f(q[j+1])+'L'+f(q[j+2])+','+f(q[j+3]);el.setAttribute('d',t)}\n"
    " else el.setAttribute('transform','translate('+f(q[0])+' '+f(q[1])+')')}\n"
    "let now=0,last=0,going=false;\n"
    "function show(x){now=x;for(const e of els)place(e,x);const t=D.from+(D.to-D.from)*x/(N-1);\n"
    " $('clock').textContent='t = '+t.toFixed(2)+' "
    "s';$('time').value=x;$('time').setAttribute('aria-valuetext',t.toFixed(2)+' seconds')}\n"
    "function step(ms){if(!going)return;if(last)now+=(ms-last)/1000*+$('speed').value*(N-1)/(D.to-D.from);last=ms;\n"
    " if(now>=N-1)now%=N-1;show(now);requestAnimationFrame(step)}\n"
    "function "
    "toggle(){going=!going;last=0;$('play').textContent=going?'Pause':'Play';if(going)requestAnimationFrame(step)}\n"
    "$('play').onclick=toggle;$('time').oninput=e=>{if(going)toggle();show(+e.target.value)};\n"
    "addEventListener('keydown',e=>{if(e.key==' "
    "'&&e.target.tagName!='BUTTON'&&e.target.tagName!='SELECT'){e.preventDefault();toggle()}});\n"
    "function choose(k){for(const e of els){const m=D.shapes[+e.dataset.s].m;e.style.opacity=k&&m&&m!=k?.13:''}\n"
    " const w=k?D.members[k-1]:'all';$('who').textContent=w;$('member').setAttribute('aria-valuetext',w);\n"
    " document.querySelectorAll('.key li').forEach((l,i)=>l.style.opacity=k&&i+1!=k?.45:'')}\n"
    "if($('member'))$('member').oninput=e=>choose(+e.target.value);\n"
    "show(0);if(!matchMedia('(prefers-reduced-motion: reduce)').matches)toggle();\n";

static const char *const kind_names[shape_kinds] = {"rod",  "spring", "vector",  "mass",  "trail",
                                                    "cart", "ground", "support", "box",   "circle",
                                                    "line", "text",   "lines",   "lines", "com"};

// The lines of a frame or box through the frames: two ends each.
static void put_lines(const Scene *s, const SceneMotion *m, uint32_t index, Text *out) {
  bool frame = s->shapes.items[index].kind == shape_frame;
  uint32_t lines = frame ? 3 : 12;
  double last[12][2][2] = {{{0}}};
  text_printf(out, "{kind:'lines',m:%u,k:%u,p:[", s->shapes.items[index].member, 4 * lines);
  for (uint32_t k = 0; k < m->frames; k++) {
    double points[space_points_most][3], time = scene_time(s, (double)k / (m->frames - 1));
    DrawPoint origin[2];
    bool placed = space_points(s, index, time, points) && scene_place(s, index, time, &m->map, origin);
    for (uint32_t i = 0; i < 2 * lines; i++) {
      double *at = last[i / 2][i % 2];
      if (placed) {
        uint32_t end = frame ? i / 2 : space_edges[i / 2][i % 2];
        DrawPoint p = frame && i % 2 == 0 ? origin[0] : space_place(s, &m->map, points[end], NULL);
        at[0] = p.x, at[1] = p.y;
      }
      if (k || i) text_putc(out, ',');
      svg_number(out, at[0]);
      text_putc(out, ',');
      svg_number(out, at[1]);
    }
  }
  text_put(out, "]},\n");
}

// A "<" could end the script early.
static void put_script_text(const char *text, Text *out) {
  for (const char *c = text; *c; c++) {
    if (*c == '<') text_put(out, "\\u003c");
    else text_putc(out, *c);
  }
}

static void put_member_names(const Scene *s, Text *out) {
  Text names = text_in(out->arena);
  scene_members_write(s, &(Json){.out = &names}, NULL);
  if (!s->key.count) return;
  text_put(out, ",members:");
  put_script_text(text_str(&names), out);
}

static void put_places(const Scene *s, const SceneMotion *m, const Theme *theme, Text *out) {
  text_printf(out, "const D={frames:%u,fine:%d,from:", m->frames, trail_fine);
  text_number(out, scene_time(s, 0));
  text_put(out, ",to:");
  text_number(out, scene_time(s, 1));
  put_member_names(s, out);
  text_put(out, ",shapes:[\n");
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SceneShape *shape = &s->shapes.items[i];
    if (shape->kind == shape_frame || shape->kind == shape_solid || (s->space && shape->kind == shape_box)) {
      put_lines(s, m, i, out);
      continue;
    }
    text_printf(out, "{kind:'%s',m:%u,k:%u,", kind_names[shape->kind], shape->member, 2 * shape->count);
    if (shape->kind == shape_spring)
      text_printf(out, "n:%u,w:%.2f,", shape->coils ? shape->coils : scene_spring_coils,
                  scene_look(shape, theme, &m->map).side);
    if (shape->kind == shape_box) text_printf(out, "r:%.6g,", shape->size[0] > 0 ? shape->size[1] / shape->size[0] : 1);
    text_put(out, "p:[");
    DrawPoint p[2] = {{0, 0}, {0, 0}};
    uint32_t last = (m->frames - 1) * (shape->kind == shape_trail ? trail_fine : 1);
    for (uint32_t k = 0; k <= last; k++) {
      DrawPoint q[2];
      if (scene_place(s, i, scene_time(s, (double)k / last), &m->map, q))
        p[0] = q[0], p[1] = shape->count > 1 ? q[1] : q[0];
      for (uint32_t j = 0; j < shape->count; j++) {
        if (k || j) text_putc(out, ',');
        svg_number(out, p[j].x);
        text_putc(out, ',');
        svg_number(out, p[j].y);
      }
    }
    text_put(out, "]},\n");
  }
  text_put(out, "]};\n");
}

// An element around its point, or one whose path the script fills in.
static void put_shape(const SceneMotion *m, Text *out, uint32_t i, const SceneShape *shape, const Theme *t) {
  SceneLook look = scene_look(shape, t, &m->map);
  ShapeKind kind = shape->kind;
  if (look.disc) {
    text_printf(out, "<circle data-s=\"%u\" r=\"%g\"", i, round(100 * look.radius) / 100);
    scene_put_look(out, &look);
    text_put(out, "/>\n");
  } else if (kind == shape_text) {
    text_printf(out, "<g data-s=\"%u\"><text text-anchor=\"middle\" y=\"%g\" font-size=\"%g\"", i,
                round(35 * look.letters) / 100, round(100 * look.letters) / 100);
    scene_put_look(out, &look);
    text_putc(out, '>');
    svg_escape(out, shape->text ? shape->text : "");
    text_put(out, "</text></g>\n");
  } else if (kind == shape_cart) {
    unsigned ground = (unsigned)t->ground;
    double w = round(100 * look.w) / 100, h = round(100 * look.h) / 100;
    text_printf(out,
                "<g data-s=\"%u\" stroke=\"#%06x\" stroke-width=\"1.5\"><rect x=\"%g\" y=\"%g\" width=\"%g\" "
                "height=\"%g\" fill=\"#%06x\"/>",
                i, (unsigned)look.stroke, -w / 2, -h / 2, w, h, (unsigned)look.fill);
    for (int k = -1; k < 2; k += 2)
      text_printf(out, "<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"#%06x\"/>", 0.3 * k * w, h / 2 + scene_wheel,
                  scene_wheel, ground);
    text_put(out, "</g>\n");
  } else if (kind == shape_ground || kind == shape_support) {
    // drawn around its point, which moves it up and down
    SceneMap around = {1, 0, 0, -m->width, m->width};
    uint32_t count;
    DrawPoint *q = scene_shape_path(out->arena, shape, (DrawPoint[2]){{0, 0}, {0, 0}}, &around, &count);
    text_printf(out, "<g data-s=\"%u\"", i);
    scene_put_look(out, &look);
    text_put(out, "><path d=\"");
    if (q) svg_path(out, q, count, false);
    text_put(out, "\"/></g>\n");
  } else {
    if (kind == shape_solid || (kind == shape_box && shape->turn[0])) {
      look.fill = draw_no_colour;
      look.stroke = space_edge_colour(shape, t);
      if (kind == shape_solid) look.line = 1;
    }
    text_printf(out, "<path data-s=\"%u\"", i);
    scene_put_look(out, &look);
    text_put(out, " stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n");
  }
}

static void put_space_shapes(const Scene *s, const SceneMotion *m, Text *out, const Theme *theme) {
  uint32_t count;
  Drawing still = {.arena = out->arena, .dark = m->dark};
  space_axes(s, &still, (DrawPoint){space_corner, m->height - space_corner});
  space_ground(s, &still, &m->map, 0);
  for (uint32_t i = 0; i < still.items.count; i++) svg_item(out, &still.items.items[i], NULL);
  const uint32_t *order = space_mean_order(s, out->arena, &count);
  for (uint32_t i = 0; i < count; i++) put_shape(m, out, order[i], &s->shapes.items[order[i]], theme);
}

// ---- a page whose reader rotates a scene in space

static void put_colours(Text *out, const Theme *t, bool dark) {
  text_printf(out,
              ":root{color-scheme:%s;--ground:#%06x;--ink:#%06x;--soft:#%06x;--grid:#%06x;--line:#%06x;--card:#%06x;",
              dark ? "dark" : "light", (unsigned)t->ground, (unsigned)t->ink, (unsigned)t->muted, (unsigned)t->grid,
              (unsigned)t->grid, (unsigned)t->ground);
  for (uint32_t i = 0; i < 7; i++) text_printf(out, "--curve%u:#%06x;", i, (unsigned)drawing_theme_curve(t, i));
  text_put(out, "--link:var(--curve0)}\n");
}

// The poses for print and for those without script.
static void put_still(const Scene *s, bool dark, Text *out) {
  Scene plain = *s;
  Ghosts ghosts = {.scene = &plain, .count = 8};
  Plot plot;
  Drawing d = {
      .arena = out->arena, .id = "still-", .description = "Eight poses at equal times, the earlier the fainter"};
  plain.title = NULL;
  scene_ghosts(out->arena, &ghosts, &plot);
  if (plot_layout(&plot, (PlotStyle){.width = ghosts.width, .dark = dark}, &d)) svg_write(&d, out);
}

void scene_key_bar(const Scene *s, bool dark, Text *out) {
  Drawing d = {.arena = out->arena, .dark = dark};
  scene_key(s, 600, 10, &d);
  text_put(out, "<svg class=\"bar\" viewBox=\"0 0 600 20\" role=\"img\" aria-label=\"Colours of the members\">");
  for (uint32_t i = 0; i < d.items.count; i++) svg_item(out, &d.items.items[i], NULL);
  text_put(out, "</svg>\n");
}

// The members of a family and their colours; of many the bar of colours.
static void put_members(const Scene *s, bool dark, Text *out) {
  if (!s->key.count) return;
  if (s->key.count > scene_key_most) {
    scene_key_bar(s, dark, out);
    return;
  }
  text_put(out, "<ul class=\"key\" aria-label=\"Members\">");
  for (uint32_t i = 0; i < s->key.count; i++) {
    text_printf(out,
                "<li><svg viewBox=\"0 0 16 4\" width=\"16\" height=\"4\" aria-hidden=\"true\"><path d=\"M0,2H16\" "
                "stroke=\"#%06x\" stroke-width=\"4\"/></svg> ",
                (unsigned)s->key.items[i].colour);
    svg_escape(out, s->key.items[i].label);
    text_put(out, "</li>");
  }
  text_put(out, "</ul>\n");
}

static void put_space_page(const Scene *s, const SceneMotion *m, double speed, const char *title, Text *out) {
  Theme theme = drawing_theme(m->dark);
  Text data = text_in(out->arena);
  space_data_write(s, speed, NULL, &(Json){.out = &data});
  text_put(out, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
  policy_put(out, &(PolicyScript){space_script, space_script_length}, 1);
  text_put(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  text_printf(out, "<title>%s</title>\n<style>\n", title);
  put_colours(out, &theme, m->dark);
  text_printf(out, style, "var(--ground)", "var(--ink)", 960.0);
  if (s->key.count) text_put(out, key_style);
  text_put(out, "figure{margin:0}\n</style>\n");
  text_printf(out, "<main>\n<h1>%s</h1>\n", title);
  put_members(s, m->dark, out);
  text_put(out, "<figure id=\"scene\" class=\"scene\" aria-label=\"The motion of the model\">");
  text_put(out, "<div class=\"still\">\n");
  put_still(s, m->dark, out);
  text_put(out, "</div></figure>\n</main>\n<script type=\"application/json\" id=\"viva-space\">");
  put_script_text(text_str(&data), out);
  text_put(out, "</script>\n<script>");
  text_putn(out, space_script, space_script_length);
  text_put(out, "</script>\n</html>\n");
}

void scene_html(const Scene *s, const SceneMotion *m, double speed, Text *out) {
  Theme theme = drawing_theme(m->dark);
  Text title = text_in(out->arena);
  svg_escape(&title, s->title ? s->title : "Motion");
  const char *g = arena_printf(out->arena, "#%06x", (unsigned)theme.ground),
             *k = arena_printf(out->arena, "#%06x", (unsigned)theme.ink);
  if (!g || !k) return;
  if (s->space) {
    put_space_page(s, m, speed, text_str(&title), out);
    return;
  }
  // the script first: the head says by its hash that this one may run
  Text code = text_in(out->arena);
  text_putc(&code, '\n');
  put_places(s, m, &theme, &code);
  text_put(&code, script);
  text_put(out, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
  policy_put(out, &(PolicyScript){text_str(&code), code.length}, 1);
  text_put(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  text_printf(out, "<title>%s</title>\n<style>\n", text_str(&title));
  text_printf(out, style, g, k, m->width + 40);
  if (s->key.count) text_put(out, key_style);
  text_printf(out, "</style>\n<main>\n<h1>%s</h1>\n", text_str(&title));
  put_members(s, m->dark, out);
  text_printf(out, "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n", m->width, m->height,
              text_str(&title));
  // in space, all but trails go by their depth
  for (uint32_t layer = 0; layer < (s->space ? 1 : scene_layers); layer++) {
    for (uint32_t i = 0; i < s->shapes.count; i++) {
      if (scene_layer(s->shapes.items[i].kind) == layer) put_shape(m, out, i, &s->shapes.items[i], &theme);
    }
  }
  if (s->space) put_space_shapes(s, m, out, &theme);
  text_put(out, "</svg>\n<div class=\"row\">\n<button id=\"play\">Play</button>\n");
  text_printf(out,
              "<input id=\"time\" type=\"range\" min=\"0\" max=\"%u\" step=\"any\" value=\"0\" "
              "aria-label=\"time\">\n<output id=\"clock\"></output>\n",
              m->frames - 1);
  text_put(out, "<label>speed <select id=\"speed\">");
  static const double speeds[] = {0.1, 0.25, 0.5, 1, 2, 4};
  bool listed = false;
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    bool chosen = speeds[i] == speed;
    listed = listed || chosen;
    text_printf(out, "<option value=\"%g\"%s>%g×</option>", speeds[i], chosen ? " selected" : "", speeds[i]);
  }
  if (!listed) text_printf(out, "<option value=\"%g\" selected>%g×</option>", speed, speed);
  text_put(out, "</select></label>\n</div>\n");
  if (s->key.count > 1)
    text_printf(out,
                "<div class=\"row\"><label for=\"member\">member</label><input id=\"member\" type=\"range\" min=\"0\" "
                "max=\"%u\" step=\"1\" value=\"0\" aria-valuetext=\"all\"><output id=\"who\">all</output></div>\n",
                s->key.count);
  text_put(out, "</main>\n<script>");
  text_putn(out, text_str(&code), code.length);
  text_put(out, "</script>\n</html>\n");
}
