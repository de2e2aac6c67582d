// Ways in which a component hands out its own memory.
#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }


struct Snapshot {
  torch::Tensor values;
  int64_t at = 0;
};

/// A ring that hands out what it goes on writing.
class FDG_ROLE("memory") Memory {
 public:
  void get(torch::Tensor& out) const { out = rows_[0]; }
  void fill(Snapshot& out) const { out = {rows_[1].slice(0, 0, 2), at_}; }
  void copy(torch::Tensor& out) const { out = rows_[0].clone(); }
  static torch::Tensor first(const Memory& memory) { return memory.rows_[0]; }
  friend torch::Tensor second(const Memory& memory) { return memory.rows_[1]; }
  template <class F>
  void each(F look) const {
    look(rows_);
  }
  torch::Tensor viewed() { return view_; }
  torch::Tensor& weights() { return weights_; }
  torch::Tensor weight() { return weights_[0]; }
  void push(int64_t x) { rows_[at_++ % 4].fill_(x); }
  void shift() { whole_.add_(1); }
  torch::Tensor mean() { return norm_->running_mean; }
  torch::Tensor normal() { return norm_(rows_); }
  torch::Tensor open;

 private:
  torch::Tensor rows_ = torch::zeros({4, 4});
  int64_t at_ = 0;
  torch::Tensor whole_ = torch::zeros({8});
  torch::Tensor view_ = whole_.view({2, 4});
  torch::Tensor weights_ = torch::ones({4});
  torch::nn::BatchNorm1d norm_{torch::nn::BatchNorm1dOptions(4).affine(false)};
};

/// Writes what another component gave it.
class FDG_ROLE("optimizer") Optimizer {
 public:
  explicit Optimizer(torch::Tensor weights) : weights_(std::move(weights)) {}
  void step() { weights_.sub_(1); }

 private:
  torch::Tensor weights_;
};

Snapshot snapshotOf(const Memory& memory) { return {memory.open, 3}; }

class FDG_ROLE("learner") Learner {
 public:
  using Tensors = std::vector<torch::Tensor>;
  Tensors named() {
    Tensors all;
    for (const auto& item : net_->named_parameters()) {
      all.push_back(item.value().detach());
    }
    return all;
  }
  torch::Tensor one() { return net_->named_parameters()["bias"].detach(); }
  Tensors groups() {
    Tensors all;
    for (const auto& group : opt_.param_groups()) {
      for (const auto& parameter : group.params()) {
        all.push_back(parameter.detach());
      }
    }
    return all;
  }
  Tensors applied() {
    Tensors all;
    net_->apply([&](torch::nn::Module& module) {
      for (const auto& parameter : module.parameters(false)) {
        all.push_back(parameter.detach());
      }
    });
    return all;
  }
  Tensors copies() {
    Tensors all;
    for (const auto& item : net_->named_parameters()) {
      all.push_back(item.value().detach().clone());
    }
    return all;
  }
  void learn(int64_t x) {
    opt_.zero_grad();
    net_->forward(torch::full({4}, static_cast<double>(x))).sum().backward();
    opt_.step();
  }

 private:
  torch::nn::Linear net_{4, 1};  // refused: random_outside_stream
  torch::optim::SGD opt_{net_->parameters(), 0.1};
};

class FDG_ROLE("environment") Blob {
 public:
  torch::Tensor step() {
    for (auto& value : values_) {
      value = (value * 3 + 1) % 101;
    }
    return torch::from_blob(values_.data(), {4}, torch::kInt64);
  }

 private:
  std::array<int64_t, 4> values_{1, 2, 3, 4};
};

class FDG_ROLE("environment") Pointed {
 public:
  torch::Tensor step() {
    first_[0] += 1;
    return values_;
  }

 private:
  torch::Tensor values_ = torch::zeros({4}, torch::kInt64);
  int64_t* first_ = values_.data_ptr<int64_t>();
};

void train(fdg::Run& run, const Config& cfg) {
  Learner learner;
  Blob blob;
  Pointed pointed;
  Memory memory;
  Optimizer optimizer(memory.weights());
  parts::Sink sink;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto named = learner.named();
    auto one = learner.one();
    auto groups = learner.groups();
    auto applied = learner.applied();
    auto copies = learner.copies();
    auto blobs = blob.step();
    auto values = pointed.step();
    fdg::partition(fdg::broadcast, named);    // refused: crosses_handle
    fdg::partition(fdg::broadcast, one);      // refused: crosses_handle
    fdg::partition(fdg::broadcast, groups);   // refused: crosses_handle
    fdg::partition(fdg::broadcast, applied);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, copies);
    fdg::partition(fdg::broadcast, blobs);    // refused: crosses_handle
    fdg::partition(fdg::broadcast, values);   // refused: crosses_handle
    torch::Tensor got;
    torch::Tensor copied;
    Snapshot filled;
    memory.get(got);
    memory.copy(copied);
    memory.fill(filled);
    torch::Tensor looked;
    memory.each([&](const torch::Tensor& rows) { looked = rows; });
    auto viewed = memory.viewed();
    auto weight = memory.weight();
    auto first = Memory::first(memory);
    auto other = second(memory);
    auto open = snapshotOf(memory);
    auto mean = memory.mean();
    auto normal = memory.normal();
    fdg::partition(fdg::broadcast, got);      // refused: crosses_handle
    fdg::partition(fdg::broadcast, copied);
    fdg::partition(fdg::broadcast, filled);   // refused: crosses_handle
    fdg::partition(fdg::broadcast, first);    // refused: crosses_handle
    fdg::partition(fdg::broadcast, other);    // refused: crosses_handle
    fdg::partition(fdg::broadcast, open);     // refused: crosses_handle
    fdg::partition(fdg::broadcast, mean);     // refused: crosses_handle
    fdg::partition(fdg::broadcast, normal);
    fdg::partition(fdg::broadcast, looked);   // refused: crosses_handle
    fdg::partition(fdg::broadcast, viewed);   // refused: crosses_handle
    fdg::partition(fdg::broadcast, weight);   // refused: crosses_handle
    optimizer.step();
    memory.shift();
    sink.take(whole(looked + viewed + weight));
    memory.push(i);
    memory.open.add_(1);
    sink.take(whole(got + copied + filled.values.sum() + first + other + open.values + mean + normal));
    sink.take(whole(named[0] + one + groups[0] + applied[0] + copies[0]));
    sink.take(whole(blobs + values));
    learner.learn(i);
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
