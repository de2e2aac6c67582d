// Components whose methods use one global, static member or static local are not apart.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

int64_t total = 0;

int64_t next() {
  static int64_t last = 0;
  return ++last;  // expected-error {{'last' outlives the training function and is used by the fragments 'maker' and 'user'}}
}

class FDG_ROLE("maker") Maker {
 public:
  torch::Tensor make() {
    total += 1;
    next();
    ++made;
    return {};
  }
  static int64_t made;
};

class FDG_ROLE("user") User {
 public:
  void use(const torch::Tensor&) { add(2); }
  int64_t seen() const { return Maker::made; }  // expected-error {{'made' outlives the training function}}

 private:
  void add(int64_t n) {
    total += n;  // expected-error {{'total' outlives the training function and is used by the fragments 'maker' and 'user', which may be different processes; pass the value through a local variable and annotate it}}
    next();
  }
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  User user;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto made = maker.make();
    fdg::partition(fdg::gather, made);
    user.use(made);
    run.log("seen", user.seen());
  }
}
FDG_PROGRAM(train)
