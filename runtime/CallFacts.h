// A call, its policy and its config → what has to be the same on all ranks (transport/SameCall.h).
//
// Plan and policy as checksums of the files, the config field by field, every option that changes what
// a rank does. Reads the two files.
#pragma once

#include "runtime/Options.h"
#include "runtime/Resume.h"
#include "runtime/place/Policy.h"
#include "runtime/transport/Transport.h"

namespace fdg {

transport::CallFacts callFacts(const Options& options, const place::Policy& policy,
                               const ConfigValues& config);

}  // namespace fdg
