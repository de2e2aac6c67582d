#include "fdg/elements.h"

namespace fdg::host {

template const ElementOps& elementsOf<at::Tensor>();
template const ElementOps& elementsOf<bool>();
template const ElementOps& elementsOf<int64_t>();
template const ElementOps& elementsOf<double>();

}  // namespace fdg::host
