// What the ranks were called with → nothing, or on every rank the sentence that names the first that
// was called differently from rank 0, and in what.
//
// Collective, before anything that depends on the call. What rank 0 says goes to all, the rest are
// sentences.
#pragma once

#include "runtime/transport/Session.h"
#include "runtime/transport/Transport.h"

namespace fdg::transport {

/// Throws UserError on all ranks or returns on all, with the session.
const Session& sameCall(const Session& session, const CallFacts& call);

}  // namespace fdg::transport
