// PrioritizedRows for Python: arrays are read where they lie and filled where they lie; the
// interpreter's lock is let go meanwhile. fdg_replay/__init__.py gives the fields their names.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "algorithms/parts/PrioritizedRows.h"
#include "base/Check.h"

namespace nb = nanobind;
using namespace fdg;

namespace {

using Field = nb::ndarray<nb::c_contig, nb::device::cpu>;
using ConstField = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

  rl::PrioritizedRows& rows() { return rows_; }

 private:
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
      .def("remove_oldest",
           [](Replay& self, int64_t count) { return self.rows().removeOldest(count); })
      .def_prop_ro("size", [](Replay& self) { return self.rows().size(); })
      .def_prop_ro("dropped", [](Replay& self) { return self.rows().dropped(); })
      .def_prop_ro("frames", [](Replay& self) { return self.rows().frames(); })
      .def_prop_ro("beta", [](Replay& self) { return self.rows().beta(); })
      .def_prop_ro("memory", [](Replay& self) { return self.rows().memory(); });
}
