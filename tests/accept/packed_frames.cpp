// Of stacks of frames that `pack` gathers each frame travels once, and the rows that arrive are those that
// were sent, in order, bit for bit.
// SAME: packed_frames.yaml
#include "parts.h"

struct Config {
  int64_t rows = 3;
  int64_t steps = 60;
};

struct Stacks {
  torch::Tensor observation;  ///< [rows, 4, 18, 20] uint8
  torch::Tensor next;         ///< as they are, a step later
  torch::Tensor depth;        ///< [rows, 12, 12] float32, of another size and type
  torch::Tensor reward;       ///< [rows] int64
};

/// Every row has a video of its own; now and then a frame is blank, like another row's.
class FDG_ROLE("environment") Videos {
 public:
  explicit Videos(fdg::Rows rows) : rows_(rows) {}

  Stacks step() {
    ++time_;
    const auto rows = torch::arange(rows_.begin, rows_.end).view({-1, 1, 1}) * 7;
    return {stacks(time_), stacks(time_ + 1),
            (rows + (torch::arange(144).view({1, 12, 12}) + time_ / 20)).to(torch::kFloat32),
            rows.flatten() + time_};
  }

  template <class A>
  void archive(A& a) {
    a(time_);
  }

 private:
  torch::Tensor stacks(int64_t time) const {
    std::vector<torch::Tensor> frames;
    for (int64_t t = time; t < time + 4; ++t) {
      const auto rows = torch::arange(rows_.begin, rows_.end).view({-1, 1, 1});
      const auto pixels = torch::arange(360).view({1, 18, 20});
      frames.push_back(((pixels * (rows + 2) * t + t) % (t % 9 == 0 ? 1 : 251)).to(torch::kUInt8));
    }
    return torch::stack(frames, 1);
  }

  fdg::Rows rows_;
  int64_t time_ = 0;
};

class FDG_ROLE("store") Store {
 public:
  /// Every element and every row counts, in its place.
  void add(const Stacks& s) {
    for (int64_t r = 0; r < s.reward.size(0); ++r, ++rows_) {
      for (const torch::Tensor& t : {s.observation[r], s.next[r], s.depth[r], s.reward[r]}) {
        const auto flat = t.to(torch::kInt64).flatten();
        const auto all = (flat * torch::arange(1, flat.size(0) + 1)).sum().item<int64_t>();
        sum_ = (sum_ * 31 + all) % 1000003;
      }
    }
  }
  int64_t rows() const { return rows_; }
  int64_t sum() const { return sum_; }

  template <class A>
  void archive(A& a) {
    a(rows_, sum_);
  }

 private:
  int64_t rows_ = 0;
  int64_t sum_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Videos videos(run.rows(cfg.rows));
  Store store;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto experience = videos.step();
    fdg::partition(fdg::append.loose(), experience);
    store.add(experience);
  }
  run.log("rows", store.rows());
  run.log("sum", store.sum());
}
FDG_PROGRAM(train)
