// Which drain blocks the producer's thread may run: each clause of language.md, "Facts", as a pair.

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("maker") Maker {
 public:
  rl::Experience make();
};

class FDG_ROLE("safe") Safe {
 public:
  static constexpr bool thread_safe = true;
  void add(const rl::Experience& e, int64_t n = 0);
  bool ready();
};
class FDG_ROLE("plain") Plain {
 public:
  void add(const rl::Experience& e);
};
class FDG_ROLE("denied") Denied {
 public:
  static constexpr bool thread_safe = false;
  void add(const rl::Experience& e);
};
class FDG_ROLE("derived") Derived : public Safe {
 public:
  void tick();
};
template <class T>
class FDG_ROLE("made") Made {
 public:
  static constexpr bool thread_safe = true;
  void add(const T& e);
};
/// Its own thread may count on while another one reads.
class FDG_ROLE("watcher") Watcher {
 public:
  static constexpr bool thread_safe = true;
  explicit Watcher(const int64_t& count) : count_(count) {}
  void add(const rl::Experience& e);

 private:
  const int64_t& count_;
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Safe safe;
  Plain plain;
  Denied denied;
  Derived derived;
  Made<rl::Experience> made;
  int64_t count = 0;
  Watcher watcher(count);
  int64_t sum = 0;
  const int64_t twice = cfg.steps * 2;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    {  // The message, a free value, what is made of both, loops and conditions of its own.
      auto yes = maker.make();
      fdg::partition(fdg::append.loose(), yes);
      auto rows = yes.reward.size(0);
      for (int64_t i = 0; i < rows; ++i) {
        if (safe.ready()) {
          safe.add(yes, i + twice);
        }
      }
      int64_t n = 0;
      n += rows;
      safe.add(yes, n);
    }
    {
      auto unsaid = maker.make();
      fdg::partition(fdg::append.loose(), unsaid);
      plain.add(unsaid);
    }
    {
      auto no = maker.make();
      fdg::partition(fdg::append.loose(), no);
      denied.add(no);
    }
    {
      auto inherited = maker.make();
      fdg::partition(fdg::append.loose(), inherited);
      derived.add(inherited);
    }
    {
      auto instance = maker.make();
      fdg::partition(fdg::append.loose(), instance);
      made.add(instance);
    }
    {
      auto watched = maker.make();
      fdg::partition(fdg::append.loose(), watched);
      watcher.add(watched);
    }
    {
      auto logged = maker.make();
      fdg::partition(fdg::append.loose(), logged);
      run.log("rows", logged.reward.size(0));
      safe.add(logged);
    }
    {
      auto shared = maker.make();
      fdg::partition(fdg::append.loose(), shared);
      safe.add(shared, run.rows(8).size());
    }
    {
      auto defines = maker.make();
      fdg::partition(fdg::append.loose(), defines);
      sum = defines.reward.size(0);
      safe.add(defines, sum);
    }
    {
      auto undrained = maker.make();
      fdg::partition(fdg::append.loose(), undrained);
      safe.add(undrained, step);
    }
  }
}
FDG_PROGRAM(train)

// CHECK: boundary yes:
// CHECK: callable: yes{{$}}
// CHECK: boundary unsaid:
// CHECK: callable: no, `plain.add(unsaid)` at line 76 uses `plain`, whose class does not say that several threads may use it at a time (static constexpr bool thread_safe = true)
// CHECK: boundary no:
// CHECK: callable: no, `denied.add(no)` at line 81 uses `denied`, whose class does not say
// CHECK: boundary inherited:
// CHECK: callable: no, `derived.add(inherited)` at line 86 uses `derived`, whose class does not say
// CHECK: boundary instance:
// CHECK: callable: yes{{$}}
// CHECK: boundary watched:
// CHECK: callable: no, `watcher.add(watched)` at line 96 uses `watcher`, which refers to a variable of the training function
// CHECK: boundary logged:
// CHECK: callable: no, `run.log("rows", logged.reward.size(0))` at line 101 uses the run, and each fragment's thread has its own
// CHECK: boundary shared:
// CHECK: callable: no, `safe.add(shared, run.rows(8).size())` at line 107 uses the run
// CHECK: boundary defines:
// CHECK: callable: no, `sum = defines.reward.size(0)` at line 112 also defines `sum`, which is declared elsewhere
// CHECK: boundary undrained:
// CHECK: drainable: no
// CHECK-NOT: callable
