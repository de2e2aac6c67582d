// The name that somebody probably meant, for messages about unknown names. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fdg {

/// The known name that is closest to `wanted` by edit distance; empty if none is close.
std::string nearestName(std::string_view wanted, const std::vector<std::string>& known);

/// "; did you mean NAME?" or, if nothing is close, an empty string.
std::string didYouMean(std::string_view wanted, const std::vector<std::string>& known);

/// "a", "a and b", "a, b and c".
std::string listNames(const std::vector<std::string>& names);

}  // namespace fdg
