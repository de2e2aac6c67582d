#include "algorithms/envs/gym/Atari.h"

#include <pybind11/numpy.h>

#include <algorithm>

#include "algorithms/envs/gym/AreaResize.h"
#include "algorithms/envs/gym/Named.h"
#include "algorithms/envs/gym/Python.h"
#include "algorithms/envs/gym/Spaces.h"

namespace fdg::rl {
namespace {

namespace py = pybind11;

using Pixels = std::vector<uint8_t>;

struct AtariOptions {
  int64_t noops = 30, skip = 4, stack = 4, size = 84;
  bool life_loss = false;
  py::dict others;  // of the environment
};

/// Takes the wrappers' options out of a name's.
class OptionReader {
 public:
  OptionReader(const std::string& name, const py::dict& options) : name_(name), options_(options) {}

  void number(const char* key, int64_t& value, int64_t least, int64_t most) {
    if (!options_.contains(key)) {
      return;
    }
    const py::object given = options_.attr("pop")(key);
    const bool whole = py::isinstance<py::int_>(given) && !py::isinstance<py::bool_>(given);
    // Python's integers have any size.
    if (!whole || given < py::int_(least) || given > py::int_(most)) {
      refuse(key, given,
             "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    value = py::cast<int64_t>(given);
  }
  void flag(const char* key, bool& value) {
    if (!options_.contains(key)) {
      return;
    }
    const py::object given = options_.attr("pop")(key);
    if (!py::isinstance<py::bool_>(given)) {
      refuse(key, given, "True or False");
    }
    value = py::cast<bool>(given);
  }
  /// An option of the game that would change nothing behind the wrappers.
  void none(const char* key, const std::string& instead) {
    if (options_.contains(key)) {
      throw UserError("gym:" + name_ + ": the option " + key + " is not for here: " + instead);
    }
  }

 private:
  [[noreturn]] void refuse(const char* key, const py::object& given,
                           const std::string& allowed) const {
    throw UserError("gym:" + name_ + ": the option " + key + " is " + std::string(py::str(given)) +
                    "; it must be " + allowed);
  }

  std::string name_;
  py::dict options_;
};

AtariOptions readOptions(const std::string& name, const py::dict& options) {
  AtariOptions read;
  OptionReader reader(name, options);
  reader.number("noops", read.noops, 0, 1'000);
  reader.number("skip", read.skip, 1, 1'000);
  reader.number("stack", read.stack, 1, 64);
  reader.number("size", read.size, 1, 1'024);
  reader.flag("life_loss", read.life_loss);
  reader.none("frameskip", "skip=4 says how many frames an action lasts");
  reader.none("obs_type", "observations are grey frames; gym:ale_py:ALE/… has the game as it is");
  read.others = options;
  return read;
}

void importAle(const std::string& name) {
  try {
    const py::module_ ale = py::module_::import("ale_py");
    // Else each game says hello.
    ale.attr("ALEInterface").attr("setLoggerMode")(ale.attr("LoggerMode").attr("Error"));
  } catch (const py::error_already_set& error) {
    throw UserError("gym:" + name + " needs the Python package ale-py, which the Python of " +
                    pythonHome() + " cannot import (" + messageOf(error) + "). Install it with " +
                    pythonHome() + "/bin/python -m pip install ale-py");
  }
}

/// Single frames, grey.
py::object makeGame(const std::string& name, const std::string& id, const py::dict& options) {
  importAle(name);
  const py::dict own = options.attr("copy")();
  own["frameskip"] = 1;
  own["obs_type"] = "grayscale";
  return makeWith(id, own);
}

/// The game of one row, and its stack of frames, the newest last.
class Game {
 public:
  Game(const py::object& made, const AtariOptions& options)
      : options_(options),
        made_(made),
        environment_(made.attr("unwrapped")),
        resize_(screen().at(0), screen().at(1), options.size, options.size),
        stack_(static_cast<size_t>(options.stack * options.size * options.size)) {}

  const Pixels& stack() const { return stack_; }
  void close() { made_.attr("close")(); }

  void reset(Draw& draw) {
    const py::object seed =
        seeded_ ? py::object(py::none()) : py::int_(draw.below(int64_t{1} << 31));
    seeded_ = true;
    begin(seed);
    const int64_t noops =
        options_.noops == 0
            ? 0
            : py::cast<int64_t>(
                  environment_.attr("np_random").attr("integers")(1, options_.noops + 1));
    for (int64_t i = 0; i < noops; ++i) {
      const StepResult result = frame(py::int_(0));
      if (result.terminated || result.truncated) {
        begin(seed);
      }
    }
    const size_t size = frameSize();
    resize_(last_, std::span(stack_).last(size));
    for (size_t at = 0; at + size < stack_.size(); at += size) {
      std::ranges::copy(std::span(stack_).last(size), stack_.begin() + static_cast<long>(at));
    }
  }

  StepResult step(int64_t action) {
    const py::int_ chosen(action);
    const int64_t lives = lives_;
    StepResult sum;
    for (int64_t i = 0; i < options_.skip && !sum.terminated && !sum.truncated; ++i) {
      const StepResult result = frame(chosen);
      sum = {.reward = sum.reward + result.reward,
             .terminated = result.terminated || (options_.life_loss && lives_ < lives),
             .truncated = result.truncated};
    }
    if (options_.skip > 1) {
      std::ranges::transform(last_, before_, before_.begin(),
                             [](uint8_t a, uint8_t b) { return std::max(a, b); });
    }
    std::shift_left(stack_.begin(), stack_.end(), static_cast<long>(frameSize()));
    resize_(options_.skip > 1 ? before_ : last_, std::span(stack_).last(frameSize()));
    return sum;
  }

 private:
  std::vector<int64_t> screen() const {
    const py::tuple shape = environment_.attr("observation_space").attr("shape");
    return {py::cast<int64_t>(shape[0]), py::cast<int64_t>(shape[1])};
  }
  size_t frameSize() const { return static_cast<size_t>(options_.size * options_.size); }

  void begin(const py::object& seed) {
    see(py::tuple(environment_.attr("reset")(py::arg("seed") = seed)));
    before_ = last_;
  }
  StepResult frame(const py::int_& action) {
    std::swap(before_, last_);
    const py::tuple given = environment_.attr("step")(action);
    see(given);
    return {.reward = py::cast<double>(given[1]),
            .terminated = py::cast<bool>(given[2]),
            .truncated = py::cast<bool>(given[3])};
  }
  /// The first and the last of what reset and step give.
  void see(const py::tuple& given) {
    const auto pixels = py::array_t<uint8_t, py::array::c_style>(given[0]);
    last_.assign(pixels.data(), pixels.data() + pixels.size());
    lives_ = py::cast<int64_t>(given[given.size() - 1]["lives"]);
  }

  AtariOptions options_;
  py::object made_, environment_;
  AreaResize resize_;
  Pixels stack_;
  Pixels before_, last_;  // two frames of the screen
  int64_t lives_ = 0;
  bool seeded_ = false;
};

class AtariRows final : public EnvRows {
 public:
  AtariRows(const std::string& name, const EnvSpec& spec, int64_t rows) : name_(spec.name) {
    inPython([&] { return name_; },
             [&] {
               for (int64_t i = 0; i < rows; ++i) {
                 const auto [id, given] = splitName(name);
                 const AtariOptions options = readOptions(name, given);
                 games_.emplace_back(makeGame(name, id, options.others), options);
               }
             });
  }

  ~AtariRows() override {
    const py::gil_scoped_acquire lock;
    for (Game& game : games_) {
      try {
        game.close();
      } catch (const py::error_already_set&) {
        // Nobody can do anything about it, and the rows are gone either way.
      }
    }
    games_.clear();
  }

  void reset(int64_t row, Draw& draw, std::span<std::byte> observation) override {
    Game& game = games_[static_cast<size_t>(row)];
    inPython([&] { return name_; }, [&] { game.reset(draw); });
    std::ranges::copy(std::as_bytes(std::span(game.stack())), observation.begin());
  }

  void step(const Actions& actions, Stream& /*stream*/, int64_t first_row,
            std::span<StepResult> results, std::span<std::byte> observations) override {
    size_t i = 0;
    const auto who = [&] {
      return name_ + ", row " + std::to_string(first_row + static_cast<int64_t>(i));
    };
    inPython(who, [&] {
      for (; i < results.size(); ++i) {
        results[i] = games_[i].step(actions.discrete[i]);
        const auto stack = std::as_bytes(std::span(games_[i].stack()));
        std::ranges::copy(stack, observations.begin() + static_cast<long>(i * stack.size()));
      }
    });
  }

  void archive(Archive& /*a*/) override { refuseSavingPython(name_); }

 private:
  std::string name_;
  std::vector<Game> games_;
};

EnvSpec atariSpec(const std::string& name) {
  const std::string full_name = "gym:" + name;
  return inPython([&] { return full_name; },
                  [&] {
                    const auto [id, given] = splitName(name);
                    const AtariOptions options = readOptions(name, given);
                    const py::object game = makeGame(name, id, options.others);
                    EnvSpec spec = readSpec(full_name, game);
                    game.attr("close")();
                    if (!spec.discrete) {
                      throw UserError(full_name + ": Atari games are played by discrete actions");
                    }
                    spec.observation_shape = {options.stack, options.size, options.size};
                    spec.observation_type = torch::kByte;
                    return spec;
                  });
}

}  // namespace

bool isAtari(const std::string& name) { return name.starts_with("ALE/"); }

EnvKind atariKind(const std::string& name) {
  const EnvSpec spec = atariSpec(name);
  return {spec,
          [name, spec](int64_t rows) { return std::make_unique<AtariRows>(name, spec, rows); }};
}

}  // namespace fdg::rl
