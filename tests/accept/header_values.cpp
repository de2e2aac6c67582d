// Headers that make what another component uses, and headers in which components meet, in a program without
// annotations: ifs, switches and loops of every kind, with and without braces.
#include "parts.h"

struct Config {
  int64_t steps = 12;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  parts::Actor actor;
  parts::Source source;
  parts::Sink sink;
  int64_t step = 0;
  for (torch::Tensor obs = env.reset(); step < cfg.steps; ++step) {
    obs = env.step(actor.act(obs)).observation;
    if (const int64_t n = source.next(); n % 3 == 0) {
      sink.take(n);
    } else if (int64_t m = source.next() % 4) {
      sink.take(m);
    }
    else if (auto k = source.next(); true)
      sink.take(k);
    for (int64_t i = 0, n = source.next() % 4; i < n; ++i) {
      sink.take(i);
    }
    while (int64_t left = source.next() % 5) {
      if (left == 2) {
        continue;
      }
      sink.take(left);
    }
    int64_t rounds = 0;
    for (int64_t v = 3; v > 1; ++rounds, v = source.next() % 7) {
      sink.take(v);
    }
    for (; int64_t v = source.next() % 3; ++rounds)
      sink.take(v);
    switch (const auto kind = source.next() % 3; kind) {
      case 0:
        sink.take(1);
        break;
      case 1: {
        if (auto again = source.next(); again > 50) sink.take(kind + again);
        break;
      }
      default:
        sink.take(rounds);
    }
    switch (auto kind = source.next() % 2) {
      case 1:
        sink.take(kind);
    }
    do {
      sink.take(7);
    } while (sink.sum() % 3 < source.next() % 3);
    while (sink.sum() % 5 <
           source.next() % 5)
      sink.take(2);
    do
      sink.take(source.next());
    while (sink.sum() % 4 < source.next() % 4);
    for (auto first = source.next() % 3; const auto x : std::vector<int64_t>{first, first + 1}) {
      sink.take(x);
    }
    if (auto last = source.next(); sink.sum() % 7 > last % 7) {
      sink.take(last);
    }
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment actor: components actor;
// CHECK-DAG: fragment source: components source;
// CHECK-DAG: fragment sink: components sink;
// CHECK-DAG: boundary obs: gather environment -> actor
