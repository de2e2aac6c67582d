#include "tests/conformance/Rig.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace fdg::transport {

Channel Rig::open(Flow flow, int window, bool held, int from, int to) {
  ChannelSpec spec;
  spec.boundary = channels_++;
  spec.producer = from;
  spec.consumer = to;
  spec.from_rank = from;
  spec.to_rank = to;
  spec.flow = flow;
  spec.window = window;
  spec.held = held;
  Channel channel;
  if (rank() == from) {
    channel.sender = transport_->openSender(spec);
  }
  if (rank() == to) {
    channel.receiver = transport_->openReceiver(spec);
  }
  return channel;
}

void Rig::run(std::vector<Step> steps) {
  while (!steps.empty()) {
    const bool moved = transport_->progress();
    bool again = false;
    const size_t ended = std::erase_if(steps, [&again](const Step& step) {
      const Turn turn = step();
      again = again || turn.again;
      return turn.done;
    });
    if (!moved && !again && ended == 0) {
      // So long that a lost wake-up cannot pass for a slow machine: the test then runs into its
      // time limit.
      transport_->waitForActivity(std::chrono::minutes(10));
    }
  }
}

void Rig::drive(const Channel& channel, const Step& produce, const Step& consume) {
  std::vector<Step> steps;
  if (channel.sender) {
    steps.push_back(produce);
  }
  if (channel.receiver) {
    steps.push_back(consume);
  }
  run(std::move(steps));
  meet();
}

void Rig::meet() {
  const std::string word = "meeting " + std::to_string(meetings_++);
  for (int to = 0; to < size(); ++to) {
    transport_->post(to, word);
  }
  run({[&] {
    sortLetters();
    return at_meeting_[word] == size();
  }});
}

void Rig::sortLetters() {
  while (auto letter = transport_->takeLetter()) {
    if (letter->text.rfind("meeting ", 0) == 0) {
      ++at_meeting_[letter->text];
    } else {
      letters_.push_back(std::move(*letter));
    }
  }
}

std::optional<Letter> Rig::takeLetter() {
  sortLetters();
  if (letters_.empty()) {
    return std::nullopt;
  }
  Letter letter = std::move(letters_.front());
  letters_.pop_front();
  return letter;
}

Message numbered(int64_t number, int64_t floats) {
  Message message;
  message.header.boundary = static_cast<int32_t>(number % 1000);
  message.header.execution = number;
  message.header.iteration = number * 3;
  message.header.rows = floats;
  message.header.check = static_cast<uint64_t>(number) * 7919;
  message.parts.bytes = "message " + std::to_string(number);
  if (floats > 0) {
    message.parts.tensors.push_back(at::arange(number, number + floats, at::kFloat));
  }
  return message;
}

void expectNumbered(const Message& message, int64_t number, int64_t floats) {
  ASSERT_EQ(message.header.execution, number);
  ASSERT_EQ(message.header.iteration, number * 3);
  ASSERT_EQ(message.header.check, static_cast<uint64_t>(number) * 7919);
  ASSERT_EQ(message.parts.bytes, "message " + std::to_string(number));
  ASSERT_EQ(message.parts.tensors.size(), floats > 0 ? 1U : 0U);
  if (floats > 0) {
    ASSERT_TRUE(
        sameTensor(message.parts.tensors[0], at::arange(number, number + floats, at::kFloat)));
  }
}

bool sameTensor(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) {
    return false;
  }
  if (!a.defined()) {
    return true;
  }
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) {
    return false;
  }
  const at::Tensor x = a.detach().resolve_conj().resolve_neg().contiguous();
  const at::Tensor y = b.detach().resolve_conj().resolve_neg().contiguous();
  return x.nbytes() == 0 || std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

}  // namespace fdg::transport
