// Rows of a Gymnasium environment: one Python environment each, stepped under one hold of Python's
// lock.
//
// Row r is seeded at its first reset by a draw from row r of the stream; later resets go on without
// a seed, as Gymnasium means it. The state lies in Python objects and cannot be saved.
#include <pybind11/embed.h>

#include "algorithms/envs/GymDoor.h"
#include "algorithms/envs/gym/Atari.h"
#include "algorithms/envs/gym/Named.h"
#include "algorithms/envs/gym/Python.h"
#include "algorithms/envs/gym/Spaces.h"

namespace fdg::rl {
namespace {

namespace py = pybind11;

class GymRows final : public EnvRows {
 public:
  GymRows(const std::string& name, const EnvSpec& spec, int64_t rows)
      : name_(spec.name),
        dimensions_(spec.actions),
        images_(spec.isImage()),
        seeded_(static_cast<size_t>(rows)) {
    inPython([&] { return name_; },
             [&] {
               for (int64_t i = 0; i < rows; ++i) {
                 environments_.push_back(makeNamed(name));
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

  void reset(int64_t row, Draw& draw, std::span<std::byte> observation) override {
    const auto index = static_cast<size_t>(row);
    inPython([&] { return name_; },
             [&] {
               const py::object begin = environments_[index].attr("reset");
               const py::object seen =
                   seeded_[index] ? begin() : begin(py::arg("seed") = draw.below(int64_t{1} << 31));
               seeded_[index] = true;
               copy(py::tuple(seen)[0], observation);
             });
  }

  void step(const Actions& actions, Stream& /*stream*/, int64_t first_row,
            std::span<StepResult> results, std::span<std::byte> observations) override {
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

  void archive(Archive& /*a*/) override { refuseSavingPython(name_); }

 private:
  StepResult stepOne(size_t i, const py::object& action, std::span<std::byte> observation) {
    const auto given = py::tuple(environments_[i].attr("step")(action));
    if (given.size() != 5) {
      throw UserError(name_ + ": its step gave " + std::to_string(given.size()) +
                      " values instead of observation, reward, terminated, truncated, info");
    }
    copy(given[0], observation);
    return {.reward = py::cast<double>(py::float_(given[1])),
            .terminated = py::cast<bool>(py::bool_(given[2])),
            .truncated = py::cast<bool>(py::bool_(given[3]))};
  }

  void copy(const py::handle& given, std::span<std::byte> observation) const {
    if (images_) {
      copyObservation(name_, given, numbersOf<uint8_t>(observation));
    } else {
      copyObservation(name_, given, numbersOf<float>(observation));
    }
  }

  std::string name_;
  int64_t dimensions_;
  bool images_;
  std::vector<bool> seeded_;
  std::vector<py::object> environments_;
  ActionSpace space_;
};

}  // namespace

extern "C" void fdgMakeGymKind(const std::string& name, EnvKind& kind) {
  if (isAtari(name)) {
    kind = atariKind(name);
    return;
  }
  const std::string full_name = "gym:" + name;
  const EnvSpec spec = inPython([&] { return full_name; },
                                [&] {
                                  const py::object environment = makeNamed(name);
                                  const EnvSpec read = readSpec(full_name, environment);
                                  environment.attr("close")();
                                  return read;
                                });
  kind.spec = spec;
  kind.make = [name, spec](int64_t rows) { return std::make_unique<GymRows>(name, spec, rows); };
}

}  // namespace fdg::rl
