#include "algorithms/parts/StackFields.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "algorithms/parts/Limits.h"
#include "base/ConfigError.h"

namespace fdg::rl {
namespace {

int64_t framesOfARow(std::span<const RowField> fields) {
  int64_t each = 0;
  for (const RowField& field : fields) {
    each += field.frames;
  }
  return each;
}

/// A transition of a long episode brings one new frame. What a batch might need at most is claimed
/// before it is looked at, so some frames stay free.
int64_t framesFor(const ReplayOptions& options, int64_t each) {
  const int64_t spare =
      std::max(options.capacity / 32, std::min(options.capacity, StackFields::kRowsAtOnce) * each);
  return options.frame_capacity > 0 ? options.frame_capacity : options.capacity + spare;
}

int32_t placeAt(const std::byte* places, int64_t index) {
  int32_t place;
  std::memcpy(&place, places + static_cast<size_t>(index) * sizeof place, sizeof place);
  return place;
}

}  // namespace

std::vector<size_t> StackFields::recordSizes(std::span<const RowField> fields) {
  std::vector<size_t> sizes;
  for (const RowField& field : fields) {
    sizes.push_back(field.frames > 0 ? static_cast<size_t>(field.frames) * sizeof(Number)
                                     : field.bytes);
  }
  return sizes;
}

std::unique_ptr<StackFields> StackFields::of(std::span<const RowField> fields,
                                             const ReplayOptions& options) {
  size_t bytes = 0;
  for (const RowField& field : fields) {
    if (field.frames > 0) {
      const size_t frame = field.bytes / static_cast<size_t>(field.frames);
      if (frame * static_cast<size_t>(field.frames) != field.bytes ||
          (bytes != 0 && frame != bytes)) {
        throw UserError("stacks of frames need frames of one size");
      }
      bytes = frame;
    }
  }
  const int64_t each = framesOfARow(fields);
  if (each == 0) {
    return nullptr;
  }
  const int64_t frames = framesFor(options, each);
  if (frames < each || frames > INT32_MAX) {
    throw ConfigError("replay.frame_capacity must be between " + std::to_string(each) +
                      ", the frames of one transition, and 2^31; it is " + std::to_string(frames));
  }
  if (!Limits::fitsMemory(frames + 1, bytes)) {
    throw ConfigError(
        std::to_string(frames) + " frames of " + std::to_string(bytes) +
        " bytes are more than a machine can hold; set a smaller replay.frame_capacity");
  }
  return std::unique_ptr<StackFields>(new StackFields(fields, bytes, frames));
}

StackFields::StackFields(std::span<const RowField> fields, size_t frame_bytes, int64_t frames)
    : fields_(fields.begin(), fields.end()),
      each_(framesOfARow(fields)),
      store_(frame_bytes, frames) {}

void StackFields::checkPlaces(std::span<const std::byte* const> fields, int64_t count,
                              const FrameList& shared) const {
  for (size_t f = 0; f < fields_.size(); ++f) {
    for (int64_t i = 0; i < count * fields_[f].frames; ++i) {
      if (const int32_t place = placeAt(fields[f], i); place < 0 || place >= shared.count) {
        throw UserError("transition " + std::to_string(i / fields_[f].frames) + " names frame " +
                        std::to_string(place) + " of " + std::to_string(shared.count) +
                        "; the replay is unchanged");
      }
    }
  }
}

StackFields::Number StackFields::numberAt(int32_t place, const FrameList& shared,
                                          std::vector<Number>& known, std::vector<Number>& again,
                                          int64_t& claimed) {
  Number& number = known[static_cast<size_t>(place)];
  if (number != 0) {
    again.push_back(number);
  } else {
    number = store_.hold(shared.frames + static_cast<size_t>(place) * store_.frameBytes(), claimed);
  }
  return number;
}

void StackFields::put(RowRecords& records, SlotRange range,
                      std::span<const std::byte* const> fields, const FrameList* shared,
                      int64_t claimed) {
  std::vector<Number> known(shared != nullptr ? static_cast<size_t>(shared->count) : 0), again;
  for (size_t f = 0; f < fields_.size(); ++f) {
    const int64_t stack = fields_[f].frames;
    if (stack == 0) {
      records.put(f, range.first, range.count, fields[f]);
      continue;
    }
    std::vector<Number> numbers(static_cast<size_t>(range.count * stack));
    for (int64_t i = 0; i < range.count * stack; ++i) {
      numbers[static_cast<size_t>(i)] =
          shared != nullptr
              ? numberAt(placeAt(fields[f], i), *shared, known, again, claimed)
              : store_.hold(fields[f] + static_cast<size_t>(i) * store_.frameBytes(), claimed);
    }
    records.put(f, range.first, range.count, reinterpret_cast<const std::byte*>(numbers.data()));
  }
  store_.holdAgain(again);  // what one of these rows held first stays: nobody removes them yet
  store_.giveBack(claimed);
}

/// Of slots that were never written, or are released, all numbers are 0.
void StackFields::release(RowRecords& records, std::span<const int64_t> slots) {
  std::vector<Number> numbers;
  for (size_t f = 0; f < fields_.size(); ++f) {
    const auto stack = static_cast<size_t>(fields_[f].frames);
    for (size_t i = 0; stack > 0 && i < slots.size(); ++i) {
      std::byte* record = records.at(f, slots[i]);
      numbers.resize(numbers.size() + stack);
      std::memcpy(&*(numbers.end() - fields_[f].frames), record, stack * sizeof(Number));
      std::memset(record, 0, stack * sizeof(Number));
    }
  }
  store_.release(numbers);
}

std::vector<uint32_t> StackFields::holdersIn(const RowRecords& layout,
                                             std::span<const std::byte> records,
                                             std::span<const int64_t> generations) const {
  std::vector<uint32_t> holders(1);
  for (size_t f = 0; f < fields_.size(); ++f) {
    for (size_t slot = 0; slot < generations.size(); ++slot) {
      const std::byte* stack = records.data() + layout.offset(f, static_cast<int64_t>(slot));
      for (int64_t i = 0; i < fields_[f].frames; ++i, stack += sizeof(Number)) {
        Number number;
        std::memcpy(&number, stack, sizeof number);
        checkSaved((number > 0) == (generations[slot] > 0) && number <= store_.capacity(),
                   "frames of slot", static_cast<int64_t>(slot));
        holders.resize(std::max(holders.size(), size_t{number} + 1));
        holders[number] += number > 0 ? 1 : 0;
      }
    }
  }
  return holders;
}

void StackFields::gather(const RowRecords& records, std::span<const int64_t> slots,
                         std::span<std::byte* const> fields) const {
  std::vector<std::vector<Number>> numbers(fields_.size());
  std::vector<std::byte*> targets(fields.begin(), fields.end());
  for (size_t f = 0; f < fields_.size(); ++f) {
    if (fields_[f].frames > 0) {
      numbers[f].resize(slots.size() * static_cast<size_t>(fields_[f].frames));
      targets[f] = reinterpret_cast<std::byte*>(numbers[f].data());
    }
  }
  records.gather(slots, targets);
  const size_t bytes = store_.frameBytes();
  for (size_t f = 0; f < fields_.size(); ++f) {
    for (size_t i = 0; i < numbers[f].size(); ++i) {
      std::memcpy(fields[f] + i * bytes, store_.frame(numbers[f][i]), bytes);
    }
  }
}

}  // namespace fdg::rl
