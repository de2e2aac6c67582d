// A component that keeps a reference, a pointer or a shared_ptr to another, or shares one with it, is not apart from it.

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("store") Store {
 public:
  void add(const torch::Tensor& t);
  int64_t size() const;
};
class FDG_ROLE("reader") Reader {
 public:
  explicit Reader(const Store& store) : store_(store) {}
  void look(const torch::Tensor& t);

 private:
  const Store& store_;
};
struct Counter {
  int64_t n = 0;
  void add() { ++n; }
};
class FDG_ROLE("left") Left {
 public:
  explicit Left(std::shared_ptr<Counter> counter);
  void look(const torch::Tensor& t);
};
class FDG_ROLE("right") Right {
 public:
  explicit Right(std::shared_ptr<Counter> counter);
  void look(const torch::Tensor& t);
};
class FDG_ROLE("watcher") Watcher {
 public:
  void attach(Store* store);
  void look(const torch::Tensor& t);
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  Store store;
  Reader reader(store);
  Watcher watcher;
  watcher.attach(&store);
  auto counter = std::make_shared<Counter>();
  Left left(counter);
  Right right(counter);
  auto obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  store.add(obs);
  reader.look(obs);
  watcher.look(obs);
  left.look(obs);
  right.look(obs);
}
FDG_PROGRAM(train)

// CHECK: remark: the roles 'store' and 'reader' are one fragment
// CHECK: fragment environment: components envs;
// CHECK: fragment store+reader+watcher: components store, reader, watcher;
// CHECK: fragment left+right: components counter, left, right;
