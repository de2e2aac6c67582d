// A message that shares memory with its sender → one that does not, to go to another thread.
//
// The sender goes on to use what it sent, and so may other consumers of the same value; only what a
// component promises (to write neither what it has returned nor what it was given) would keep two
// threads from writing and reading one tensor. So a tensor that nothing but the message holds is
// moved, and any other is copied, once, with its strides. Refused with a UserError: sparse and
// quantised tensors. Any thread.
#pragma once

#include "runtime/transport/Channel.h"

namespace fdg::transport {

void setApart(value::Parts& parts);

}  // namespace fdg::transport
