// Adam (Kingma and Ba 2015), RMSProp (Tieleman and Hinton 2012) and its centred form (Graves 2013)
// over one flat parameter buffer, with gradient clipping by the global norm. The gradient is only
// read. Not thread-safe. One pass over memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fdg::rl {

class Adam {
 public:
  Adam(int64_t parameters, double epsilon, double beta1 = 0.9, double beta2 = 0.999);

  /// One step; `max_norm` ≤ 0 does not clip.
  void step(std::span<const float> gradient, double learning_rate, double max_norm,
            std::vector<float>& parameters);

  template <class A>
  void archive(A& a) {
    a(first_, second_, steps_);
  }

 private:
  double epsilon_, beta1_, beta2_;
  std::vector<float> first_, second_;
  int64_t steps_ = 0;
};

class RmsProp {
 public:
  RmsProp(int64_t parameters, double epsilon, double decay);

  /// One step; `max_norm` ≤ 0 does not clip. ε is added to the root, as in PyTorch.
  void step(std::span<const float> gradient, double learning_rate, double max_norm,
            std::vector<float>& parameters);

  template <class A>
  void archive(A& a) {
    a(squares_);
  }

 private:
  double epsilon_, decay_;
  std::vector<float> squares_;
};

/// Divides by the deviation of gradients instead of the root of their squares' mean. ε is added to
/// the variance, under the root, as in the programs of Mnih et al. 2015 and Horgan et al. 2018
/// whose numbers it is for; PyTorch adds it to the root.
class CentredRmsProp {
 public:
  CentredRmsProp(int64_t parameters, double epsilon, double decay);

  /// One step; `max_norm` ≤ 0 does not clip.
  void step(std::span<const float> gradient, double learning_rate, double max_norm,
            std::vector<float>& parameters);

  template <class A>
  void archive(A& a) {
    a(means_, squares_);
  }

 private:
  double epsilon_, decay_;
  std::vector<float> means_, squares_;
};

/// Moves `target` to `online` by `rate` in (0, 1]; 1 copies it (Polyak averaging).
void follow(const std::vector<float>& online, double rate, std::vector<float>& target);

/// Makes parameters smaller by that part of them; before a step of Adam it is AdamW's decoupled
/// weight decay (Loshchilov and Hutter 2019).
void decay(std::span<float> parameters, double part);

/// Summed in double precision.
double normOf(std::span<const float> gradient);

}  // namespace fdg::rl
