// expected-no-diagnostics
// Accepted: shapes of statements, declarations and control that a training function may have.
#include <cassert>
#include <set>
#include <variant>

namespace study {
namespace deep {
inline namespace v1 {
enum class Mode { fast, slow };
}
template <class T>
struct Box {
  T value{};
};
template <class F>
auto twice(F f) {
  return f() + f();
}
}  // namespace deep
using deep::Mode;

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  Mode mode = Mode::fast;
  std::vector<double> rates = {0.1, 0.2};
};

static int64_t depth(int64_t n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
static int64_t pick(int64_t a, int64_t b = 3) { return a < b ? a : b; }

auto train(fdg::Run& run, const Config& cfg) -> void {
  namespace d = study::deep;
  typedef int64_t Count;
  using enum d::Mode;
  static_assert(sizeof(Count) == 8);
  static constexpr Count kLimits[] = {1, 2, 3};
  constexpr auto kName = R"(a "name" with { braces })";
  struct Local {
    Count n = 0;
    Count doubled() const { return n * 2; }
    enum { big = 9 };
  };
  if (cfg.envs <= 0) return;
  if (cfg.rates.empty()) {
    run.log("none", 0);
    return;
  }
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Local local{.n = pick(4)};
  const auto half = [](auto x) { return x / 2; };
  Count array[3] = {1, 2, 3};
  ;
  {}
  for (Count i = 0, j = cfg.steps; i < j; ++i, --j) {
    fdg::partition(fdg::gather, obs);
    [[maybe_unused]] const Count unused = i;
    const Count level = [&] {
      if (i % 2 == 0) return depth(i);
      return Count{1};
    }();
    auto action = actor.act(obs, level + half(local.doubled()) + Local::big + array[i % 3]);
    assert(action.size(0) >= 0);
    if (const auto it = cfg.rates.begin(); it != cfg.rates.end() && *it > 0) [[likely]] {
      run.log(kName, *it);
    } else if (i > 3)
      run.log("else", d::twice([&] { return i; }));
    else
      ;
    switch (const auto mode = cfg.mode; mode) {
      case fast:
      case slow: {
        run.log("mode", static_cast<int>(mode));
        [[fallthrough]];
      }
      default:
        local.n += kLimits[0];
    }
    for (const std::set<Count> wanted = {1, 2}; const Count w : wanted) {
      if (w == i) break;
      local.n ^= w;
    }
    for (Count tries = 0;; ++tries) {
      if (tries > 2) {
        break;
      }
      if (tries == 1) continue;
    }
    Count left = 3;
    do --left;
    while (left > 0);
    std::variant<int, double> either = 2;
    d::Box<std::optional<Count>> box{.value = i};
    (void)either, (void)box;
    fdg::partition(fdg::scatter, action);
    auto outcome = envs.step(action);
    auto&& [observation, reward, done] = outcome;
    obs = reward.size(0) > 0 ? observation : done;
  }
  run.log("local", local.n);
}
}  // namespace study
FDG_PROGRAM(study::train)
