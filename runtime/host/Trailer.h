// Words behind the bytes of a value, for what has to travel with it: what was put there last is taken
// first. Any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace fdg::host {

template <class Word>
void appendWords(std::string& bytes, const std::vector<Word>& words) {
  const auto count = static_cast<uint32_t>(words.size());
  bytes.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word));
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
}

/// Nothing where the bytes do not end so.
template <class Word>
std::optional<std::vector<Word>> takeWords(std::string& bytes) {
  uint32_t count = 0;
  if (bytes.size() < sizeof count) {
    return std::nullopt;
  }
  const size_t end = bytes.size() - sizeof count;
  std::memcpy(&count, bytes.data() + end, sizeof count);
  if (count > end / sizeof(Word)) {
    return std::nullopt;
  }
  const size_t begin = end - count * sizeof(Word);
  std::vector<Word> words(count);
  if (count > 0) {
    std::memcpy(words.data(), bytes.data() + begin, end - begin);
  }
  bytes.resize(begin);
  return words;
}

}  // namespace fdg::host
