// Port-Hamiltonian form: what is stored, how it flows between states, what is dissipated, and the ports.
//
//   x' = (J - R) dH/dx + (G - P) u,   y = (G + P)' dH/dx + S u,   dH/dt = y.u - [dH; u]' [R P; P' S] [dH; u]
//
// A file with `hamiltonian` has one Storage, whose rows are states of that file; a part has its own.
#ifndef VIVA_SYSTEM_PORTS_H
#define VIVA_SYSTEM_PORTS_H

#include "base/diag.h"
#include "expr/pool.h"

// An input with the output that makes a power of it.
typedef struct SystemPort {
  const char *name;     // of its input
  uint32_t input;       // among the inputs
  ExprId *by, *through; // columns of G and P: an entry a row
  ExprId *feed;         // row of S: an entry a port of the same storage
  ExprId y;
  Span span;
} SystemPort;
typedef VEC(SystemPort) SystemPortList;

typedef struct SystemStorage {
  const char *name; // of the part: "hip."; "": the model itself
  ExprId H;
  uint32_t count;
  uint32_t *rows; // states
  ExprId *dH;     // by each of them
  ExprId *J, *R;  // count * count, row by row
  SystemPortList ports;
  bool fitted;    // the states have equations of their own: the J, R, G that fit are asked for
  bool canonical; // J was not written: the first half are positions, the other one momenta
  Span span, J_span, R_span;
} SystemStorage;
typedef VEC(SystemStorage) SystemStorageList;

// A port of a file with coordinates: a force on these, whose output is their velocity along it.
typedef struct SystemForcePort {
  const char *name;
  uint32_t input;
  ExprId y;
  Span span;
} SystemForcePort;
typedef VEC(SystemForcePort) SystemForcePortList;

// The input `to` gets the output of the port of `from`, with a sign; several add up.
typedef struct SystemConnection {
  uint32_t to, from; // inputs
  int sign;
  Span span;
} SystemConnection;
typedef VEC(SystemConnection) SystemConnectionList;

// Ports of a junction that cannot be computed one from the other: lambda with its signs is a part of their inputs, and
// the sum of their outputs with these signs is zero.
typedef struct SystemTie {
  SymbolId lambda; // an unknown
  uint32_t count;
  uint32_t *inputs;
  int *signs;
  Span span;
} SystemTie;
typedef VEC(SystemTie) SystemTieList;

// p.x: the momentum of a coordinate, where the text asks for it.
typedef struct SystemMomentum {
  SymbolId symbol;
  const char *coord; // its name: that of a node may be no coordinate yet
  Span span;
} SystemMomentum;
typedef VEC(SystemMomentum) SystemMomentumList;

#endif
