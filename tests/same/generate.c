// Small models over the whole language, the same ones on every machine.
//
//   generate FOLDER COUNT
//
// in    COUNT models, at most 1000
// out   FOLDER/000.viva, 001.viva, ...; the files that they use: link.viva, motor.viva, road.csv
// how   kind i mod kinds of the table at the end writes model i by a few templates, which chance fills in:
//         {one%two%three}  one of the alternatives           $0.5:2$  a number between the two, in four digits
//         @ and &          the counter of `many`, and one less    ~f, ~w   a bounded function, a signal of time
//       Chance is a linear congruence with a seed for each model, so a kind that changes leaves the others alone.
// Every model has a parameter `a` near 1 that matters, for families and batches, and a `simulate` of some hundred
// steps.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Writer {
  FILE *file;
  uint64_t chance;
} Writer;

static double uniform(Writer *w) {
  w->chance = w->chance * 6364136223846793005u + 1442695040888963407u;
  return (double)(w->chance >> 11) * 0x1p-53;
}

static int choose(Writer *w, int count) { return (int)(uniform(w) * count); }

// ---- templates

// Bounded functions with slopes of about 1, those of the prelude among them.
static const char functions[] = "{sin%cos%tanh%atan%bell%ratio%root%turn%wave%flat}";
static const char prelude[] = "fun bell(s) = exp(-s^2)\n"
                              "fun ratio(s) = s/(1 + s^2)\n"
                              "fun root(s) = sqrt(1 + s^2)/(2 + |s|)\n"
                              "fun turn(s) = atan2(s, 2) + asin(s/(2 + s^2)) - acos(s/(3 + s^2))\n"
                              "fun wave(s) = sinh(s/3)/cosh(s/2)^2 + tan(s/(1 + s^2))\n"
                              "fun flat(s) = (1 + s^2)^0.3/(1 + ln(1 + s^2)) - log10(3 + s^2)\n";
static const char signals[] = "{$0.5:2$*sin($1:6$*t + $0:3$)%$0.5:2$*step(t - $0.1:0.4$)%ramp(t - $0.1:0.4$)%"
                              "if(mod(t, $0.3:0.5$) < $0.1:0.2$, $0.5:1$, $-1:0$)%$0.5:2$*exp(-t)*cos($1:4$*t)%"
                              "$0.2:1$*noise(@, 0.125)%$0.5:1$*floor(3*t)%table(\"road.csv\", \"height\", t)}";

// The end of the alternative at s: its separator or bracket.
static const char *alternative_end(const char *s, const char *end) {
  for (int depth = 0; s < end; s++) {
    if (depth == 0 && (*s == '%' || *s == '}')) return s;
    if (*s == '{') depth++;
    if (*s == '}') depth--;
  }
  return end;
}

static void expand(Writer *w, const char *s, const char *end, int i);

// One of the alternatives after the bracket at s; what follows the last one.
static const char *expand_choice(Writer *w, const char *s, const char *end, int i) {
  int count = 1;
  for (const char *e = s + 1; (e = alternative_end(e, end)) < end && *e == '%'; e++) count++;
  int taken = choose(w, count);
  for (const char *at = s + 1, *stop;; at = stop + 1) {
    stop = alternative_end(at, end);
    if (taken-- == 0) expand(w, at, stop, i);
    if (stop == end || *stop == '}') return stop + 1;
  }
}

// A number between the two bounds after s.
static const char *expand_number(Writer *w, const char *s) {
  char *after;
  double low = strtod(s + 1, &after), high = strtod(after + 1, &after);
  fprintf(w->file, "%.4g", low + (high - low) * uniform(w));
  return after + 1;
}

static void expand(Writer *w, const char *s, const char *end, int i) {
  while (s < end) {
    if (*s == '{') {
      s = expand_choice(w, s, end, i);
    } else if (*s == '$') {
      s = expand_number(w, s);
    } else if (*s == '~') {
      const char *inner = s[1] == 'f' ? functions : signals;
      expand(w, inner, inner + strlen(inner), i);
      s += 2;
    } else {
      if (*s == '@') fprintf(w->file, "%d", i);
      else if (*s == '&') fprintf(w->file, "%d", i - 1);
      else putc(*s, w->file);
      s++;
    }
  }
}

static void say(Writer *w, const char *line) {
  expand(w, line, line + strlen(line), 1);
  putc('\n', w->file);
}

// The line for i = first .. last.
static void many(Writer *w, int first, int last, const char *line) {
  for (int i = first; i <= last; i++) {
    expand(w, line, line + strlen(line), i);
    putc('\n', w->file);
  }
}

// ---- energies

static void pendulums(Writer *w) {
  int n = 1 + choose(w, 3);
  say(w, "param g = 9.81 [m/s^2], d = $0:0.2$");
  many(w, 1, n, "param m@ = $0.3:2$*a [kg], l@ = $0.2:1$ [m]");
  many(w, 1, n, "coord th@ = $-2:2$ [rad]");
  many(w, 1, n, "init th@' = $-1:1$");
  say(w, "let P1 = [l1*sin(th1), -l1*cos(th1)]");
  many(w, 2, n, "let P@ = P& + [l@*sin(th@), -l@*cos(th@)]");
  many(w, 1, n, "kinetic 1/2*m@*|P@'|^2");
  many(w, 1, n, "potential m@*g*P@.y");
  say(w, "dissipation 1/2*d*th1'^2");
  many(w, 2, n, "dissipation 1/2*d*(th@' - th&')^2");
  if (choose(w, 2)) say(w, "input u = ~w\nforce th1 = u{%*cos(th1)}");
}

static void chains(Writer *w) {
  int n = choose(w, 5) ? 2 + choose(w, 4) : 20;
  fprintf(w->file, "param n = %d\n", n);
  say(w, "param k = $5:50$, c = $0:2$, q = $0:20$, m = $0.5:2$");
  say(w, "coord x[i] = $-0.3:0.3$*i for i in 1 .. n");
  say(w, "kinetic 1/2*m*{i%a%(1 + i/10)}*x[i]'^2 for i in 1 .. n");
  say(w, "potential 1/2*a*k*(x[i] - x[i-1])^2 + q*(x[i] - x[i-1])^4/4 for i in 2 .. n");
  say(w, "potential 1/2*k*x[1]^2{% + ~f(x[1])%}");
  say(w, "dissipation 1/2*c*(x[i]' - x[i-1]')^2 for i in 2 .. n");
  say(w, "{dissipation c*|x[1]'|^3/3%force x[1] = ~w%power $1:3$*sin(4*t)*x[n]'}");
  say(w, "output x[i] for i in 1 .. n\noutput mean = sum(x[i]*{1%i}, i, 1, n)/n, energy.stored, x[1]'");
}

static void roads(Writer *w) {
  say(w, "param m = $200:400$*a [kg], mw = $20:60$ [kg], k = $10:20$ [kN/m], kw = $80:200$ [kN/m], c = $500:2000$ "
         "[N*s/m]");
  say(w, "coord x = $-0.05:0.05$ [m], y [m]");
  say(w, "input road = {$0.01:0.05$*sin($3:9$*t)%0.02*exp(-t)%0.03*tanh(5*(t - 0.5))} [m]");
  say(w, "kinetic 1/2*m*x'^2 + 1/2*mw*y'^2");
  say(w, "potential 1/2*k*(x - y)^2 + 1/2*kw*(y - road)^2");
  say(w, "dissipation 1/2*c*(x' - y')^2{% + 1/2*100*(road' - y')^2}");
  say(w, "{potential m*9.81*x%force x = -m*9.81%power -m*9.81*x'%}");
  say(w, "output x, y, x', a1 = x'', energy.dissipated, energy.supplied");
}

static void gyros(Writer *w) {
  say(w, "param w0 = $0.5:3$, k = $1:5$");
  say(w, "coord x = $0.5:1$, y = $-1:1$, z = $0:0.5$");
  say(w, "init x' = $-1:1$, z' = $-1:1$");
  say(w, "lagrangian 1/2*(x'^2 + a*y'^2 + (1 + {x^2%y^2%0.3*sin(x)})*z'^2) + w0*(x*y' - y*x')");
  say(w, "lagrangian -1/2*k*(x^2 + y^2{% + x^2*y}) - ~f(z){%*(1 + 0.2*sin(3*t))}");
  say(w, "{dissipation 1/2*$0.05:0.2$*(x' - z')^2%power $0.1:1$*sin(t)*(x' + y')%force z = -0.2*z'*|z'|%}");
}

// ---- first order, equations

static void rates(Writer *w) {
  int n = 2 + choose(w, 4);
  many(w, 1, n, "state x@ = $-1:1$");
  say(w, "input u = ~w");
  say(w, "x1' = {a*~f(x2)%-a*x1 + ~f(x2)*x1%$1:80$*(u - a*x1)} + $-1:1$*u");
  many(w, 2, n,
       "x@' = {-$0.5:3$*x@ + $-2:2$*~f(x&)%~f(x&*x@) - x@%$-1:1$*x& - x@^3/(1 + x@^2)%-$20:120$*(x@ - ~f(x&))}");
}

static void accelerations(Writer *w) {
  say(w, "coord x = $0:1$, y = $-1:1$, z");
  say(w, "param A = [$1:2$, $0:0.3$; $0:0.3$, $1:2$], b = [$0:1$, $-1:1$]");
  say(w, "state s = $0:1$");
  say(w, "let v = A*[x, y] + b{%*sin(t)}");
  say(w, "kinetic 1/2*dot([x', y'], A*[x', y'])");
  say(w, "potential 1/2*a*dot(v, v)");
  say(w, "{equation z'' + 0.3*tanh(z'')%z''} = -$1:5$*z + {x%~f(x)%x*y%x'} - 0.2*z'");
  say(w, "s' = -s + |v|{% + z'}");
  say(w, "output v, z, s, w = cross([x, y, z], [1, a, s]), d = {transpose(A)%inverse(A)}*[x, y]");
}

// ---- without inertia

static void branches(Writer *w) {
  say(w, "param R = $1:5$*a [ohm], L = $0.2:1$ [H], C = $0.02:0.1$ [F]");
  say(w, "coord q1 = $0:0.2$ [C], q2 [C]");
  say(w, "init q2' = $-0.5:0.5$");
  say(w, "input E = {10*sin($2:8$*t)%$2:9$%5*step(t - 0.3)} [V]");
  say(w, "kinetic 1/2*L*q2'^2{% + 0.1*L*q2'^4}");
  say(w, "potential q1^2/(2*C){% + 20*q1^4}");
  say(w, "dissipation 1/2*R*(q1' + q2')^2{% + 0.1*|q1'|^3}");
  say(w, "power E*(q1' + q2')");
}

static void creeps(Writer *w) {
  int n = 1 + choose(w, 3);
  many(w, 1, n, "coord x@ = $-1:1$");
  say(w, "dissipation {a*|x1'|^3/3 + 0.1*x1'^2%1/2*a*x1'^2%a*cosh(x1')}");
  many(w, 2, n, "dissipation 1/2*$0.5:2$*(x@' - x&')^2 + 0.1*x@'^2");
  many(w, 1, n, "potential 1/2*$1:4$*x@^2{% + 0.3*~f(x@)}");
  say(w, "force x1 = ~w");
}

static void sums(Writer *w) {
  say(w, "param m = $1:3$*a, k = $2:5$, d1 = $0.3:1$, d2 = $0.5:2$");
  say(w, "coord x = 1, y = $-1:1$, z = 0.2");
  say(w, "init x' = $0:1$");
  say(w, "kinetic 1/2*m*(x' + {y'%2*y'%cos(x)*y'})^2 + 1/2*z'^2");
  say(w, "potential 1/2*k*x^2 + 1/2*y^2 + 1/2*(z - x)^2{% + 0.1*y^4}");
  say(w, "dissipation 1/2*d1*x'^2 + 1/2*d2*y'^2");
}

static void canonical(Writer *w) {
  int n = 1 + choose(w, 2);
  many(w, 1, n, "coord q@ = $-1:1$, p@ = $-1:1$");
  many(w, 1, n, "lagrangian p@*q@' - p@^2/(2*a) - {~f(q@)%q@^2%q@^4 - q@^2/2%p@*q@/3 + q@^2}");
  many(w, 2, n, "{lagrangian -1/2*(q@ - q&)^2%dissipation 1/2*0.1*q@'^2%force q@ = ~w}");
}

static void nodes(Writer *w) {
  int n = 1 + choose(w, 3);
  say(w, "coord x = $0.5:1$, y0 = 0.1");
  many(w, 1, n, "coord y@");
  say(w, "kinetic 1/2*a*x'^2");
  say(w, "potential $1:4$*(x - y0)^2 + {y0^4%y0^2}");
  many(w, 1, n, "potential $1:3$*(y@ - {x%y0})^2 + {cosh(y@)%y@^2%1/4*(1 + y@^2)^2}");
  say(w, "{force x = ~w%dissipation 1/2*$0.1:1$*x'^2}");
}

// ---- implicit

static void implicit(Writer *w) {
  say(w, "param R = $50:200$*a [ohm], C = 1 [mF], Is = 1e-9 [A], Vt = 0.05 [V]");
  say(w, "state v = $2:6$ [V], s = 0\nunknown i = 0.01 [A], z = {0.5%1}");
  say(w, "equation v = R*i + Vt*ln(1 + i/Is)");
  say(w, "equation z^3 + {z%2*z} = {1 + s%$0.5:2$*cos(t)%100*i + s}");
  say(w, "v' = -i/C{% + z}");
  say(w, "{s' = z - s%equation s' + tanh(s') = z - s}");
  say(w, "output v, i, z, s, s'");
}

static void loops(Writer *w) {
  say(w, "param k = $2:20$\nstate v = 0\ninput u = ~w");
  say(w, "let e = u - y\nlet y = k*a*{tanh(e)%atan(e)%limit(e, -0.5, 0.7)%(e + e^3)%max(e, 0.3*e)} + v");
  say(w, "{let p = 0.4*~f(q) + 0.1*t\nlet q = 0.5*~f(p) - v%let p = e + q\nlet q = v - 0.3*p}");
  say(w, "v' = e - v{% + p*q}\noutput e, y, p, q");
}

// ---- blocks

static void corners(Writer *w) {
  say(w, "param r = $0.2:0.6$\ninput u = $0.8:2$*sin($3:9$*t)\nstate x = $-0.5:0.5$");
  say(w, "let b1 = {limit(a*u, -r, r)%deadzone(a*u, r)%rectify(a*u)%max(min(a*u, r), -1)%|a*u - r|}");
  say(w, "let b2 = {backlash(u + x, r)%backlash(u, r, 0.1)%hysteresis(u, -r, r, 1, -1)%hysteresis(x + u, -0.1, r, 1, "
         "0, 1)}");
  say(w, "let b3 = integral({b1 - b2%b1*b2%compare(b2, b1, -1, 1)%sign(u) - b1}, $-0.2:0.2$)");
  say(w, "x' = b2 - {x%b3%2*x*|x|}\noutput u, b1, b2, b3, x");
}

static void gates(Writer *w) {
  say(w, "param r = $0.2:0.6$\ninput u = a*sin($4:9$*t), v = cos($3:8$*t)");
  say(w, "let c1 = u > r\nlet c2 = {v < -r%nor(c1)%any(v > 0.9, u < -0.9)}");
  say(w, "let q = latch({c1%all(c1, v > 0)}, {u < -r%all(u < -r, nor(c1))})");
  say(w, "let p = pulse(u > 0.{7%8%9}, 0.{4%5%6})");
  say(w, "let x = integral(switch(q, v) - switch(p, 3) + {nand(c1, c2)%any(c1, c2)%all(c1, c2, q)%nor(c1, c2)}, 0)");
  say(w, "{when x > 0.3 do stop\n%}output q, p, x, c1, c2");
}

static void controllers(Writer *w) {
  say(w, "param m = $0.5:2$, k = $1:8$, kp = $2:9$, ki = $0:4$\ncoord x = $-0.5:0.5$");
  say(w, "input r = ~w\nlet e = r - x");
  say(w,
      "let u = {pid(e, kp, ki, 0.5, 40)%pid(e, kp, ki, 0.3, 30, -2, 2)%tf(e, [kp, 1], [0.05, 1])%limit(kp*e, -1, 1)}");
  say(w, "let f = tf(u, [1], {[0.05, 1]%[0.01, 0.2, 1]%[0.001, 0.02, 0.2, 1]})");
  say(w, "kinetic 1/2*a*m*x'^2\npotential 1/2*k*x^2{% + m*9.81*0.1*cos(x)}\ndissipation 1/2*$0.1:1$*x'^2");
  say(w, "force x = {u%f%limit(f, -1.5, 1.5)}\noutput x, u, f, e, x'");
}

static void frictions(Writer *w) {
  int n = 1 + choose(w, 3);
  many(w, 1, n, "coord x@ = $-0.2:0.2$");
  many(w, 1, n, "init x@' = $-0.5:0.5$");
  many(w, 1, n, "kinetic 1/2*$0.5:2$*x@'^2\npotential 1/2*$2:9$*x@^2");
  many(w, 1, n,
       "force x@ = {-$0.2:0.8$*sign(x@')%friction(x@', $0.2:0.5$, $0.5:0.9$)%-compare(x@', 0, -0.4, 0.4)%"
       "if(x@' > 0, -0.5, 0.5)%friction(x@' - 0.3, 0.5, 0.7)}");
  many(w, 2, n,
       "{potential 1/2*$5:20$*(x@ - x&)^2%let F@ = friction(x@' - x&', 0.2, 0.3)\nforce x@ = F@\nforce x& = -F@}");
  say(w, "force x1 = $0.5:2$*a*sin($2:6$*t) + {0%step(t - $0.2:0.6$)%if(x1 > 0.1, -0.4, 0)}");
}

static void delays(Writer *w) {
  say(w, "param T = $0.1:0.4$\nstate x = $0.5:1$, y = 0");
  say(w, "x' = {-$1:3$*a*delay(x, T, {1%cos(t)%x0})%a*~f(delay(y, T)) - x%-delay(x, T) + delay(y, 2*T, 0.3)}");
  say(w, "y' = {delay(x, T/2) - y%delay(step(t - 0.11), T) - y%sign(delay(x, T) - 0.5)%x - delay(u, T)}");
  say(w, "param x0 = $0.2:0.9$\ninput u = ~w\noutput x, y, d = delay({x%u%x*y}, $0.05:0.2$)");
}

// ---- events

static void bounces(Writer *w) {
  say(w, "param g = 9.81, e = $0.6:0.9$\ncoord h = $0.2:1$, x\nstate n = 0\ninit x' = $0.5:2$");
  say(w, "kinetic 1/2*(a*h'^2 + x'^2)\npotential g*h{% + 1/2*x^2}");
  say(w, "when h < {0%0.05*sin(3*t)} do h' := {-e*h'%|h'|*e}, n := n + 1");
  say(w, "when {x > $0.2:0.5$%x^2 > 0.1%x - h > 0} do {x' := -x'%x' := -0.5*x', n := n + 10%n := n*2%stop}");
  say(w, "when n > {3%2} do {n := 0%n := 0, h' := h' + 1%stop}");
}

static void samples(Writer *w) {
  say(w, "param Ts = {0.05%0.1%0.03}, kp = $0.5:2$, ki = $0.5:3$\nstate y = $0:0.5$, I = 0, u = 0, k = 0");
  say(w, "input r = ~w\ny' = {u - a*y%~f(u) - a*y%limit(u, -1, 1) - a*y}");
  say(w, "every Ts do I := I + ki*Ts*(r - y), u := kp*(r - y) + I");
  say(w, "every {0.125%2*Ts%0.2} do k := k + {1%u%mod(k + 1, 3)}");
  say(w, "{when y > 0.4 do I := 0.5*I%when k > 3 do k := 0, y := y/2%when u < -1 do stop}");
}

static void noises(Writer *w) {
  say(w, "coord x = $-1:1$\nstate s = 0, p = 0");
  say(w, "input u = ~w, v = {$0.5:2$*noise({1%7%23}, {0.01%0.03%0.1})%table(\"road.csv\", \"slope\", t)%u*noise(3, "
         "0.05)}");
  say(w, "kinetic 1/2*a*x'^2\npotential 1/2*$2:9$*x^2{%*(1 + 0.1*u)}\ndissipation 1/2*0.3*x'^2\nforce x = u + v");
  say(w, "s' = {u*v - s%table(\"road.csv\", \"height\", x) - s%floor(4*x) - s%mod(x, 0.2) - s}");
  say(w, "p' = {min(u, v)%max(s, x)%sign(s - x)%step(x)*s%ramp(u - v)} - p");
}

// ---- functions that search and integrate

static void inverses(Writer *w) {
  say(w, "param ps = $0.5:1$*a, is = $0.5:2$\nfun g(s) = ps*{tanh(s/is)%atan(s/is)%s/(1 + |s|)}\nfun h(s) = {s + "
         "s^3%2*s + sin(s)%sinh(s)}");
  say(w, "coord q\nstate x = $0:0.5$\ninput U = $1:4$*{sin(3*t)%1%exp(-t)}");
  say(w, "kinetic integral_of(g(s), s, 0, q')\ndissipation 1/2*$0.5:2$*q'^2\nforce q = U");
  say(w, "x' = inverse(h)({q%x + U%cos(3*t)}) - x{% + integral_of(exp(-s^2)*x, s, 0, inf)% - integral_of(|s - x|, s, "
         "0, 1)}");
  say(w, "output q', x, y = inverse(h)(x), z = h'(x)");
}

// ---- parts, vectors, matrices

static void parts(Writer *w) {
  int n = 1 + choose(w, 3);
  fprintf(w->file, "param n = %d\n", n);
  say(w, "param c = $1:4$ [N*m]\nuse \"motor.viva\" as drive with u = $6:24$*a [V]");
  say(w, "use \"link.viva\" as link[i] with k = $1:3$*i for i in 1 .. n");
  say(w, "potential 1/2*c*(drive.th - link[1].x)^2\npotential 1/2*(link[i].x - link[i-1].x)^2 for i in 2 .. n");
  say(w, "init drive.th = $-0.1:0.1$\n{force drive.th = -0.01*sign(drive.th')%case push: drive.R = 2%}");
  say(w, "output drive.th', drive.torque, link[i].y for i in 1 .. n");
}

static void matrices(Writer *w) {
  say(w, "param A = [-$1:2$, $-1:1$, $0:1$; $-1:1$, -$1:3$, $0:1$; $-1:1$, $-1:1$, -$2:4$], b = [$0:1$, $-1:1$, a]");
  say(w,
      "state x = $0:1$, y = $-1:1$, z = 0\ninput u = ~w\nlet v = [x, y, z]\nlet d = A*v + {b*u%b*~f(u)%cross(b, v)}");
  say(w, "x' = d[1]\ny' = d.y\nz' = d[3] + {0%0.1*|v|%0.2*dot(v, b)}");
  say(w, "output v, len = |v|, e = dot(v, diag(1, 2, 3)*v), s = sum(v[i]*b[i], i, 1, 3)");
}

typedef struct Kind {
  const char *name;
  void (*write)(Writer *w);
} Kind;

static const Kind kinds[] = {
    {"pendulums", pendulums}, {"chains", chains},
    {"roads", roads},         {"gyros", gyros},
    {"rates", rates},         {"accelerations", accelerations},
    {"branches", branches},   {"creeps", creeps},
    {"sums", sums},           {"canonical", canonical},
    {"nodes", nodes},         {"implicit", implicit},
    {"loops", loops},         {"corners", corners},
    {"gates", gates},         {"controllers", controllers},
    {"frictions", frictions}, {"delays", delays},
    {"bounces", bounces},     {"samples", samples},
    {"noises", noises},       {"inverses", inverses},
    {"parts", parts},         {"matrices", matrices},
};
enum { kind_count = sizeof kinds / sizeof *kinds, most = 1000 };

// ---- files

static FILE *create(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (file) return file;
  perror(path);
  exit(1);
}

static void close_file(FILE *file) {
  if (fclose(file) == 0) return;
  perror("generate");
  exit(1);
}

static void write_text(const char *folder, const char *name, const char *text) {
  FILE *file = create(folder, name);
  fputs(text, file);
  close_file(file);
}

static void write_model(const char *folder, int number) {
  char name[32];
  snprintf(name, sizeof name, "%03d.viva", number);
  const Kind *kind = &kinds[number % kind_count];
  Writer w = {.file = create(folder, name), .chance = (uint64_t)number * 0x9e3779b97f4a7c15u + 20240601};
  for (int i = 0; i < 8; i++) uniform(&w); // neighbouring seeds have forgotten each other
  fprintf(w.file, "title \"%s %d\"\n%s", kind->name, number, prelude);
  say(&w, "param a = $0.8:1.2$");
  kind->write(&w);
  say(&w, "simulate to {0.5%1%1.5%2} step 0.0{1%05}");
  close_file(w.file);
}

int main(int argc, char **argv) {
  int count = argc == 3 ? atoi(argv[2]) : 0;
  if (count < 1 || count > most) {
    fputs("usage: generate FOLDER COUNT\n", stderr);
    return 2;
  }
  write_text(argv[1], "link.viva",
             "param m = 0.5, k = 2, d = 0.1\ncoord x = 0.1\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2 + x^4\n"
             "dissipation 1/2*d*x'^2\noutput y = x + 0.1*x'\n");
  write_text(argv[1], "motor.viva",
             "param R = 1 [ohm], L = 5 [mH], k = 0.05 [N*m/A], J = 2e-2 [kg*m^2]\ncoord th\nstate i\ninput u = 12 [V]\n"
             "i' = (u - R*i - k*th')/L\nkinetic 1/2*J*th'^2\nforce th = k*i\noutput torque = k*i\n");
  write_text(argv[1], "road.csv", "t,height,slope\n0,0,1\n0.2,0.4,0.5\n0.35,-0.3,-2\n0.9,0.8,0\n1.6,0.1,0.7\n");
  for (int i = 0; i < count; i++) write_model(argv[1], i);
  return 0;
}
