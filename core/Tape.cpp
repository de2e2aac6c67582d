#include "fdg/tape.h"

namespace fdg::host {

void Tape::tell(int boundary, const ElementOps& type, const void* const* variables) {
  Box box(*type.value, type.join(variables));
  crossed(boundary, box);
}

}  // namespace fdg::host
