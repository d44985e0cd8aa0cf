// See peer.h. Simbody keeps rods by its constraints, and brings the motion back onto them after each step, too.
#include "bench/peer.h"

#include <Simbody.h>

#include <chrono>
#include <exception>
#include <vector>

using namespace SimTK;

static double follow(const Linkage *l, double accuracy, double *rows) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0, -l->gravity, 0));
  std::vector<MobilizedBody::Pin> arms;
  for (unsigned i = 0; i <= l->rods; i++) {
    Vec3 tip(0, -l->arm[i], 0);
    Body::Rigid body(MassProperties(1, tip, UnitInertia::pointMassAt(tip)));
    arms.emplace_back(matter.updGround(), Transform(Vec3(l->apart * i, 0, 0)), body, Transform());
  }
  for (unsigned i = 0; i < l->rods; i++)
    Constraint::Rod(arms[i], Vec3(0, -l->arm[i], 0), arms[i + 1], Vec3(0, -l->arm[i + 1], 0), l->rod[i]);
  State state = system.realizeTopology();
  for (unsigned i = 0; i <= l->rods; i++) arms[i].setAngle(state, l->start[i]);
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  integrator.setConstraintTolerance(accuracy);
  auto begin = std::chrono::steady_clock::now();
  TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  unsigned count = unsigned(l->to / l->every + 0.5);
  for (unsigned k = 0; k <= count; k++) {
    stepper.stepTo(k * l->every);
    for (unsigned i = 0; i <= l->rods; i++) *rows++ = arms[i].getAngle(integrator.getState());
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double peer_linkage(const Linkage *l, double accuracy, double *rows) {
  try {
    return follow(l, accuracy, rows);
  } catch (const std::exception &) {
    return -1;
  }
}
