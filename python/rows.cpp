// PrioritizedRows for Python: arrays are read where they lie and filled where they lie; the
// interpreter's lock is let go meanwhile. fdg_replay/__init__.py gives the fields their names.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "algorithms/parts/PrioritizedRows.h"
#include "base/Check.h"
#include "python/StateBytes.h"

namespace nb = nanobind;
using namespace fdg;

namespace {

using Field = nb::ndarray<nb::c_contig, nb::device::cpu>;
using ConstField = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Bytes = nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>;
using ConstBytes = Vector<const uint8_t>;

template <class T>
std::span<T> spanOf(const Vector<T>& array) {
  return {array.data(), array.size()};
}

class Replay {
 public:
  Replay(const std::vector<size_t>& bytes, const std::vector<int64_t>& frames,
       const rl::ReplayOptions& options, uint64_t seed)
      : rows_(fieldsOf(bytes, frames), options, Stream(seed, "replay")) {}

  void add(const std::vector<ConstField>& fields, int64_t count,
           const Vector<const double>& errors) {
    std::vector<const std::byte*> from;
    for (const ConstField& field : fields) {
      from.push_back(static_cast<const std::byte*>(field.data()));
    }
    const nb::gil_scoped_release free;
    rows_.add(from, count, spanOf(errors));
  }

  void sample(const std::vector<Field>& fields, const Vector<float>& weights,
              const Vector<int64_t>& slots, const Vector<int64_t>& generations) {
    std::vector<std::byte*> to;
    for (const Field& field : fields) {
      to.push_back(static_cast<std::byte*>(field.data()));
    }
    const nb::gil_scoped_release free;
    const auto count = static_cast<int64_t>(slots.size());
    const rl::Draws draws = rows_.sample({0, count, count}, to);
    std::ranges::copy(draws.weights, weights.data());
    std::ranges::copy(draws.slots, slots.data());
    std::ranges::copy(draws.generations, generations.data());
  }

  void update(const Vector<const int64_t>& slots, const Vector<const int64_t>& generations,
              const Vector<const double>& errors) {
    const nb::gil_scoped_release free;
    rows_.update(spanOf(slots), spanOf(generations), spanOf(errors));
  }

  /// Trees, slots and generator; rows; frames.
  std::vector<Bytes> state() {
    const nb::gil_scoped_release free;
    std::vector<std::byte> rest;
    StateBytes saver(rest);
    rows_.archive(saver);
    std::vector<Bytes> parts;
    for (const std::span<const std::byte> part :
         {std::span<const std::byte>(rest), std::span<const std::byte>(rows_.rowBytes().bytes),
          std::span<const std::byte>(rows_.frameBytes().bytes)}) {
      parts.push_back(copyOf(part));
    }
    return parts;
  }

  void restore(const std::vector<ConstBytes>& parts) {
    const nb::gil_scoped_release free;
    StateBytes restorer(std::as_bytes(spanOf(parts[0])));
    rows_.archive(restorer);
    restorer.finish();
    fill(rows_.rowBytes().bytes, spanOf(parts[1]));
    fill(rows_.frameBytes().bytes, spanOf(parts[2]));
  }

  rl::PrioritizedRows& rows() { return rows_; }

 private:
  /// An array that owns its memory.
  static Bytes copyOf(std::span<const std::byte> bytes) {
    auto* mine = new uint8_t[bytes.size()];
    std::memcpy(mine, bytes.data(), bytes.size());
    const nb::gil_scoped_acquire python;
    return Bytes(mine, {bytes.size()},
                 nb::capsule(mine, [](void* p) noexcept { delete[] static_cast<uint8_t*>(p); }));
  }

  static void fill(std::span<std::byte> to, std::span<const uint8_t> from) {
    if (to.size() != from.size()) {
      throw UserError("what was saved is a replay of another size");
    }
    std::memcpy(to.data(), from.data(), from.size());
  }

  static std::vector<rl::RowField> fieldsOf(const std::vector<size_t>& bytes,
                                            const std::vector<int64_t>& frames) {
    std::vector<rl::RowField> fields;
    for (size_t f = 0; f < bytes.size(); ++f) {
      fields.push_back({bytes[f], frames[f]});
    }
    return fields;
  }

  rl::PrioritizedRows rows_;
};

}  // namespace

NB_MODULE(_rows, m) {
  nb::exception<UserError>(m, "ReplayError", PyExc_ValueError);
  nb::class_<Replay>(m, "Rows")
      .def("__init__",
           [](Replay* self, const std::vector<size_t>& bytes, const std::vector<int64_t>& frames,
              int64_t capacity, double alpha, double beta, int64_t beta_steps, double epsilon,
              const std::string& normalise, int64_t soft_limit, int64_t frame_capacity,
              uint64_t seed) {
             new (self) Replay(bytes, frames,
                             {.capacity = capacity,
                              .alpha = alpha,
                              .beta = beta,
                              .beta_steps = beta_steps,
                              .epsilon = epsilon,
                              .normalise = normalise,
                              .soft_limit = soft_limit,
                              .frame_capacity = frame_capacity},
                             seed);
           })
      .def("add", &Replay::add)
      // A converted array would be filled in place of the one that was given.
      .def("sample", &Replay::sample, nb::arg().noconvert(), nb::arg().noconvert(),
           nb::arg().noconvert(), nb::arg().noconvert())
      .def("update", &Replay::update)
      .def("state", &Replay::state)
      .def("restore", &Replay::restore)
      .def("remove_oldest",
           [](Replay& self, int64_t count) { return self.rows().removeOldest(count); })
      .def_prop_ro("size", [](Replay& self) { return self.rows().size(); })
      .def_prop_ro("dropped", [](Replay& self) { return self.rows().dropped(); })
      .def_prop_ro("frames", [](Replay& self) { return self.rows().frames(); })
      .def_prop_ro("beta", [](Replay& self) { return self.rows().beta(); })
      .def_prop_ro("memory", [](Replay& self) { return self.rows().memory(); });
}
