// Which fragments run at one rate: ordered boundaries and choices join, a choice that leads to nothing but a
// drained boundary does not, one that leads to more does.

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("maker") Maker {
 public:
  rl::Experience make();
  bool more();
};
class FDG_ROLE("free") Free {
 public:
  void add(const rl::Experience& e);
};
class FDG_ROLE("bound") Bound {
 public:
  void add(const rl::Experience& e);
  bool ready();
};
class FDG_ROLE("outer") Outer {
 public:
  void add(const rl::Experience& e);
};
class FDG_ROLE("slow") Slow {
 public:
  rl::Experience make();
  bool more();
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Slow slow;
  Free free;
  Bound bound;
  Outer outer;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    if (maker.more()) {
      auto a = maker.make();
      fdg::partition(fdg::append.loose(), a);
      for (int64_t i = 0; i < 3; ++i) {
        if (i == 1) {
          continue;
        }
        free.add(a);
      }
    }
    if (maker.more()) {
      auto b = maker.make();
      fdg::partition(fdg::append.loose(), b);
      bound.add(b);
      while (bound.ready()) {
      }
    }
  }
  while (slow.more()) {
    auto c = slow.make();
    fdg::partition(fdg::append.loose(), c);
    outer.add(c);
  }
}
FDG_PROGRAM(train)

// CHECK: choice choice: maker -> free; line
// CHECK-NEXT: only when a is not drained
// CHECK: boundary a: append.loose maker -> free
// CHECK: drainable: yes
// CHECK: choice choice2: maker -> bound; line
// CHECK-NEXT: boundary b: append.loose maker -> bound
// CHECK: drainable: yes
// CHECK: choice choice3: slow -> outer; line
// CHECK-NEXT: boundary c: append.loose slow -> outer
// CHECK: drainable: yes
// CHECK: rate class: maker, bound; apart from the others if loosened: a
// CHECK: rate class: slow, outer{{$}}
// CHECK: rate class: free; apart from the others if loosened: a
