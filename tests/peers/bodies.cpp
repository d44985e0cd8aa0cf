// The same arms and trees in Vis Viva, MuJoCo, Simbody and orocos-kdl: accelerations for given torques, and torques for
// given accelerations. No code is shared: Vis Viva is asked by its public interface, as text and as a table.
//
//   test_peers_bodies        all peers that it was built with; 0: all agree to 1e-10
#include "viva/viva.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

#ifdef VIVA_MUJOCO
#include <mujoco/mujoco.h>
#endif
#ifdef VIVA_SIMBODY
#include <Simbody.h>
#endif
#ifdef VIVA_KDL
#include <kdl/chain.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#endif

static uint64_t seed;
static double uniform() {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return double(seed >> 11) * 0x1p-52 - 1;
}

struct Body {
  int parent; // -1: the ground
  bool slides;
  int axis;
  double at[3], mass, com[3], inertia[3]; // principal, about the centre of mass
};

struct Mechanism {
  std::vector<Body> bodies;
  std::vector<double> q, v, tau, a;
  size_t count() const { return bodies.size(); }
};

static Mechanism mechanism(size_t n, bool chain, uint64_t from) {
  Mechanism m;
  seed = from;
  for (size_t i = 0; i < n; i++) {
    Body b;
    b.parent = i == 0 ? -1 : chain ? int(i) - 1 : int(0.5 * (uniform() + 1) * double(i));
    b.slides = uniform() > 0.6;
    b.axis = int(1.5 * (uniform() + 1)) % 3;
    for (int k = 0; k < 3; k++) {
      b.at[k] = 0.5 * uniform();
      b.com[k] = 0.3 * uniform();
      b.inertia[k] = 0.1 + 0.02 * uniform();
    }
    b.mass = 1.2 + uniform();
    m.bodies.push_back(b);
    m.q.push_back(uniform());
    m.v.push_back(uniform());
    m.tau.push_back(5 * uniform());
    m.a.push_back(4 * uniform());
  }
  return m;
}

// ---- Vis Viva

static std::string format(const char *text, double x) {
  char out[100];
  std::snprintf(out, sizeof out, text, x);
  return out;
}

static std::string list(const double *x) {
  return "[" + format("%.17g", x[0]) + ", " + format("%.17g", x[1]) + ", " + format("%.17g", x[2]) + "]";
}

static std::string text_of(const Mechanism &m, bool forces) {
  static const char *const axes[] = {"x", "y", "z"};
  std::string t = "gravity [0.3, -0.4, -9.81]\n", outputs = "output ";
  for (size_t i = 0; i < m.count(); i++) {
    const Body &b = m.bodies[i];
    std::string own = std::to_string(i), q = "q" + own;
    t += "body b" + own + " on " + (b.parent < 0 ? "ground" : "b" + std::to_string(b.parent)) + " by " +
         (b.slides ? "prismatic(" : "revolute(") + axes[b.axis] + ") " + q + " at " + list(b.at) +
         " with mass = " + format("%.17g", b.mass) + ", com = " + list(b.com) + ", inertia = [" +
         format("%.17g", b.inertia[0]) + ", " + format("%.17g", b.inertia[1]) + ", " + format("%.17g", b.inertia[2]) +
         ", 0, 0, 0]\n";
    t += "init " + q + " = " + format("%.17g", m.q[i]) + ", " + q + "' = " + format("%.17g", m.v[i]) + "\n";
    if (forces) t += "force " + q + " = " + format("%.17g", m.tau[i]) + "\n";
    outputs += (i ? ", " : "") + q + "''";
  }
  return t + outputs + "\nsimulate to 1e-6 step 1e-6 by euler\n";
}

static bool first_row(void *self, const double *values, size_t count) {
  auto *row = static_cast<std::vector<double> *>(self);
  if (row->empty()) row->assign(values + 1, values + count);
  return true;
}

static viva_model *parse(const std::string &text) {
  viva_model *model = nullptr;
  if (viva_model_parse("bodies.viva", text.c_str(), text.size(), nullptr, &model) != VIVA_OK) {
    std::fprintf(stderr, "%s\n", viva_model_diagnostic(model, 0).message);
    std::exit(1);
  }
  return model;
}

static std::vector<double> own_accelerations(const Mechanism &m) {
  std::vector<double> row;
  viva_model *model = parse(text_of(m, true));
  viva_sink sink = {};
  sink.self = &row;
  sink.row = first_row;
  viva_run *run = nullptr;
  if (viva_run_model(model, nullptr, &sink, &run) != VIVA_OK) std::exit(1);
  viva_run_free(run);
  viva_model_free(model);
  return row;
}

static std::vector<double> own_torques(const Mechanism &m) {
  std::vector<double> row;
  char path[] = "/tmp/viva_peers_XXXXXX";
  int fd = mkstemp(path);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : nullptr;
  if (!f) std::exit(1);
  std::fputs("t", f);
  for (size_t i = 0; i < m.count(); i++) std::fprintf(f, ",q%zu,q%zu',q%zu''", i, i, i);
  std::fputs("\n0", f);
  for (size_t i = 0; i < m.count(); i++) std::fprintf(f, ",%.17g,%.17g,%.17g", m.q[i], m.v[i], m.a[i]);
  std::fclose(f);
  viva_model *model = parse(text_of(m, false));
  viva_sink sink = {};
  sink.self = &row;
  sink.row = first_row;
  viva_inverse *inverse = nullptr;
  viva_status status = viva_inverse_model(model, path, nullptr, &sink, &inverse);
  if (status != VIVA_OK) std::fprintf(stderr, "%s", viva_inverse_message(inverse));
  viva_inverse_free(inverse);
  viva_model_free(model);
  unlink(path);
  if (status != VIVA_OK) std::exit(1);
  return row;
}

// ---- peers; each gives accelerations and torques, empty where it has none

struct Answer {
  std::vector<double> accelerations, torques;
};

#ifdef VIVA_MUJOCO
static void put_body(std::string &t, const Mechanism &m, size_t i) {
  static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
  const Body &b = m.bodies[i];
  auto three = [](const double *x) { return format("%.17g ", x[0]) + format("%.17g ", x[1]) + format("%.17g", x[2]); };
  t += "<body pos=\"" + three(b.at) + "\"><inertial pos=\"" + three(b.com) + "\" mass=\"" + format("%.17g", b.mass) +
       "\" diaginertia=\"" + three(b.inertia) + "\"/><joint name=\"q" + std::to_string(i) + "\" type=\"" +
       (b.slides ? "slide" : "hinge") + "\" axis=\"" + axes[b.axis] + "\" pos=\"0 0 0\"/>\n";
  for (size_t k = i + 1; k < m.count(); k++) {
    if (m.bodies[k].parent == int(i)) put_body(t, m, k);
  }
  t += "</body>\n";
}

static Answer ask_mujoco(const Mechanism &m) {
  std::string t = "<mujoco><compiler angle=\"radian\"/><option gravity=\"0.3 -0.4 -9.81\"><flag contact=\"disable\" "
                  "constraint=\"disable\"/></option><worldbody>\n";
  put_body(t, m, 0);
  t += "</worldbody></mujoco>\n";
  char path[] = "/tmp/viva_peers_XXXXXX", error[1000] = "";
  int fd = mkstemp(path);
  if (fd < 0 || write(fd, t.c_str(), t.size()) != ssize_t(t.size())) std::exit(1);
  close(fd);
  mjModel *model = mj_loadXML(path, nullptr, error, sizeof error);
  unlink(path);
  if (!model) {
    std::fprintf(stderr, "MuJoCo: %s\n", error);
    std::exit(1);
  }
  mjData *d = mj_makeData(model);
  Answer out;
  std::vector<int> place;
  for (size_t i = 0; i < m.count(); i++) {
    place.push_back(model->jnt_dofadr[mj_name2id(model, mjOBJ_JOINT, ("q" + std::to_string(i)).c_str())]);
    d->qpos[place[i]] = m.q[i];
    d->qvel[place[i]] = m.v[i];
    d->qfrc_applied[place[i]] = m.tau[i];
  }
  mj_forward(model, d);
  for (size_t i = 0; i < m.count(); i++) out.accelerations.push_back(d->qacc[place[i]]);
  for (size_t i = 0; i < m.count(); i++) d->qacc[place[i]] = m.a[i];
  mj_inverse(model, d);
  for (size_t i = 0; i < m.count(); i++) out.torques.push_back(d->qfrc_inverse[place[i]]);
  mj_deleteData(d);
  mj_deleteModel(model);
  return out;
}
#endif

#ifdef VIVA_SIMBODY
// Pins turn about z and sliders move along x: frames of the joint are turned so.
static SimTK::Rotation frame_of(const Body &b) {
  SimTK::Vec3 axis(0);
  axis[b.axis] = 1;
  return SimTK::Rotation(SimTK::UnitVec3(axis), b.slides ? SimTK::CoordinateAxis(0) : SimTK::CoordinateAxis(2));
}

static Answer ask_simbody(const Mechanism &m) {
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0.3, -0.4, -9.81));
  std::vector<MobilizedBody> bodies;
  for (const ::Body &b : m.bodies) {
    Vec3 com(b.com[0], b.com[1], b.com[2]), at(b.at[0], b.at[1], b.at[2]);
    Inertia central(b.inertia[0], b.inertia[1], b.inertia[2]);
    SimTK::Body::Rigid rigid(MassProperties(b.mass, com, central.shiftFromMassCenter(com, b.mass)));
    MobilizedBody &parent = b.parent < 0 ? (MobilizedBody &)matter.updGround() : bodies[size_t(b.parent)];
    Transform outer(frame_of(b), at), inner(frame_of(b));
    if (b.slides) bodies.push_back(MobilizedBody::Slider(parent, outer, rigid, inner));
    else bodies.push_back(MobilizedBody::Pin(parent, outer, rigid, inner));
  }
  State state = system.realizeTopology();
  Answer out;
  Vector mobility(matter.getNumMobilities()), acceleration(matter.getNumMobilities()), residual;
  for (size_t i = 0; i < m.count(); i++) {
    bodies[i].setOneQ(state, 0, m.q[i]);
    bodies[i].setOneU(state, 0, m.v[i]);
  }
  system.realize(state, Stage::Dynamics);
  Vector_<SpatialVec> on_bodies = system.getRigidBodyForces(state, Stage::Dynamics), none, accelerations;
  for (size_t i = 0; i < m.count(); i++) {
    mobility[bodies[i].getFirstUIndex(state)] = m.tau[i];
    acceleration[bodies[i].getFirstUIndex(state)] = m.a[i];
  }
  Vector found;
  matter.calcAccelerationIgnoringConstraints(state, mobility, on_bodies, found, accelerations);
  matter.calcResidualForceIgnoringConstraints(state, Vector(), on_bodies, acceleration, residual);
  for (size_t i = 0; i < m.count(); i++) {
    out.accelerations.push_back(found[bodies[i].getFirstUIndex(state)]);
    out.torques.push_back(residual[bodies[i].getFirstUIndex(state)]);
  }
  return out;
}
#endif

#ifdef VIVA_KDL
static Answer ask_kdl(const Mechanism &m) {
  using namespace KDL;
  Answer out;
  Chain chain;
  for (size_t i = 0; i < m.count(); i++) {
    const Body &b = m.bodies[i];
    if (b.parent != int(i) - 1) return out; // a tree
    Vector axis(b.axis == 0, b.axis == 1, b.axis == 2), at(b.at[0], b.at[1], b.at[2]);
    Joint joint("q", Vector::Zero(), axis, b.slides ? Joint::TransAxis : Joint::RotAxis);
    // the place of the joint is a fixed segment before it
    chain.addSegment(Segment("at", Joint(Joint::None), Frame(at)));
    RigidBodyInertia inertia(b.mass, Vector(b.com[0], b.com[1], b.com[2]),
                             RotationalInertia(b.inertia[0], b.inertia[1], b.inertia[2]));
    chain.addSegment(Segment("body", joint, Frame::Identity(), inertia));
  }
  unsigned n = unsigned(m.count());
  JntArray q(n), v(n), a(n), torques(n);
  for (unsigned i = 0; i < n; i++) q(i) = m.q[i], v(i) = m.v[i], a(i) = m.a[i];
  ChainIdSolver_RNE solver(chain, Vector(0.3, -0.4, -9.81));
  Wrenches outside(chain.getNrOfSegments(), Wrench::Zero());
  if (solver.CartToJnt(q, v, a, outside, torques) < 0) std::exit(1);
  for (unsigned i = 0; i < n; i++) out.torques.push_back(torques(i));
  return out;
}
#endif

// ---- the whole

static double distance(const std::vector<double> &own, const std::vector<double> &other) {
  double size = 1, worst = 0;
  for (double x : own) size = std::fmax(size, std::fabs(x));
  for (size_t i = 0; i < other.size(); i++) {
    double d = std::fabs(own[i] - other[i]) / size;
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

struct Peer {
  const char *name;
  Answer (*ask)(const Mechanism &m);
  double accelerations, torques;
  int mechanisms, moved; // moved: of which accelerations were compared
};

int main() {
  std::vector<Peer> peers;
#ifdef VIVA_MUJOCO
  peers.push_back({"MuJoCo", ask_mujoco, 0, 0, 0, 0});
#endif
#ifdef VIVA_SIMBODY
  peers.push_back({"Simbody", ask_simbody, 0, 0, 0, 0});
#endif
#ifdef VIVA_KDL
  peers.push_back({"orocos-kdl", ask_kdl, 0, 0, 0, 0});
#endif
  for (uint64_t s = 1; s <= 40; s++) {
    Mechanism m = mechanism(1 + s % 10, s % 2, s);
    std::vector<double> accelerations = own_accelerations(m), torques = own_torques(m);
    for (Peer &p : peers) {
      Answer answer = p.ask(m);
      p.mechanisms += !answer.torques.empty();
      p.moved += !answer.accelerations.empty();
      p.accelerations = std::fmax(p.accelerations, distance(accelerations, answer.accelerations));
      p.torques = std::fmax(p.torques, distance(torques, answer.torques));
    }
  }
  bool agree = true;
  for (const Peer &p : peers) {
    std::printf("%s: torques of %d mechanisms differ by %.1e, ", p.name, p.mechanisms, p.torques);
    if (p.moved) std::printf("accelerations of %d by %.1e\n", p.moved, p.accelerations);
    else std::puts("it gives no accelerations");
    agree = agree && p.accelerations < 1e-10 && p.torques < 1e-10 && p.mechanisms > 0;
  }
  if (peers.empty()) {
    std::puts("skipped: none of libmujoco-dev, libsimbody-dev, liborocos-kdl-dev is installed");
    return 77;
  }
  return agree ? 0 : 1;
}
