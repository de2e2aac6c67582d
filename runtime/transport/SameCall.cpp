#include "runtime/transport/SameCall.h"

#include <fmt/format.h>

#include <algorithm>

namespace fdg::transport {
namespace {

std::string joined(const CallFacts& call) {
  std::string text;
  for (const auto& [name, value] : call) {
    text += name + '\0' + value + '\0';
  }
  return text;
}

CallFacts separated(const std::string& text) {
  CallFacts call;
  for (size_t at = 0; at < text.size();) {
    const std::string name = text.c_str() + at;
    const std::string value = text.c_str() + at + name.size() + 1;
    at += name.size() + value.size() + 2;
    call.emplace_back(name, value);
  }
  return call;
}

std::string difference(const CallFacts& own, const CallFacts& of_rank_0) {
  const auto [mine, theirs] = std::ranges::mismatch(own, of_rank_0);
  if (mine == own.end() || theirs == of_rank_0.end()) {
    return mine == own.end() && theirs == of_rank_0.end()
               ? ""
               : "another fdg-run than rank 0's; all ranks need the same";
  }
  return fmt::format(
      "its {} is {}, rank 0's is {}; all ranks of a run need the same plan, policy and options",
      mine->first, mine->second, theirs->second);
}

}  // namespace

const Session& sameCall(const Session& session, const CallFacts& call) {
  std::vector<std::string> texts(static_cast<size_t>(session.size()));
  if (session.rank() == 0) {
    std::ranges::fill(texts, joined(call));
  }
  const std::string first = session.exchange(texts).front();
  session.agree(difference(call, separated(first)));
  return session;
}

}  // namespace fdg::transport
