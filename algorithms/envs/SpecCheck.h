// What an environment says of itself (its spec), and what it then does → nothing, or the sentence
// about the first thing that does not fit, with the environment, the field and what is allowed.
//
// checkSpec asks what holds for every environment, checkKind also what a struct of one's own
// promises by its functions, both when the kind is made. checkObserved asks at a component's first
// reset whether observe() fills what the spec says: all of it, and nothing behind it. Throw
// UserError. Any thread.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/envs/VectorEnv.h"

namespace fdg::rl::detail {

void checkSpec(const EnvSpec& spec);
/// `takes_agents`: it is a world, whose observe() and step() are for all its agents.
void checkKind(const EnvSpec& spec, bool takes_discrete, bool gives_bytes,
               bool takes_agents = false);

[[noreturn]] void refuseSaving(const std::string& name, const std::string& reason);
/// `filled`, of `size` and what lies behind: who was written.
void refuseUnlessFilled(const std::string& name, size_t size, const std::vector<bool>& filled);

/// `observe` is called twice, over numbers of two patterns: what keeps both was not written.
template <class Number, class Observe>
void checkObserved(const std::string& name, size_t size, const Observe& observe) {
  constexpr size_t kBehind = 1024;
  std::vector<bool> filled(size + kBehind);
  for (const int pattern : {0x3A, 0x3B}) {  // bytes of a small float, should observe() read them
    std::vector<Number> numbers(filled.size());
    std::memset(numbers.data(), pattern, numbers.size() * sizeof(Number));
    const std::vector<Number> before = numbers;
    observe(std::span(numbers).first(size));
    for (size_t i = 0; i < filled.size(); ++i) {
      filled[i] = filled[i] || std::memcmp(&numbers[i], &before[i], sizeof(Number)) != 0;
    }
  }
  refuseUnlessFilled(name, size, filled);
}

}  // namespace fdg::rl::detail
