#include "fdg/ports.h"

namespace fdg::host {

void Ports::registerDrain(int boundary, const ElementOps& type, std::unique_ptr<DrainBlock> block) {
  backend_->onDrain(boundary, *type.value,
                    [type = &type, kept = std::shared_ptr<DrainBlock>(std::move(block))](
                        Box& message) { kept->run(*type, message.share().get()); });
}

}  // namespace fdg::host
