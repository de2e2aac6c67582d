// What may be in a message: every dtype and shape, bytes of any length.
#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

/// No more than four times as much storage as elements: then strides are kept.
bool isDense(const at::Tensor& t) {
  int64_t span = 1;
  for (int64_t d = 0; d < t.dim(); ++d) {
    span += (t.size(d) - 1) * t.stride(d);
  }
  return t.numel() > 0 && span <= 4 * t.numel() && !t.is_conj() && !t.is_neg();
}

/// Sends one message; the consumer compares it with the same message made anew.
void crosses(const std::function<Message()>& make) {
  const Channel channel = rig().open(Flow::ordered, 2);
  rig().connect();
  Message got;
  rig().drive(
      channel,
      [&] {
        Message message = make();
        return channel.sender->trySend(message);
      },
      [&] { return channel.receiver->tryReceive(got); });
  if (!channel.receiver) {
    return;
  }
  const Message expected = make();
  EXPECT_EQ(got.parts.bytes, expected.parts.bytes);
  ASSERT_EQ(got.parts.tensors.size(), expected.parts.tensors.size());
  for (size_t i = 0; i < got.parts.tensors.size(); ++i) {
    EXPECT_TRUE(sameTensor(got.parts.tensors[i], expected.parts.tensors[i])) << "tensor " << i;
    if (expected.parts.tensors[i].defined() && isDense(expected.parts.tensors[i])) {
      EXPECT_EQ(got.parts.tensors[i].strides(), expected.parts.tensors[i].strides()) << i;
    }
  }
}

at::Tensor ramp(at::IntArrayRef sizes, at::ScalarType type) {
  int64_t count = 1;
  for (const int64_t size : sizes) {
    count *= size;
  }
  return at::arange(count, at::kFloat).remainder(100).to(type).reshape(sizes);
}

RANKS_TEST(Values, EveryDtype) {
  crosses([] {
    Message message;
    for (const at::ScalarType type :
         {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kFloat, at::kDouble,
          at::kComplexHalf, at::kComplexFloat, at::kComplexDouble, at::kBool, at::kBFloat16,
          at::kUInt16, at::kUInt32, at::kUInt64, at::kFloat8_e5m2, at::kFloat8_e4m3fn}) {
      message.parts.tensors.push_back(ramp({3, 5}, type));
      message.parts.tensors.push_back(ramp({1000, 7}, type));
    }
    return message;
  });
}

RANKS_TEST(Values, EveryShape) {
  crosses([] {
    Message message;
    auto& tensors = message.parts.tensors;
    tensors = {at::Tensor(),
               at::scalar_tensor(3.5),
               at::empty({0}),
               at::empty({4, 0, 3}, at::kLong),
               ramp({1}, at::kFloat),
               ramp({2, 1, 3, 1, 2}, at::kInt),
               ramp({1, 1, 1, 1, 1, 1, 1}, at::kByte),
               at::Tensor(),
               ramp({3}, at::kByte)};
    message.parts.bytes = std::string("\0\1\2", 3);
    return message;
  });
}

RANKS_TEST(Values, NonContiguous) {
  crosses([] {
    Message message;
    const at::Tensor base = ramp({40, 50, 3}, at::kFloat);
    message.parts.tensors = {base.transpose(0, 2),
                             base.slice(1, 3, 40, 2),
                             base.select(2, 1),
                             base.select(0, 0).select(0, 0),
                             at::ones({1}).expand({30, 20}),
                             base.slice(0, 5, 10),
                             base.permute({2, 0, 1}).slice(0, 1, 3)};
    return message;
  });
}

/// Around the size from which the MPI carrier sends a tensor from where it lies (32 KB), and beyond.
RANKS_TEST(Values, LargeBesideSmall) {
  crosses([] {
    Message message;
    auto& tensors = message.parts.tensors;
    for (const int64_t size : {32'767, 32'768, 32'769, 4'095, 65'536, 0, 1, 300'001}) {
      tensors.push_back(ramp({size}, at::kByte));
      tensors.push_back(ramp({size / 8, 2}, at::kFloat));
    }
    tensors.push_back(at::Tensor());
    tensors.push_back(at::empty({100'000, 0}));
    message.parts.bytes.assign(50'000, 'y');
    return message;
  });
}

RANKS_TEST(Values, LargeNonContiguous) {
  crosses([] {
    Message message;
    const at::Tensor base = ramp({200, 150, 3}, at::kFloat);
    const at::Tensor z = at::complex(ramp({90, 70}, at::kFloat), ramp({90, 70}, at::kFloat) + 1);
    message.parts.tensors = {base.transpose(0, 2),
                             base.slice(1, 3, 140, 2),
                             base.select(2, 1),
                             base.slice(0, 5, 150),
                             base.slice(0, 5, 150),
                             base.permute({2, 0, 1}).slice(0, 1, 3),
                             base.flatten().unfold(0, 40'000, 20'000),
                             ramp({20'000}, at::kFloat).expand({30, 20'000}),
                             at::ones({1}).expand({300, 200}),
                             z.conj(),
                             at::imag(z.conj()),
                             base.slice(0, 0, 100).requires_grad_()};
    return message;
  });
}

/// One tensor, twice in each message, to everyone and again, while nobody but the messages holds it.
RANKS_TEST(Values, OneLargeTensorToManyConsumers) {
  std::vector<Channel> channels;
  for (int to = 0; to < rig().size(); ++to) {
    channels.push_back(rig().open(Flow::ordered, 2, false, 0, to));
  }
  rig().connect();
  constexpr int kTimes = 6;
  const auto value = [] { return ramp({3, 40'000}, at::kInt); };
  at::Tensor shared = value();
  int let_go = 0;
  std::vector<Step> steps;
  for (const Channel& channel : channels) {
    if (channel.sender) {
      steps.push_back([&, sent = 0]() mutable {
        for (; sent < kTimes; ++sent) {
          Message message;
          message.parts.tensors = {shared, shared.slice(0, 1, 2)};
          if (!channel.sender->trySend(message)) {
            return false;
          }
        }
        if (++let_go == rig().size()) {
          shared.reset();
        }
        return true;
      });
    }
    if (channel.receiver) {
      steps.push_back([&, got = 0]() mutable {
        Message message;
        for (; got < kTimes && channel.receiver->tryReceive(message); ++got) {
          EXPECT_TRUE(sameTensor(message.parts.tensors.at(0), value()));
          EXPECT_TRUE(sameTensor(message.parts.tensors.at(1), value().slice(0, 1, 2)));
        }
        return got == kTimes;
      });
    }
  }
  rig().run(std::move(steps));
  rig().meet();
}

RANKS_TEST(Values, ConjugatedAndRequiringGradients) {
  crosses([] {
    Message message;
    const at::Tensor z = at::complex(ramp({6, 7}, at::kFloat), ramp({6, 7}, at::kFloat) + 1);
    message.parts.tensors = {z.conj(), at::imag(z.conj()), ramp({8}, at::kFloat).requires_grad_()};
    return message;
  });
}

RANKS_TEST(Values, Nothing) {
  crosses([] { return Message(); });
}

RANKS_TEST(Values, BytesOfEveryLength) {
  for (const size_t size : {1, 63, 64, 4096, 300'000, 40'000'000}) {
    crosses([size] {
      Message message;
      message.parts.bytes.assign(size, 'x');
      message.parts.bytes.front() = 'a';
      message.parts.bytes.back() = 'z';
      message.parts.tensors = {at::ones({3})};
      return message;
    });
  }
}

RANKS_TEST(Values, ManyTensors) {
  crosses([] {
    Message message;
    for (int i = 0; i < 3000; ++i) {
      message.parts.tensors.push_back(at::full({i % 7}, i));
    }
    return message;
  });
}

/// Everyone but a consumer in the same rank has a value of its own. (Over MPI that is so of small
/// tensors at once, of large ones when they have arrived.)
RANKS_TEST(Values, BothSidesMayWriteWhatCrossed) {
  std::vector<Channel> channels;
  for (int to = 1; to < rig().size(); ++to) {
    channels.push_back(rig().open(Flow::ordered, 2, to % 2 == 0, 0, to));
  }
  rig().connect();
  const at::Tensor whole = at::zeros({64, 64});
  const at::Tensor part = whole.slice(1, 8, 24);
  std::vector<Step> steps;
  for (const Channel& channel : channels) {
    if (channel.sender) {
      steps.push_back([&] {
        Message message;
        message.parts.tensors = {whole, part};
        const bool is_sent = channel.sender->trySend(message);
        whole.add_(is_sent ? 1 : 0);
        return is_sent;
      });
    }
    if (channel.receiver) {
      steps.push_back([&] {
        Message message;
        if (!channel.receiver->tryReceive(message)) {
          return false;
        }
        at::Tensor& got = message.parts.tensors[0];
        EXPECT_TRUE(sameTensor(got, at::full({64, 64}, rig().rank() - 1, at::kFloat)));
        EXPECT_TRUE(sameTensor(message.parts.tensors[1], got.slice(1, 8, 24)));
        got.fill_(-1);
        return true;
      });
    }
  }
  rig().run(std::move(steps));
  rig().meet();
  EXPECT_TRUE(
      sameTensor(whole, at::full({64, 64}, rig().rank() == 0 ? rig().size() - 1 : 0, at::kFloat)));
}

RANKS_TEST(Values, SparseTensorsAreRefused) {
  const Channel channel = rig().open(Flow::ordered, 2);
  rig().connect();
  if (channel.sender && !channel.sender->passesValues()) {
    Message message;
    message.parts.tensors = {at::ones({3, 3}).to_sparse()};
    EXPECT_THROW(channel.sender->trySend(message), UserError);
    message.parts.tensors = {at::quantize_per_tensor(at::ones({3}), 0.1, 0, at::kQInt8)};
    EXPECT_THROW(channel.sender->trySend(message), UserError);
  }
  rig().meet();
}

}  // namespace
}  // namespace fdg::transport
