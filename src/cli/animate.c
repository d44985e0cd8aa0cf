// viva animate FILE -o anim.svg: the simulation as an animation, or as overlaid poses in one picture.
#define _XOPEN_SOURCE 700
#include "cli/message.h"
#include "cli/mode.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/picture.h"
#include "cli/verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct Film {
  const char *out, *theme, *camera;
  double ghosts, speed, fps;
  bool drive; // positions along the `drive` lines
} Film;

// ---- video, by ffmpeg

static bool is_video(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".mp4") == 0 || strcmp(dot, ".gif") == 0);
}

static bool have_ffmpeg(void) {
  const char *path = getenv("PATH");
  char file[4096];
  while (path && *path) {
    size_t n = strcspn(path, ":");
    if (n < sizeof file - 16 && snprintf(file, sizeof file, "%.*s/ffmpeg", (int)n, path) > 0 && access(file, X_OK) == 0)
      return true;
    path += n + (path[n] == ':');
  }
  return false;
}

static int check_video(const char *out, viva_file **file) {
  if (!have_ffmpeg()) {
    complain("`.mp4` and `.gif` need ffmpeg: install it, or write an .svg or .html");
    return exit_input;
  }
  const char *missing = viva_picture_missing(VIVA_PICTURE_PNG);
  if (missing) {
    complain("`.mp4` and `.gif` need %s", missing);
    return exit_input;
  }
  return open_output("-o", out, file);
}

typedef struct Words {
  const char *items[16];
} Words;

// The descriptors that ffmpeg has beside its three: files without a name, which it opens as /dev/fd/3 and /dev/fd/4.
enum { film_fd = 3, palette_fd = 4 };

// Starts ffmpeg, which reads PNG pictures from the descriptor that is returned and does with them what `how` says; -1:
// it does not start.
static int start_ffmpeg(const Words *how, double fps, int film, int palette, pid_t *child) {
  char rate[32];
  snprintf(rate, sizeof rate, "%.6g", fps);
  const char *args[32] = {"ffmpeg", "-y",  "-loglevel",  "error", "-f", "image2pipe",
                          "-c:v",   "png", "-framerate", rate,    "-i", "pipe:0"};
  for (size_t i = 0; how->items[i]; i++) args[12 + i] = how->items[i];
  int ends[2];
  if (pipe(ends) != 0) return -1;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_adddup2(&actions, film, film_fd);
  posix_spawn_file_actions_adddup2(&actions, palette, palette_fd);
  posix_spawnattr_t attributes;
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGXFSZ);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  union {
    const char **in;
    char **out;
  } words = {args}; // posix_spawnp does not change them
  int error = posix_spawnp(child, "ffmpeg", &actions, &attributes, words.out, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (!error) return ends[1];
  close(ends[1]);
  return -1;
}

static bool send_all(int fd, const char *data, size_t length) {
  while (length > 0) {
    ssize_t n = write(fd, data, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    length -= (size_t)n;
  }
  return true;
}

// Gives ffmpeg the pictures from 0 to `end`, every `step` seconds of the simulated time; -1: done.
static int feed(viva_figure *figure, double step, double end, double fps, int film, int palette, const Words *how) {
  pid_t child = 0;
  int fd = start_ffmpeg(how, fps, film, palette, &child);
  if (fd < 0) {
    complain("ffmpeg does not start");
    return exit_failed;
  }
  int status = -1;
  bool heard = true;
  for (double k = 0; k * step <= end && status < 0 && heard; k++) {
    char *data;
    size_t length;
    viva_status done = viva_figure_frame(figure, k * step, VIVA_PICTURE_PNG, &data, &length);
    if (done != VIVA_OK) status = figure_failed(figure, done);
    else heard = send_all(fd, data, length);
    viva_text_free(data);
  }
  close(fd);
  int code = 0;
  while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
  }
  if (status >= 0) return status;
  if (heard && WIFEXITED(code) && WEXITSTATUS(code) == 0) return -1;
  complain("ffmpeg could not make the video");
  return exit_failed;
}

// A file without a name, above the descriptors that ffmpeg gets; -1: none can be made.
static int nameless(void) {
  FILE *f = tmpfile();
  int fd = f ? fcntl(fileno(f), F_DUPFD_CLOEXEC, palette_fd + 1) : -1;
  if (f) fclose(f);
  return fd;
}

// Takes over what ffmpeg wrote; -1: done.
static int take_film(int film, viva_file **file, const char *path) {
  struct stat st;
  void *data = fstat(film, &st) == 0 && st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, film, 0)
                                                       : MAP_FAILED;
  if (data == MAP_FAILED) {
    complain("ffmpeg could not make the video");
    return exit_failed;
  }
  int status = save_output(file, path, data, (size_t)st.st_size);
  munmap(data, (size_t)st.st_size);
  return status;
}

// The video grows in a file without a name, so that nothing is left of one that is not finished. The colours of a GIF
// are chosen beforehand from some of its pictures, for ffmpeg would otherwise hold all of them in memory.
static int write_video(viva_figure *figure, const Film *film, viva_file **file) {
  double fps = film->fps > 0 ? film->fps : 30, speed = film->speed > 0 ? film->speed : 1, end = viva_figure_end(figure),
         step = speed / fps;
  int fd = nameless(), palette = nameless(), status = -1;
  const char *target = "file:/dev/fd/3", *colours = "file:/dev/fd/4";
  if (fd < 0 || palette < 0) {
    complain("no file for the video can be made: %s", strerror(errno));
    status = exit_failed;
  } else if (strcmp(strrchr(film->out, '.'), ".gif") == 0) {
    status = feed(figure, step > end / 24 ? step : end / 24, end, fps, fd, palette,
                  &(Words){{"-vf", "palettegen", "-c:v", "png", "-f", "image2pipe", colours}});
    if (status < 0)
      status = feed(figure, step, end, fps, fd, palette,
                    &(Words){{"-f", "png_pipe", "-i", colours, "-filter_complex", "[0][1]paletteuse=dither=none", "-f",
                              "gif", target}});
  } else {
    // even sizes for the usual encoder
    status = feed(figure, step, end, fps, fd, palette,
                  &(Words){{"-filter_complex", "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p", "-f", "mp4", target}});
  }
  if (status < 0) status = take_film(fd, file, film->out);
  if (fd >= 0) close(fd);
  if (palette >= 0) close(palette);
  return status;
}

// ---- the command

static int check_film(const Film *film, viva_figure_options *options) {
  bool ghosts = !isnan(film->ghosts);
  options->kind = ghosts ? VIVA_FIGURE_GHOSTS : VIVA_FIGURE_ANIMATION;
  if (ghosts && !(film->ghosts >= 1 && film->ghosts <= 1000 && film->ghosts == floor(film->ghosts))) {
    complain("`--ghosts` needs a whole number from 1 to 1000");
    return exit_input;
  }
  if (!isnan(film->speed) && !(film->speed > 0 && film->speed <= 1e6)) {
    complain("`--speed` needs a positive number");
    return exit_input;
  }
  if (!isnan(film->fps) && !(film->fps > 0 && film->fps <= 240)) {
    complain("`--fps` needs a number above 0, at most 240");
    return exit_input;
  }
  options->ghosts = ghosts ? (unsigned)film->ghosts : 0;
  options->speed = isnan(film->speed) ? 0 : film->speed;
  options->fps = isnan(film->fps) ? 0 : film->fps;
  int status = read_camera(film->camera, options->camera);
  return status < 0 ? read_theme(film->theme, options) : status;
}

// Runs a member with a figure of its own, whose shapes go to that of all.
static viva_status animate_member(const viva_model *model, viva_run_options o, const viva_figure_options *options,
                                  viva_figure *all) {
  viva_figure *own = NULL;
  viva_run *run = NULL;
  viva_status done = viva_figure_new(model, options, &own);
  if (done != VIVA_OK) {
    figure_failed(own, done);
  } else {
    o.figure = own;
    done = run_watched(model, &o, NULL, &run);
    if (done == VIVA_OK || done == VIVA_EFAIL) {
      viva_status taken = viva_figure_overlay(all, own);
      if (taken != VIVA_OK) done = taken;
    }
  }
  viva_run_free(run);
  viva_figure_free(own);
  return done;
}

static viva_status animate_family(const viva_model *model, const viva_run_options *o,
                                  const viva_figure_options *options, viva_figure *all) {
  viva_status worst = VIVA_OK;
  viva_model *before = NULL;
  for (size_t i = 0; i < viva_model_member_count(model); i++) {
    viva_model *own = NULL;
    int status = i ? take_model(viva_model_member(before ? before : model, i, &own), false, &own) : -1;
    viva_status done = status >= 0 ? (status == exit_input ? VIVA_EINPUT : VIVA_ENOMEM)
                                   : animate_member(own ? own : model, *o, options, all);
    viva_model_free(before);
    before = own;
    if (done != VIVA_OK) worst = done;
    if (done != VIVA_OK && done != VIVA_EFAIL) break;
  }
  viva_model_free(before);
  return worst;
}

static int refuse_crowd(const viva_model *model) {
  size_t members = viva_model_member_count(model);
  if (members <= VIVA_MEMBERS_MOVING) return -1;
  complain("an animation shows at most %d members of a family, and these are %zu", VIVA_MEMBERS_MOVING, members);
  hint("take fewer values; `viva run --plot` shows the curves of all");
  return exit_input;
}

// Positions along the drives instead of a simulation.
static viva_status follow_drive(const viva_model *model, viva_figure *figure, viva_positions **positions) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = "successive";
  viva_status done = viva_positions_find(model, &o, NULL, positions);
  if (viva_positions_message(*positions)) show_message(viva_positions_message(*positions));
  bool rows = done == VIVA_OK || done == VIVA_EFAIL;
  viva_status taken = rows ? viva_positions_follow(*positions, figure) : VIVA_OK;
  if (taken == VIVA_EINPUT) complain("there are fewer than two positions along the drive: nothing moves");
  return taken == VIVA_OK ? done : taken;
}

static int animate(const viva_model *model, viva_run_options *o, const Film *film, const viva_figure_options *options) {
  static const char *const moving[] = {"svg", "html", "mp4", "gif", NULL}, *const still[] = {"svg", "png", "pdf", NULL};
  bool ghosts = options->kind == VIVA_FIGURE_GHOSTS, video = !ghosts && is_video(film->out);
  PictureFile picture = {0};
  const char *dot = film->out ? strrchr(film->out, '.') : NULL;
  for (const char *const *k = moving + 1; ghosts && dot && *k; k++) {
    if (strcmp(dot + 1, *k) != 0) continue;
    complain("`-o %s` moves, and `--ghosts` puts poses into one picture that stands still", film->out);
    hint("name it .svg, .png or .pdf, or leave out `--ghosts`; a page of `viva report` has poses and motion");
    return exit_input;
  }
  int status =
      video ? check_video(film->out, &picture.file) : open_picture(film->out, "-o", ghosts ? still : moving, &picture);
  viva_figure *figure = NULL;
  viva_run *run = NULL;
  viva_positions *positions = NULL;
  viva_status done = VIVA_OK;
  if (status < 0 && (done = viva_figure_new(model, options, &figure)) != VIVA_OK) status = figure_failed(figure, done);
  if (status < 0) {
    o->figure = figure;
    bool family = viva_model_varied_count(model) > 0;
    done = film->drive ? follow_drive(model, figure, &positions)
           : family    ? animate_family(model, o, options, figure)
                       : run_watched(model, o, NULL, &run);
    bool rows = done == VIVA_OK || done == VIVA_EFAIL || done == VIVA_EINTERRUPTED;
    if (!rows) status = done == VIVA_EINPUT ? exit_input : exit_failed;
  }
  if (status < 0) status = video ? write_video(figure, film, &picture.file) : save_picture(&picture, figure);
  if (status < 0) {
    int told = tell_file(film->out);
    status = done == VIVA_OK ? told : exit_failed;
  }
  discard_picture(&picture);
  viva_figure_free(figure);
  viva_positions_free(positions);
  viva_run_free(run);
  return status;
}

static int animate_main(int argc, char **argv) {
  viva_run_options o = viva_run_defaults();
  Film film = {.ghosts = NAN, .speed = NAN, .fps = NAN};
  const char *file;
  LoadRequest request = {0};
  uint32_t mode = 0;
  const Option options[] = {
      {"-o", option_output, "FILE", "where to: .svg .html, with ffmpeg .mp4 .gif; ghosts: .svg .png .pdf", &film.out,
       NULL},
      {"--ghosts", option_number, "N", "N poses at equal times in one picture", &film.ghosts, NULL},
      {"--speed", option_number, "S", "times as fast as the clock (1)", &film.speed, NULL},
      {"--fps", option_number, "F", "pictures a second (30)", &film.fps, NULL},
      {"--theme", option_text, "THEME", "light or dark", &film.theme, "light dark"},
      {"--camera", option_text, "X,Y,Z", "from where a drawing in space is seen, as `camera [x, y, z]`", &film.camera,
       NULL},
      {"--drive", option_flag, NULL, "positions along the `drive` lines, in the place of a run", &film.drive, NULL},
      {"--to", option_number, "T", "end time in seconds", &o.to, NULL},
      {"--method", option_text, "NAME", "as in `viva run`", &o.method, run_methods},
      {"--mode", option_count, "N", "start from this mode of `equilibrium --problem modes`", &mode, NULL},
      LOAD_OPTIONS(request),
  };
  int status = read_options(&verb_animate, options, sizeof options / sizeof *options, argc, argv, &file);
  viva_figure_options figure = viva_figure_defaults();
  if (status < 0 && !film.out) {
    complain("where to? `-o anim.svg`, or .html .mp4 .gif");
    status = exit_input;
  }
  if (status < 0) status = check_film(&film, &figure);
  viva_load_options load = load_options(&request);
  viva_model *model = NULL;
  if (status < 0) status = load_in_mode(file, &load, mode, &model);
  if (status < 0) status = refuse_crowd(model);
  if (status < 0) status = check_camera(model, film.camera, figure.camera);
  if (status < 0) status = animate(model, &o, &film, &figure);
  viva_model_free(model);
  free_load(&request);
  return status;
}

const Verb verb_animate = {
    .name = "animate",
    .usage = "viva animate FILE -o OUT [options]",
    .about = "the motion as a picture that moves, or as ghost images",
    .main = animate_main,
    .files = 1,
};
