#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/transport/Packing.h"

namespace fdg::transport {
namespace {

Message example() {
  Message message;
  message.header.boundary = 3;
  message.header.execution = 41;
  const at::Tensor ramp = at::arange(24, at::kFloat).reshape({2, 3, 4});
  message.parts.tensors = {at::arange(100, at::kFloat).reshape({4, 25}),
                           at::Tensor(),
                           at::empty({0, 7}),
                           at::scalar_tensor(2.5, at::kDouble),
                           at::ones({3}, at::kByte),
                           ramp.permute({2, 0, 1}),
                           at::arange(3, at::kLong).expand({5, 3}),
                           ramp.select(2, 1),
                           ramp.flatten().unfold(0, 4, 2)};
  message.parts.bytes = "plain parts";
  return message;
}

std::shared_ptr<Buffer> imageOf(const Message& message) {
  Image image;
  image.lay(message);
  auto buffer = std::make_shared<Buffer>(image.size());
  std::memset(buffer->data(), 0, buffer->size());
  image.copy(buffer->data(), 0, image.size());
  return buffer;
}

void expectExample(const Message& message) {
  const Message expected = example();
  EXPECT_EQ(message.header.boundary, 3);
  EXPECT_EQ(message.header.execution, 41);
  EXPECT_EQ(message.parts.bytes, expected.parts.bytes);
  ASSERT_EQ(message.parts.tensors.size(), 9U);
  EXPECT_FALSE(message.parts.tensors[1].defined());
  for (const size_t i : {0, 2, 3, 4, 5, 6, 7, 8}) {
    EXPECT_EQ(message.parts.tensors[i].scalar_type(), expected.parts.tensors[i].scalar_type());
    EXPECT_EQ(message.parts.tensors[i].strides(), expected.parts.tensors[i].strides()) << i;
    EXPECT_TRUE(at::equal(message.parts.tensors[i], expected.parts.tensors[i])) << i;
  }
}

TEST(Packing, ComesBackAsCopies) {
  Message message;
  {
    const auto buffer = imageOf(example());
    readImage(buffer->bytes(), nullptr, message);
    std::memset(buffer->data(), 0xFF, buffer->size());
  }
  expectExample(message);
}

TEST(Packing, ViewsKeepTheirMemory) {
  Message message;
  std::weak_ptr<Buffer> memory;
  {
    const auto buffer = imageOf(example());
    memory = buffer;
    readImage(buffer->bytes(), buffer, message);
  }
  expectExample(message);
  EXPECT_FALSE(memory.expired());
  for (const at::Tensor& t : message.parts.tensors) {
    EXPECT_TRUE(!t.defined() || reinterpret_cast<uintptr_t>(t.const_data_ptr()) % 64 == 0);
  }
  message = {};
  EXPECT_TRUE(memory.expired());
}

/// What goes beside an image, as it arrives.
std::vector<std::shared_ptr<Buffer>> besides(const Image& image) {
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (const Image::Piece& piece : image.apart()) {
    buffers.push_back(std::make_shared<Buffer>(piece.size));
    std::memcpy(buffers.back()->data(), piece.data, piece.size);
  }
  return buffers;
}

std::shared_ptr<Buffer> copyOf(const Image& image) {
  auto buffer = std::make_shared<Buffer>(image.size());
  image.copy(buffer->data(), 0, image.size());
  return buffer;
}

TEST(Packing, LargeTensorsMayStayApart) {
  for (const size_t from :
       {size_t{1}, size_t{3}, size_t{24}, size_t{96}, size_t{97}, size_t{401}}) {
    const Message message = example();
    Image image;
    image.lay(message, from);
    for (const Image::Piece& piece : image.apart()) {
      EXPECT_GE(piece.size, from);
    }
    Message back;
    {
      const auto buffer = copyOf(image);
      const auto apart = besides(image);
      readImage(buffer->bytes(), buffer, back, apart);
    }
    expectExample(back);
  }
  Message one;
  one.parts.tensors = {at::arange(1000, at::kFloat)};
  Image image;
  image.lay(one, 4000);
  ASSERT_EQ(image.apart().size(), 1U);
  EXPECT_EQ(image.apart()[0].data, one.parts.tensors[0].const_data_ptr()) << "nothing is copied";
  EXPECT_LT(image.size(), 200U);
  image.clear();
  EXPECT_TRUE(image.apart().empty());
  EXPECT_EQ(one.parts.tensors[0].use_count(), 1U);
}

TEST(Packing, RefusesWhatDoesNotBelongBesideAnImage) {
  Message message;
  message.parts.tensors = {at::arange(1000, at::kFloat), at::ones({3}), at::ones({500})};
  Image image;
  image.lay(message, 1000);
  const auto buffer = copyOf(image);
  const auto apart = besides(image);
  ASSERT_EQ(apart.size(), 2U);
  const auto refuses = [&](const std::vector<std::shared_ptr<Buffer>>& beside) {
    Message back;
    EXPECT_THROW(readImage(buffer->bytes(), buffer, back, beside), UserError) << beside.size();
  };
  refuses({});
  refuses({apart[0]});
  refuses({apart[1], apart[0]});
  refuses({apart[0], apart[1], apart[1]});
  refuses({apart[0], std::make_shared<Buffer>(1996)});
  refuses({apart[0], std::make_shared<Buffer>(2001)});
  refuses({apart[0], std::make_shared<Buffer>(0)});
  Message whole;
  whole.parts = message.parts;
  image.lay(whole);
  Message back;
  EXPECT_THROW(readImage(copyOf(image)->bytes(), buffer, back, apart), UserError);
}

TEST(Packing, CopiesAnyRange) {
  const Message message = example();
  const auto whole = imageOf(message);
  Image image;
  image.lay(message);
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{64}, size_t{100}, size_t{333}}) {
    Buffer joined(image.size());
    std::memset(joined.data(), 0, joined.size());
    for (size_t at = 0; at < image.size(); at += piece) {
      image.copy(joined.data() + at, at, std::min(at + piece, image.size()));
    }
    EXPECT_EQ(std::memcmp(joined.data(), whole->data(), joined.size()), 0) << piece;
  }
}

TEST(Packing, LargeGapsStayBehind) {
  Message message;
  message.parts.tensors = {at::arange(1000, at::kFloat).reshape({100, 10}).select(1, 3),
                           at::arange(2, at::kFloat).expand({1000, 2})};
  Image image;
  image.lay(message);
  EXPECT_LT(image.size(), 1000U);
  Message back;
  const auto buffer = imageOf(message);
  readImage(buffer->bytes(), nullptr, back);
  for (const size_t i : {0, 1}) {
    EXPECT_TRUE(at::equal(back.parts.tensors[i], message.parts.tensors[i])) << i;
  }
  EXPECT_TRUE(back.parts.tensors[0].is_contiguous());
  EXPECT_EQ(back.parts.tensors[1].strides(), message.parts.tensors[1].strides());
}

TEST(Packing, RefusesEveryCutImage) {
  const auto buffer = imageOf(example());
  Message message;
  for (size_t size = 0; size < buffer->size(); ++size) {
    EXPECT_THROW(readImage(buffer->bytes().first(size), nullptr, message), UserError) << size;
  }
}

TEST(Packing, NeverReadsOutsideADamagedImage) {
  // Every byte of the front (header, entries, plain parts) is replaced; the reader refuses or reads
  // on within the image. The sanitizers watch the bounds.
  for (const size_t apart_from : {size_t{100'000}, size_t{90}}) {
    Image image;
    const Message sent = example();
    image.lay(sent, apart_from);
    const auto good = copyOf(image);
    const auto apart = besides(image);
    const size_t front = std::min<size_t>(good->size(), 700);
    int refused = 0;
    for (size_t at = 0; at < front; ++at) {
      for (const int value : {0x00, 0x01, 0x02, 0x7F, 0x80, 0xFF}) {
        Buffer bad(good->size());
        std::memcpy(bad.data(), good->data(), good->size());
        bad.data()[at] = static_cast<std::byte>(value);
        Message message;
        try {
          readImage(bad.bytes(), nullptr, message, apart);
        } catch (const UserError& error) {
          EXPECT_THAT(error.what(), ::testing::HasSubstr("damaged"));
          ++refused;
        }
      }
    }
    EXPECT_GT(refused, 100);
  }
}

TEST(BufferPool, GivesALargeBufferAgainWhenNobodyHoldsIt) {
  const auto pool = std::make_shared<BufferPool>();
  auto first = pool->take(100'000);
  const std::byte* memory = first->data();
  auto held = pool->take(100'000);
  EXPECT_NE(held->data(), memory);
  first.reset();
  auto again = pool->take(80'000);
  EXPECT_EQ(again->data(), memory);
  EXPECT_EQ(again->size(), 80'000U);
  again.reset();
  EXPECT_NE(pool->take(40'000)->data(), memory) << "more than twice of what it needs";
  EXPECT_EQ(pool->take(100'000)->data(), memory);
}

TEST(BufferPool, MayEndBeforeItsBuffers) {
  auto pool = std::make_shared<BufferPool>();
  auto buffer = pool->take(100'000);
  pool.reset();
  std::memset(buffer->data(), 1, buffer->size());
}

TEST(BufferPool, KeepsNoMoreThan64Megabytes) {
  const auto pool = std::make_shared<BufferPool>();
  auto large = pool->take(40 << 20);
  auto larger = pool->take(50 << 20);
  const std::byte* memory = larger->data();
  large.reset();
  larger.reset();
  EXPECT_EQ(pool->take(50 << 20)->data(), memory);
}

}  // namespace
}  // namespace fdg::transport
