#include "fdg/box.h"

namespace fdg::host {

template const ValueOps& opsOf<std::tuple<at::Tensor>>();
template const ValueOps& opsOf<std::tuple<bool>>();
template const ValueOps& opsOf<std::tuple<int64_t>>();
template const ValueOps& opsOf<std::tuple<double>>();

}  // namespace fdg::host
