#include "runtime/transport/NodeBells.h"

#include <fmt/format.h>
#include <unistd.h>

#include <random>

#include "runtime/transport/SharedMemory.h"

namespace fdg::transport {
namespace {

/// A name that no other job has, made by rank 0.
std::string jobName(const Session& session) {
  std::random_device random;
  const uint64_t number = (static_cast<uint64_t>(random()) << 32) | random();
  return session.allGather(fmt::format("/fdg-{}-{:016x}", getpid(), number)).front();
}

}  // namespace

NodeBells::NodeBells(const Session& session, bool alone) : job_(jobName(session)) {
  const auto rank = static_cast<size_t>(session.rank());
  if (alone) {
    auto bell = std::make_shared<Doorbell>();
    own_ = bell.get();
    memory_ = std::move(bell);
    return;
  }
  const int leader = session.leaders()[rank];
  const std::string name = fmt::format("{}-bells-{}", job_, leader);
  const size_t size = static_cast<size_t>(session.size()) * sizeof(Doorbell);
  std::shared_ptr<SharedMemory> memory;
  std::string sentence;
  if (leader == session.rank()) {
    auto created = SharedMemory::create(name, size);
    if (created && !(*created)->commit(0, size)) {
      sentence = fmt::format("/dev/shm is full: the doorbells of {} ranks need {}, there are {}",
                             session.size(), sizeText(size), sizeText(freeSharedMemory()));
    }
    sentence += created.error();
    memory = created ? *created : nullptr;
  }
  session.agree(sentence);
  if (leader != session.rank()) {
    auto opened = SharedMemory::open(name);
    sentence = opened.error();
    memory = opened ? *opened : nullptr;
  }
  session.agree(sentence);
  memory->unlink();
  bells_ = reinterpret_cast<Doorbell*>(memory->data());
  own_ = bells_ + rank;
  memory_ = std::move(memory);
}

}  // namespace fdg::transport
