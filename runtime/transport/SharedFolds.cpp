#include "runtime/transport/SharedFolds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/Check.h"
#include "runtime/transport/SharedFold.h"
#include "runtime/transport/SharedPort.h"

namespace fdg::transport {
namespace {

/// Part of what /dev/shm has free that all folds of a node may take.
constexpr size_t kShareOfFree = 16;

struct Demand {
  uint64_t groups = 0;  ///< That this rank makes the memory of.
  uint64_t free = 0;
};

/// An empty one tells the others that there was no memory.
std::shared_ptr<SharedMemory> makeMemory(const std::string& name, size_t bytes) {
  auto memory = SharedMemory::create(name, bytes).orThrow();
  if (!memory->commit(0, bytes)) {
    memory->unlink();
    memory = SharedMemory::create(name, kPage).orThrow();
  }
  return memory;
}

}  // namespace

std::shared_ptr<Folding> SharedFolds::open(const FoldSpec& spec) {
  for (const auto* folds : {&folds_, &new_}) {
    const auto known = std::ranges::find_if(*folds, [&](const auto& fold) {
      return fold->spec().members == spec.members && fold->spec().self == spec.self;
    });
    if (known != folds->end()) {
      return *known;
    }
  }
  return new_.emplace_back(std::make_shared<SharedFold>(spec, bells_));
}

std::string SharedFolds::nameOf(const SharedFold& fold) const {
  return fmt::format("{}-fold-{}", bells_.job(), fold.spec().members.front());
}

size_t SharedFolds::agreeOnBudget() const {
  Demand mine{0, freeSharedMemory()};
  for (const auto& fold : new_) {
    mine.groups += fold->spec().self == 0 ? 1 : 0;
  }
  const auto all = session_.allGather({reinterpret_cast<const char*>(&mine), sizeof mine});
  const std::vector<int>& leaders = session_.leaders();
  const int leader = leaders[static_cast<size_t>(session_.rank())];
  uint64_t groups = 0;
  uint64_t free = 0;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    Demand one;
    std::memcpy(&one, all[rank].data(), sizeof one);
    groups += leaders[rank] == leader ? one.groups : 0;
    free = static_cast<int>(rank) == leader ? one.free : free;
  }
  return groups == 0 ? 0 : free / kShareOfFree / groups;
}

void SharedFolds::connect() {
  std::erase_if(folds_, [](const auto& fold) { return fold.use_count() == 1; });
  const size_t budget = agreeOnBudget();
  std::vector<std::shared_ptr<SharedMemory>> made;  // with their names, also where a rank throws
  std::string sentence;
  const auto attempt = [&](const auto& step) {
    try {
      for (const auto& fold : new_) {
        const size_t members = fold->spec().members.size();
        if (const size_t window = SharedFold::windowFor(members, budget); window > 0) {
          step(*fold, window, SharedFold::bytesFor(members, window));
        }
      }
    } catch (const UserError& error) {
      sentence = error.what();
    }
    session_.agree(sentence);
  };
  attempt([&](SharedFold& fold, size_t /*window*/, size_t bytes) {
    if (fold.spec().self == 0) {
      made.push_back(makeMemory(nameOf(fold), bytes));
    }
  });
  attempt([&](SharedFold& fold, size_t window, size_t bytes) {
    auto memory = SharedMemory::open(nameOf(fold)).orThrow();
    if (memory->size() == bytes) {
      fold.attach(std::move(memory), window);
    }
  });
  folds_.insert(folds_.end(), new_.begin(), new_.end());
  new_.clear();
}

bool SharedFolds::pump() {
  bool moved = false;
  for (const auto& fold : folds_) {
    moved = fold->pump() || moved;
  }
  return moved;
}

void SharedFolds::forget(int rank) {
  for (const auto& fold : folds_) {
    fold->rankDied(rank);
  }
}

}  // namespace fdg::transport
