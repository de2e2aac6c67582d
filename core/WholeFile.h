// Bytes → a file that is never seen half written: a reader finds the old one or the whole new one.
//
// Written beside it to PATH.tmp, synced and renamed. Throws UserError with the cause (folder
// missing, disk full); then the old file is as it was.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fdg {

/// The pieces one behind the other.
void writeWholeFile(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace fdg
