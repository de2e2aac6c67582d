// Marks of classes where there is none.
struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

FDG_ROLE("file");  // expected-error {{FDG_ROLE marks nothing here; it stands between `class` or `struct` and the name}}
namespace inner {
FDG_SINGLE("space");  // expected-error {{FDG_SINGLE marks nothing here}}
}
class Part {
  FDG_ROLE("part");  // expected-error {{FDG_ROLE marks nothing here}} expected-warning {{does not declare anything}}
  FDG_ROLE("field") int64_t count_ = 0;  // expected-error {{FDG_ROLE marks nothing here}}

 public:
  FDG_APPROXIMATE("method") int64_t next();  // expected-error {{FDG_APPROXIMATE marks nothing here}}
};
FDG_ROLE("variable") int64_t total();  // expected-error {{FDG_ROLE marks nothing here}}
using Other FDG_ROLE("alias") = Part;  // expected-error {{FDG_ROLE marks nothing here}}
enum class FDG_ROLE("enum") Kind { first FDG_ROLE("enumerator") };  // expected-error 2{{FDG_ROLE marks nothing here}}
#define OF_ROLE(x) FDG_ROLE(#x)
OF_ROLE(macro) double behindMacro(FDG_SINGLE("parameter") double x);  // expected-error {{FDG_ROLE marks nothing here}} expected-error {{FDG_SINGLE marks nothing here}}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  FDG_ROLE("local") int64_t count = 1;  // expected-error {{FDG_ROLE marks nothing here}}
  run.log("x", static_cast<double>(count));
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
