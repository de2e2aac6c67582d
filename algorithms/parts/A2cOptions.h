// What a user can set of A2C and A3C.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fdg::rl {

struct A2cOptions {
  std::vector<int64_t> hidden = {64, 64};  ///< Hidden layers of actor and critic.
  std::string activation = "tanh";         ///< Of the hidden layers: tanh or relu.
  double gamma = 0.99;                     ///< Discount per step.
  double lambda = 1.0;                     ///< 1: n-step returns; less: generalised advantages.
  double lr = 3e-3;                        ///< Learning rate of RMSProp at the start.
  bool anneal = true;                      ///< The rate falls linearly to 0 over the run.
  double decay = 0.99;                     ///< Of RMSProp's mean of squares.
  double epsilon = 1e-5;                   ///< Added to the root of that mean.
  double value_weight = 0.5;               ///< Of the value loss.
  double entropy_weight = 0.01;            ///< Of the entropy bonus.
  double grad_clip = 0.5;                  ///< Largest global norm of a gradient; 0: any.
  double initial_log_std = 0.0;  ///< Continuous actions: logarithm of the first deviation.
};

/// Throws UserError that names the field, for what is out of range.
void check(const A2cOptions& options);

}  // namespace fdg::rl
