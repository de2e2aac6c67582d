// Rows of a Gymnasium environment: one Python environment each, stepped under one hold of Python's
// lock.
//
// Row r is seeded at its first reset by a draw from row r of the stream; later resets go on without
// a seed, as Gymnasium means it. The state lies in Python objects and cannot be saved.
#include <pybind11/embed.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "algorithms/envs/GymDoor.h"
#include "algorithms/envs/gym/Python.h"
#include "algorithms/envs/gym/Spaces.h"
#include "base/NearestName.h"

namespace fdg::rl {
namespace {

namespace py = pybind11;

py::module_ gymnasium(const std::string& who) {
  try {
    return py::module_::import("gymnasium");
  } catch (const py::error_already_set& error) {
    throw UserError(who + " needs the Python package gymnasium, which the Python of " +
                    pythonHome() + " cannot import (" + messageOf(error) + "). Install it with " +
                    pythonHome() +
                    "/bin/pip install gymnasium, or name another virtual environment with "
                    "FDG_PYTHON_HOME=FOLDER");
  }
}

/// Splits "NAME?key=value&key=value" and reads the values as Python literals; other text is a
/// string.
std::pair<std::string, py::dict> splitName(const std::string& name) {
  py::dict options;
  const size_t question = name.find('?');
  if (question == std::string::npos) {
    return {name, options};
  }
  const py::object read_literal = py::module_::import("ast").attr("literal_eval");
  for (const py::handle& pair : py::str(name.substr(question + 1)).attr("split")("&")) {
    const auto parts = py::cast<std::vector<std::string>>(pair.attr("split")("=", 1));
    if (parts.size() != 2 || parts[0].empty()) {
      throw UserError("gym:" + name +
                      ": after the ? come options of the environment, KEY=VALUE, joined by &");
    }
    try {
      options[parts[0].c_str()] = read_literal(parts[1]);
    } catch (const py::error_already_set&) {
      options[parts[0].c_str()] = py::str(parts[1]);
    }
  }
  return {name.substr(0, question), options};
}

/// One Python environment. Unknown names are refused with the nearest registered one.
py::object makeOne(const std::string& name) {
  const py::module_ gym = gymnasium("gym:" + name);
  const auto [id, options] = splitName(name);
  try {
    return gym.attr("make")(id, py::arg("disable_env_checker") = true, **options);
  } catch (const py::error_already_set& error) {
    const py::object errors = gym.attr("error");
    if (!error.matches(errors.attr("UnregisteredEnv")) &&
        !error.matches(errors.attr("DeprecatedEnv"))) {
      throw;
    }
    std::vector<std::string> known;
    for (const py::handle& entry : gym.attr("registry")) {
      known.push_back(py::cast<std::string>(entry));
    }
    std::ranges::sort(known, std::greater<>());  // of names equally near, the newest version
    throw UserError("gym:" + id + ": gymnasium has no such environment" + didYouMean(id, known) +
                    " (" + messageOf(error) + ")");
  }
}

class GymRows final : public EnvRows {
 public:
  GymRows(const std::string& name, const EnvSpec& spec, int64_t rows)
      : name_(spec.name), dimensions_(spec.actions), seeded_(static_cast<size_t>(rows)) {
    inPython([&] { return name_; },
             [&] {
               for (int64_t i = 0; i < rows; ++i) {
                 environments_.push_back(makeOne(name));
               }
               if (rows > 0) {
                 space_ = readActions(environments_.front());
               }
             });
  }

  ~GymRows() override {
    const py::gil_scoped_acquire lock;
    for (const py::object& environment : environments_) {
      try {
        environment.attr("close")();
      } catch (const py::error_already_set&) {
        // Nobody can do anything about it, and the rows are gone either way.
      }
    }
    environments_.clear();
    space_ = {};
  }

  void reset(int64_t row, Draw& draw, std::span<float> observation) override {
    const auto index = static_cast<size_t>(row);
    inPython([&] { return name_; },
             [&] {
               const py::object begin = environments_[index].attr("reset");
               const py::object seen =
                   seeded_[index] ? begin() : begin(py::arg("seed") = draw.below(int64_t{1} << 31));
               seeded_[index] = true;
               copyObservation(name_, py::tuple(seen)[0], observation);
             });
  }

  void step(const Actions& actions, Stream& /*stream*/, int64_t first_row,
            std::span<StepResult> results, std::span<float> observations) override {
    const size_t size = results.empty() ? 0 : observations.size() / results.size();
    size_t i = 0;
    const auto who = [&] {
      return name_ + ", row " + std::to_string(first_row + static_cast<int64_t>(i));
    };
    inPython(who, [&] {
      for (; i < results.size(); ++i) {
        const py::object action = toPython(space_, actions, static_cast<int64_t>(i), dimensions_);
        results[i] = stepOne(i, action, observations.subspan(i * size, size));
      }
    });
  }

  void archive(Archive& /*a*/) override { refuse(); }

 private:
  StepResult stepOne(size_t i, const py::object& action, std::span<float> observation) {
    const auto given = py::tuple(environments_[i].attr("step")(action));
    if (given.size() != 5) {
      throw UserError(name_ + ": its step gave " + std::to_string(given.size()) +
                      " values instead of observation, reward, terminated, truncated, info");
    }
    copyObservation(name_, given[0], observation);
    return {.reward = py::cast<double>(py::float_(given[1])),
            .terminated = py::cast<bool>(py::bool_(given[2])),
            .truncated = py::cast<bool>(py::bool_(given[3]))};
  }

  [[noreturn]] void refuse() const {
    throw UserError(
        name_ +
        " cannot be saved: its state is inside Python; run without --checkpoint");
  }

  std::string name_;
  int64_t dimensions_;
  std::vector<bool> seeded_;
  std::vector<py::object> environments_;
  ActionSpace space_;
};

}  // namespace

extern "C" void fdgMakeGymKind(const std::string& name, EnvKind& kind) {
  const std::string full_name = "gym:" + name;
  const EnvSpec spec = inPython([&] { return full_name; },
                                [&] {
                                  const py::object environment = makeOne(name);
                                  const EnvSpec read = readSpec(full_name, environment);
                                  environment.attr("close")();
                                  return read;
                                });
  kind.spec = spec;
  kind.make = [name, spec](int64_t rows) { return std::make_unique<GymRows>(name, spec, rows); };
}

}  // namespace fdg::rl
