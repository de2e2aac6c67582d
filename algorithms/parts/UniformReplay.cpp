#include "algorithms/parts/UniformReplay.h"

namespace fdg::rl {

UniformReplay::UniformReplay(const EnvSpec& spec, int64_t capacity, Stream stream)
    : store_(spec, capacity), stream_(std::move(stream)) {}

void UniformReplay::add(const Transitions& transitions) { store_.add(transitions); }

Batch UniformReplay::sample(Rows rows) {
  if (store_.size() == 0 && rows.size() > 0) {
    throw UserError("the replay is empty: wait until transitions are stored before sampling");
  }
  std::vector<int64_t> slots, generations;
  for (int64_t r = rows.begin; r < rows.end; ++r) {
    slots.push_back(stream_.below(r, store_.size()));
    generations.push_back(store_.generation(slots.back()));
  }
  return {store_.gather(slots), torch::ones({rows.size()}, torch::kFloat32), integers(slots),
          integers(generations)};
}

}  // namespace fdg::rl
