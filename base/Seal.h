// A file's bytes → the same with their checksum behind them, so that a byte that has changed since is
// found. ELF files load as before. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace fdg {

/// Of bytes, as 16 hexadecimal digits.
std::string checksumOf(std::string_view bytes);

std::string sealed(std::string bytes);

/// False for bytes that are not those that were sealed. What has no seal (made otherwise, or stripped)
/// says nothing, so it is true.
bool sealHolds(std::string_view bytes);

}  // namespace fdg
