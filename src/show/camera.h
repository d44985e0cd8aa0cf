// The camera of a scene in space: orthographic projection onto paper.
//
// Rays are parallel and at right angles to the paper, so every length across the line of sight
// has the same scale, and parallel lines stay parallel. The script of pages (web/src/camera.ts) sees by the same rules.
#ifndef VIVA_SHOW_CAMERA_H
#define VIVA_SHOW_CAMERA_H

#include "system/system.h"

// Three unit vectors at right angles, in the axes of the model.
typedef struct Camera {
  double right[3], up[3]; // on paper
  double toward[3];       // from the scene to the viewer
  double plumb[3];        // what points up in the model, a unit vector
} Camera;

// False: a direction has no length or is not finite, or both lie along each other; the camera is not changed.
bool camera_look(const double from[3], const double up[3], Camera *camera);
// A camera in the direction `from` (NULL or all zero: that of the model, or one from the right, the front and above).
Camera camera_of(Arena *arena, const System *system, const double from[3]);
// Can this model be seen from there, with what it says to point up?
bool camera_possible(Arena *arena, const System *system, const double from[3]);
// The coordinates of a point as seen: to the right, up, toward the viewer.
void camera_see(const Camera *camera, const double point[3], double seen[3]);

#endif
