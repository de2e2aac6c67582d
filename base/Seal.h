// A file's bytes → the same with their checksum behind them, so that a byte that has changed since is
// found. ELF files load as before. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fdg {

constexpr uint64_t kHashOfNothing = 14695981039346656037ULL;
/// FNV-1a of bytes that follow those of which `before` is it: for accidents, not for attacks.
uint64_t hashOf(std::string_view bytes, uint64_t before = kHashOfNothing);
/// It as 16 hexadecimal digits.
std::string checksumOf(std::string_view bytes);

std::string sealed(std::string bytes);

/// False for bytes that are not those that were sealed. What has no seal (made otherwise, or stripped)
/// says nothing, so it is true.
bool sealHolds(std::string_view bytes);

}  // namespace fdg
