// Calls of backward(), and what is done with optimisers → writes of tensors that the statements need
// not name.
//
// backward() writes the gradients of tensors that its statement need not name. Those are the
// tensors that the program makes or marks so (`requires_grad`) and from which the loss may come,
// without regard to order. What has crossed has no history. An optimiser writes the tensors of the
// statements that make it or give it more. Cost: some looks at all effects.
#pragma once

#include "compiler/graph/Effects.h"

namespace fdg::compiler {

void followGradients(const Program& program, llvm::MutableArrayRef<Effects> effects);

/// Of one statement, behind followGradients: the optimisers it touches, each with a write in place.
std::vector<std::pair<const Touch*, const Access*>> optimizerWrites(const Effects& node);

}  // namespace fdg::compiler
