// Files of components whose names nobody sees: they may be the same.
#include <fstream>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class Writer {
 public:
  void write(double loss) { std::ofstream("loss.txt") << loss; }
};
class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}
  double read() {
    std::ifstream file(name_);  // expected-remark {{fragment 'reader' reads files here and fragment 'writer' writes some}}
    double loss = 0;
    file >> loss;
    return loss;
  }

 private:
  std::string name_;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  Writer writer;
  Reader reader("limits.txt");
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto action = actor.act(torch::zeros({4}));
    fdg::partition(fdg::gather, action);
    writer.write(action.item<double>());  // expected-remark {{'writer' changes by 'action'}}
    run.log("loss", reader.read());
  }
}
FDG_PROGRAM(train)
