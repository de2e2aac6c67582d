#include "fdg/loop.h"

namespace fdg::host {

template void LoopState::operator()(const char* name, at::Tensor& variable);
template void LoopState::operator()(const char* name, bool& variable);
template void LoopState::operator()(const char* name, int64_t& variable);
template void LoopState::operator()(const char* name, double& variable);

}  // namespace fdg::host
