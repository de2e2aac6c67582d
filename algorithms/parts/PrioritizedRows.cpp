#include "algorithms/parts/PrioritizedRows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "algorithms/parts/Limits.h"
#include "algorithms/parts/Powers.h"
#include "base/Check.h"

namespace fdg::rl {
namespace {

constexpr double kLargestError = 1e280;  // sums of them are finite

}  // namespace

PrioritizedRows::PrioritizedRows(std::vector<RowField> fields, const ReplayOptions& options,
                                 Stream stream)
    : fields_(std::move(fields)),
      options_(checked(options)),
      records_(StackFields::recordSizes(fields_), options.capacity),
      stacks_(StackFields::of(fields_, options)),
      tree_(options.capacity, Fold::sum),
      raw_(options.capacity, Fold::maximum),
      ring_(options.capacity),
      stream_(std::move(stream)) {
  if (options_.normalise == "buffer") {
    least_.emplace(options.capacity, Fold::maximum);
  }
}

void PrioritizedRows::checkErrors(std::span<const double> errors) {
  for (size_t i = 0; i < errors.size(); ++i) {
    if (!(std::abs(errors[i]) <= kLargestError)) {
      throw UserError("the error at index " + std::to_string(i) + " is " +
                      Limits::text(errors[i]) +
                      ": a priority must be finite, and at most 1e280; the replay is unchanged");
    }
  }
}

void PrioritizedRows::setPriorities(std::span<const int64_t> slots, std::span<const double> raw) {
  std::vector<double> scaled(raw.size());
  if (std::ranges::adjacent_find(raw, std::ranges::not_equal_to()) == raw.end() && !raw.empty()) {
    powers(raw.first(1), options_.alpha, scaled);  // new rows without errors share a priority
    std::ranges::fill(scaled, scaled.front());
  } else {
    powers(raw, options_.alpha, scaled);
  }
  tree_.set(slots, scaled);
  raw_.setLater(slots, raw);
  if (least_) {
    for (double& value : scaled) {
      value = value > 0 ? 1 / value : 0;
    }
    least_->setLater(slots, scaled);
  }
}

void PrioritizedRows::clear(std::span<const int64_t> slots) {
  const std::vector<double> zeros(slots.size());
  tree_.set(slots, zeros);
  raw_.setLater(slots, zeros);
  if (least_) {
    least_->setLater(slots, zeros);
  }
}

void PrioritizedRows::add(std::span<const std::byte* const> fields, int64_t count,
                          std::span<const double> errors, const FrameList* shared) {
  if (count > options_.capacity) {
    throw UserError(std::to_string(count) + " transitions at once do not fit a replay of " +
                    std::to_string(options_.capacity));
  }
  checkErrors(errors);
  if (shared != nullptr) {
    if (!stacks_) {
      throw UserError("messages of frames are for a replay that keeps stacks: set replay.frames");
    }
    stacks_->checkPlaces(fields, count, *shared);
  }
  // Frames are claimed for all rows of a part, so parts are short.
  const int64_t most = stacks_ ? stacks_->mostRows() : count;
  std::optional<double> highest;  // before any of these rows
  Incoming part = {{fields.begin(), fields.end()}, 0, errors, shared};
  for (int64_t done = 0; done < count; done += part.count) {
    skip(part, part.count);
    part.count = std::min(most, count - done);
    addPart(part, highest);
  }
}

void PrioritizedRows::skip(Incoming& rows, int64_t count) const {
  for (size_t f = 0; f < fields_.size(); ++f) {
    const bool places = rows.shared != nullptr && fields_[f].frames > 0;
    const size_t bytes =
        places ? static_cast<size_t>(fields_[f].frames) * sizeof(int32_t) : fields_[f].bytes;
    rows.fields[f] += static_cast<size_t>(count) * bytes;
  }
  rows.errors = rows.errors.empty() ? rows.errors : rows.errors.subspan(static_cast<size_t>(count));
}

void PrioritizedRows::addPart(const Incoming& rows, std::optional<double>& highest) {
  const int64_t claimed = stacks_ ? stacks_->mostFrames(rows.count, rows.shared) : 0;
  claimFrames(claimed);
  SlotRing::Lock lock(mutex_);
  ring_.waitForNext(lock, rows.count);
  if (rows.errors.empty() && !highest) {
    highest = highestRaw();
  }
  const SlotRange range = ring_.take(rows.count);
  const std::vector<int64_t> slots = ring_.slotsOf(range);
  clear(slots);
  ring_.waitForReaders(lock, range);
  lock.unlock();
  copyIn(range, rows, claimed);
  std::vector<double> raw(slots.size(), highest.value_or(0));
  for (size_t i = 0; i < raw.size() && !rows.errors.empty(); ++i) {
    raw[i] = std::abs(rows.errors[i]) + options_.epsilon;
  }
  lock.lock();
  setPriorities(slots, raw);
  ring_.finish(range, /*whole=*/true);
}

/// 1 while there are no rows.
double PrioritizedRows::highestRaw() {
  raw_.settle();
  return ring_.size() == 0 ? 1.0 : raw_.total();
}

void PrioritizedRows::copyIn(SlotRange range, const Incoming& rows, int64_t claimed) {
  if (stacks_) {
    stacks_->release(records_, ring_.slotsOf(range));
    stacks_->put(records_, range, rows.fields, rows.shared, claimed);
    return;
  }
  for (size_t f = 0; f < fields_.size(); ++f) {
    records_.put(f, range.first, range.count, rows.fields[f]);
  }
}

/// Makes room by removing the oldest transitions. Holds nothing that another thread might wait for.
void PrioritizedRows::claimFrames(int64_t frames) {
  while (stacks_ && !stacks_->store().claim(frames)) {
    SlotRing::Lock lock(mutex_);
    if (removeOldest(lock, 1) == 0) {
      ring_.waitForWriters(lock);
    }
  }
}

int64_t PrioritizedRows::removeOldest(int64_t count) {
  SlotRing::Lock lock(mutex_);
  return removeOldest(lock, count);
}

int64_t PrioritizedRows::removeOldest(SlotRing::Lock& lock, int64_t count) {
  const SlotRange range = ring_.takeOldest(std::max<int64_t>(count, 0));
  const std::vector<int64_t> slots = ring_.slotsOf(range);
  clear(slots);
  ring_.waitForReaders(lock, range);
  if (stacks_) {
    stacks_->release(records_, slots);
  }
  ring_.finish(range, /*whole=*/false);
  return range.count;
}

double PrioritizedRows::betaNow() const {
  if (options_.beta_steps == 0) {
    return options_.beta;
  }
  const double progress = static_cast<double>(samples_) / static_cast<double>(options_.beta_steps);
  return std::min(1.0, options_.beta + (1 - options_.beta) * progress);
}

std::vector<float> PrioritizedRows::importance(std::span<const int64_t> slots) {
  std::vector<double> weights(slots.size());
  const double count = static_cast<double>(ring_.size());
  std::ranges::transform(slots, weights.begin(),
                         [&](int64_t slot) { return count * tree_.get(slot) / tree_.total(); });
  double largest = 1;
  if (least_) {
    least_->settle();
    largest = count / least_->total() / tree_.total();
    powers({&largest, 1}, -betaNow(), {&largest, 1});
  }
  powers(weights, -betaNow(), weights);
  if (options_.normalise == "batch" && !weights.empty()) {
    largest = *std::ranges::max_element(weights);
  }
  std::vector<float> result(slots.size());
  std::ranges::transform(weights, result.begin(),
                         [&](double weight) { return static_cast<float>(weight / largest); });
  return result;
}

std::vector<double> PrioritizedRows::masses(Rows rows) {
  if (rows.size() > 0 && ring_.size() == 0) {
    throw UserError("the replay is empty: wait until transitions are stored before sampling");
  }
  if (rows.size() > 0 && tree_.total() <= 0) {
    throw UserError("every transition in the replay has priority 0; set replay.epsilon above 0");
  }
  const double part = tree_.total() / static_cast<double>(std::max<int64_t>(rows.size(), 1));
  std::vector<double> masses;
  masses.reserve(static_cast<size_t>(rows.size()));
  for (int64_t i = 0; i < rows.size(); ++i) {
    masses.push_back((static_cast<double>(i) + stream_.uniform(rows.begin + i)) * part);
  }
  return masses;
}

Draws PrioritizedRows::draw(Rows rows) {
  const std::vector<double> masses = this->masses(rows);
  Draws draws;
  draws.slots.resize(masses.size());
  tree_.find(masses, draws.slots);
  for (const int64_t slot : draws.slots) {
    ring_.prefetch(slot);
    records_.prefetch(slot);
  }
  draws.weights = importance(draws.slots);
  draws.generations.reserve(masses.size());
  for (const int64_t slot : draws.slots) {
    draws.generations.push_back(ring_.generation(slot));
  }
  ++samples_;
  return draws;
}

Draws PrioritizedRows::sample(Rows rows, std::span<std::byte* const> fields) {
  SlotRing::Lock lock(mutex_);
  const int64_t excess = ring_.size() - options_.soft_limit;
  if (options_.soft_limit > 0 && excess > 0 && samples_ > 0 && samples_ % options_.cut_every == 0) {
    removeOldest(lock, excess);
  }
  Draws draws = draw(rows);
  ring_.beginReading(draws.slots);
  lock.unlock();
  if (stacks_) {
    stacks_->gather(records_, draws.slots, fields);
  } else {
    records_.gather(draws.slots, fields);
  }
  lock.lock();
  ring_.endReading(draws.slots);
  return draws;
}

void PrioritizedRows::update(std::span<const int64_t> slots, std::span<const int64_t> generations,
                             std::span<const double> errors) {
  checkErrors(errors);
  const std::lock_guard lock(mutex_);
  for (const int64_t slot : slots) {
    if (slot >= 0 && slot < options_.capacity) {
      ring_.prefetch(slot);
      tree_.prefetch(slot);
      raw_.prefetchLater(slot);
    }
  }
  for (const int64_t slot : slots) {
    if (slot < 0 || slot >= options_.capacity || ring_.generation(slot) == 0) {
      throw UserError("a priority update names slot " + std::to_string(slot) +
                      ", but the replay holds " + std::to_string(ring_.size()) + " transitions");
    }
  }
  std::vector<int64_t> kept;
  std::vector<double> raw;
  kept.reserve(slots.size());
  raw.reserve(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    if (generations[i] <= 0 || generations[i] != ring_.generation(slots[i])) {
      ++dropped_;
      continue;
    }
    kept.push_back(slots[i]);
    raw.push_back(std::abs(errors[i]) + options_.epsilon);
  }
  setPriorities(kept, raw);
}

int64_t PrioritizedRows::size() const {
  const std::lock_guard lock(mutex_);
  return ring_.size();
}

int64_t PrioritizedRows::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

double PrioritizedRows::mass() const {
  const std::lock_guard lock(mutex_);
  return tree_.total();
}

double PrioritizedRows::beta() const {
  const std::lock_guard lock(mutex_);
  return betaNow();
}

ReplayState PrioritizedRows::state() {
  SlotRing::Lock lock(mutex_);
  ring_.waitForWriters(lock);
  ReplayState state = {.options = optionsText(options_),
                       .ring = ring_.state(),
                       .frames = stacks_ ? stacks_->store().state() : FrameState(),
                       .raw = {},
                       .stream = stream_,
                       .dropped = dropped_,
                       .samples = samples_,
                       .end = kSavedEnd};
  for (int64_t slot = 0; slot < options_.capacity; ++slot) {
    state.raw.push_back(raw_.get(slot));
  }
  return state;
}

/// How often each frame is held in these rows. Throws UserError unless all is right.
std::vector<uint32_t> PrioritizedRows::checkedHolders(const ReplayState& state,
                                                      std::span<const std::byte> rows,
                                                      std::span<const std::byte> frames) const {
  checkSaved(state.end == kSavedEnd, "length");
  checkSameOptions(state.options, optionsText(options_));
  const size_t bytes = records_.bytes().bytes.size();
  if (rows.size() != bytes) {
    throw UserError("what was saved has rows of " + std::to_string(rows.size()) +
                    " bytes, but this replay has " + std::to_string(bytes) +
                    "; the replay is unchanged");
  }
  ring_.check(state.ring);
  checkSaved(state.raw.size() == state.ring.generations.size(), "number of priorities");
  for (size_t slot = 0; slot < state.raw.size(); ++slot) {
    const double raw = state.raw[slot];
    checkSaved(raw >= 0 && raw <= kLargestError + options_.epsilon &&
                   (raw == 0 || state.ring.generations[slot] > 0),
               "priority of slot", static_cast<int64_t>(slot));
  }
  checkSaved(state.dropped >= 0 && state.samples >= 0, "counters");
  if (!stacks_) {
    checkSaved(frames.empty() && state.frames.hashes.empty() && state.frames.free.empty(),
               "number of frames");
    return {};
  }
  std::vector<uint32_t> holders = stacks_->holdersIn(records_, rows, state.ring.generations);
  stacks_->store().check(state.frames, frames, holders);
  return holders;
}

void PrioritizedRows::restore(ReplayState state, std::span<const std::byte> rows,
                              std::span<const std::byte> frames) {
  SlotRing::Lock lock(mutex_);
  ring_.waitForWriters(lock);
  const std::vector<uint32_t> holders = checkedHolders(state, rows, frames);
  std::vector<int64_t> all(state.raw.size()), whole;
  std::vector<double> raw;
  std::iota(all.begin(), all.end(), 0);
  for (const int64_t slot : all) {
    if (state.ring.generations[static_cast<size_t>(slot)] > 0) {
      whole.push_back(slot);
      raw.push_back(state.raw[static_cast<size_t>(slot)]);
    }
  }
  ring_.restore(std::move(state.ring));
  std::ranges::copy(rows, records_.bytes().bytes.begin());
  if (stacks_) {
    stacks_->store().restore(std::move(state.frames), frames, holders);
  }
  clear(all);
  setPriorities(whole, raw);
  stream_ = std::move(state.stream);
  dropped_ = state.dropped;
  samples_ = state.samples;
}

size_t PrioritizedRows::memory() const {
  const size_t trees = least_ ? 3 : 2;
  const auto capacity = static_cast<size_t>(options_.capacity);
  // A tree has a sixteenth of its leaves on top of them.
  return records_.bytes().bytes.size() + capacity * sizeof(double) * trees * 16 / 15 +
         capacity * sizeof(int64_t) + (stacks_ ? stacks_->store().memory() : 0);
}

}  // namespace fdg::rl
