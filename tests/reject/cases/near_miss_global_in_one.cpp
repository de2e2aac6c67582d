// Globals that the methods of one component use, constants, and what the standard library keeps.

struct Config {
  int64_t steps = 10;
};

int64_t made = 0;
const int64_t kLimit = 3;
static constexpr double kScale = 2;

class FDG_ROLE("maker") Maker {
 public:
  torch::Tensor make() {
    static int64_t calls = 0;
    made += kLimit + ++calls;
    return torch::zeros({made});
  }
  int64_t count() const { return made; }
};

class FDG_ROLE("user") User {
 public:
  void use(const torch::Tensor& t) { last_ = t * kScale * kLimit; }

 private:
  torch::Tensor last_;
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  User user;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto value = maker.make();
    fdg::partition(fdg::gather, value);
    user.use(value);
    run.log("count", maker.count());
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
