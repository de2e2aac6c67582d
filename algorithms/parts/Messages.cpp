#include "algorithms/parts/Messages.h"

namespace fdg::host {

template const ValueOps& opsOf<std::tuple<rl::Outcome>>();
template const ValueOps& opsOf<std::tuple<rl::Weights>>();
template const ValueOps& opsOf<std::tuple<rl::Transitions>>();
template const ValueOps& opsOf<std::tuple<rl::Experience>>();
template const ValueOps& opsOf<std::tuple<rl::Batch>>();
template const ValueOps& opsOf<std::tuple<rl::Priorities>>();
template const ValueOps& opsOf<std::tuple<rl::Rollout>>();
template const ValueOps& opsOf<std::tuple<rl::Moments>>();
template const ValueOps& opsOf<std::tuple<Weighted<rl::Gradients>>>();

}  // namespace fdg::host
