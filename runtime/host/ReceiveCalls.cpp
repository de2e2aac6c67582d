// The part of ReceivePort for mode inline: the producers' threads run the drain block, and this
// side lets them, counts what they did, and stops them where nobody else may use its components.
#include <algorithm>
#include <limits>

#include "core/Failure.h"
#include "runtime/host/AtBoundary.h"
#include "runtime/host/ReceivePort.h"

namespace fdg::host {

int64_t ReceivePort::attend(const ValueOps& type, int64_t iteration,
                            const std::function<void(Box&)>& block) {
  if (!is_serving_ && iteration >= 0) {  // before that its components may still get their state
    is_serving_ = true;
    for (Source& source : sources_) {
      source.receiver->serve(handlerFor(source, type, block));
    }
  }
  const int64_t most =
      rule_.behind < 0 ? std::numeric_limits<int64_t>::max() : iteration + rule_.behind;
  if (most_called_.exchange(most) != most) {
    for (Source& source : sources_) {
      source.receiver->retry();
    }
  }
  return countCalls();
}

transport::Handler ReceivePort::handlerFor(Source& source, const ValueOps& type,
                                           const std::function<void(Box&)>& block) {
  return [this, &calls = *source.calls, &type, &block](transport::Message& message) {
    const int64_t made = message.header.iteration;
    if (message.header.kind == kWord) {
      calls.told = made;
      calls.reached = std::max<int64_t>(calls.reached, made);
      return true;
    }
    if (made > most_called_) {
      return false;
    }
    try {
      Box box = unpack(message, type);
      block(box);
    } catch (const std::exception& error) {
      throw UserError(placeOf(info_) + ", called inline: " + sentenceOf(error));
    }
    calls.reached = std::max<int64_t>(calls.reached, made);
    ++calls.number;
    return true;
  };
}

void ReceivePort::stopServing() {
  if (std::exchange(is_serving_, false)) {
    for (Source& source : sources_) {
      source.receiver->serve({});
    }
    countCalls();
  }
}

int64_t ReceivePort::countCalls() {
  int64_t number = 0;
  for (Source& source : sources_) {
    number += source.calls->number.exchange(0);
    source.reached = std::max<int64_t>(source.reached, source.calls->reached);
    const int64_t told = source.calls->told;
    heard_ = heard_ || told > source.told;
    source.told = std::max(source.told, told);
  }
  counters_.messages += number;
  counters_.executions += number;
  return number;
}

}  // namespace fdg::host
