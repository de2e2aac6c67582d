// PrioritizedRows for Python: arrays are read where they lie and filled where they lie; the
// interpreter's lock is let go meanwhile. fdg_replay/__init__.py gives the fields their names.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "algorithms/parts/FrameStore.h"
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

std::span<const std::byte> bytesIn(const void* data, size_t size) {
  return {static_cast<const std::byte*>(data), size};
}

/// Whether two of them have a byte in common.
bool overlap(std::vector<std::span<const std::byte>>& spans) {
  std::erase_if(spans, [](const auto& span) { return span.empty(); });
  std::ranges::sort(spans, {}, [](const auto& span) { return span.data(); });
  return std::ranges::adjacent_find(spans, [](const auto& a, const auto& b) {
           return a.data() + a.size() > b.data();
         }) != spans.end();
}

std::span<const std::byte> bytesOf(const ConstBytes& array) { return std::as_bytes(spanOf(array)); }

/// Calls of several threads go on beside each other, but not beside state and restore.
class Replay {
 public:
  Replay(const std::vector<size_t>& bytes, const std::vector<int64_t>& frames,
         const rl::ReplayOptions& options, uint64_t seed)
      : bytes_(bytes), rows_(fieldsOf(bytes, frames), options, Stream(seed, "replay")) {}

  void add(const std::vector<ConstField>& fields, int64_t count,
           const Vector<const double>& errors) {
    std::vector<const std::byte*> from;
    for (const ConstField& field : fields) {
      from.push_back(static_cast<const std::byte*>(field.data()));
    }
    checkSizes(fields, count);
    if (errors.size() > 0) {
      checkLength(errors.size(), count);
    }
    const nb::gil_scoped_release free;
    const auto beside = besideOthers();
    rows_.add(from, count, spanOf(errors));
  }

  /// False, and nothing done, if two of the arrays overlap.
  bool sample(const std::vector<Field>& fields, const Vector<float>& weights,
              const Vector<int64_t>& slots, const Vector<int64_t>& generations) {
    std::vector<std::byte*> to;
    for (const Field& field : fields) {
      to.push_back(static_cast<std::byte*>(field.data()));
    }
    const auto count = static_cast<int64_t>(slots.size());
    checkSizes(fields, count);
    checkLength(weights.size(), count);
    checkLength(generations.size(), count);
    std::vector<std::span<const std::byte>> filled = {
        bytesIn(weights.data(), weights.nbytes()), bytesIn(slots.data(), slots.nbytes()),
        bytesIn(generations.data(), generations.nbytes())};
    for (const Field& field : fields) {
      filled.push_back(bytesIn(field.data(), field.nbytes()));
    }
    if (overlap(filled)) {
      return false;
    }
    const nb::gil_scoped_release free;
    const auto beside = besideOthers();
    const rl::Draws draws = rows_.sample({0, count, count}, to);
    std::ranges::copy(draws.weights, weights.data());
    std::ranges::copy(draws.slots, slots.data());
    std::ranges::copy(draws.generations, generations.data());
    return true;
  }

  void update(const Vector<const int64_t>& slots, const Vector<const int64_t>& generations,
              const Vector<const double>& errors) {
    checkLength(slots.size(), errors.size());
    checkLength(generations.size(), errors.size());
    const nb::gil_scoped_release free;
    const auto beside = besideOthers();
    rows_.update(spanOf(slots), spanOf(generations), spanOf(errors));
  }

  int64_t removeOldest(int64_t count) {
    const nb::gil_scoped_release free;
    const auto beside = besideOthers();
    return rows_.removeOldest(count);
  }

  /// Priorities, slots and generator; rows; frames.
  std::vector<Bytes> state() {
    std::vector<Copy> copies;
    {
      const nb::gil_scoped_release free;
      const auto alone = withoutOthers();
      std::vector<std::byte> rest;
      StateBytes saver(rest);
      rows_.state().archive(saver);
      copies.emplace_back(rest);
      copies.emplace_back(rows_.rowBytes().bytes);
      copies.emplace_back(rows_.frameBytes().bytes);
    }
    std::vector<Bytes> parts;
    for (Copy& copy : copies) {
      parts.push_back(copy.array());
    }
    return parts;
  }

  void restore(const ConstBytes& rest, const ConstBytes& rows, const ConstBytes& frames) {
    const nb::gil_scoped_release free;
    const auto alone = withoutOthers();
    StateBytes restorer(bytesOf(rest));
    rl::ReplayState state;
    state.archive(restorer);
    restorer.finish();
    rows_.restore(std::move(state), bytesOf(rows), bytesOf(frames));
  }

  const rl::PrioritizedRows& rows() const { return rows_; }

 private:
  /// Bytes that an array comes to own.
  struct Copy {
    explicit Copy(std::span<const std::byte> bytes)
        : mine(new uint8_t[bytes.size()]), size(bytes.size()) {
      std::ranges::copy(bytes, reinterpret_cast<std::byte*>(mine.get()));
    }
    Bytes array() {
      nb::capsule owner(mine.get(), [](void* p) noexcept { delete[] static_cast<uint8_t*>(p); });
      return Bytes(mine.release(), {size}, owner);
    }
    std::unique_ptr<uint8_t[]> mine;
    size_t size;
  };

  std::shared_lock<std::shared_mutex> besideOthers() {
    const std::lock_guard turn(turn_);
    return std::shared_lock(others_);
  }
  /// Nobody new gets in while it waits.
  std::unique_lock<std::shared_mutex> withoutOthers() {
    const std::lock_guard turn(turn_);
    return std::unique_lock(others_);
  }

  template <class Arrays>
  void checkSizes(const Arrays& fields, int64_t count) const {
    checkLength(fields.size(), static_cast<int64_t>(bytes_.size()));
    for (size_t f = 0; f < bytes_.size(); ++f) {
      checkLength(fields[f].nbytes(), count * static_cast<int64_t>(bytes_[f]));
    }
  }
  static void checkLength(size_t is, int64_t must) {
    if (is != static_cast<size_t>(must)) {
      throw UserError("an array has the length " + std::to_string(is) + ", but must have " +
                      std::to_string(must));
    }
  }

  static std::vector<rl::RowField> fieldsOf(const std::vector<size_t>& bytes,
                                            const std::vector<int64_t>& frames) {
    std::vector<rl::RowField> fields;
    for (size_t f = 0; f < bytes.size(); ++f) {
      fields.push_back({bytes[f], frames[f]});
    }
    return fields;
  }

  std::vector<size_t> bytes_;
  rl::PrioritizedRows rows_;
  std::mutex turn_;
  std::shared_mutex others_;
};

/// Of all these bytes, in order.
uint64_t checksum(const std::vector<ConstBytes>& parts) {
  const nb::gil_scoped_release free;
  std::vector<uint64_t> sums;
  for (const ConstBytes& part : parts) {
    sums.push_back(rl::hashOf(bytesOf(part).data(), part.size()));
  }
  return rl::hashOf(std::as_bytes(std::span(sums)).data(), sums.size() * sizeof sums[0]);
}

}  // namespace

NB_MODULE(_rows, m) {
  nb::exception<UserError>(m, "ReplayError", PyExc_ValueError);
  m.def("checksum", &checksum);
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
      .def("remove_oldest", &Replay::removeOldest)
      .def_prop_ro("size", [](const Replay& self) { return self.rows().size(); })
      .def_prop_ro("dropped", [](const Replay& self) { return self.rows().dropped(); })
      .def_prop_ro("frames", [](const Replay& self) { return self.rows().frames(); })
      .def_prop_ro("beta", [](const Replay& self) { return self.rows().beta(); })
      .def_prop_ro("memory", [](const Replay& self) { return self.rows().memory(); });
}
