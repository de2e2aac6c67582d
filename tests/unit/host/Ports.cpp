#include <gtest/gtest.h>

#include <limits>

#include "runtime/host/Finite.h"
#include "tests/unit/host/Exchange.h"

namespace fdg::host {
namespace {

at::Tensor rows(Rows range) { return at::arange(range.begin, range.end, at::kLong); }

TEST(Ports, RowsReachTheirOwnersForAnyCounts) {
  for (int64_t producers = 1; producers <= 5; ++producers) {
    for (int64_t consumers = 1; consumers <= 5; ++consumers) {
      for (const int64_t fused : {1, 2, 3}) {
        for (const int64_t total : {0, 1, 3, 4, 7, 12}) {
          Exchange exchange(OperationKind::scatter, placed(producers, consumers, fused));
          for (size_t p = 0; p < exchange.producers().size(); ++p) {
            ASSERT_TRUE(exchange.send(p, rows(cutRows(total, exchange.producers()[p].replicas))));
          }
          for (size_t c = 0; c < exchange.consumers().size(); ++c) {
            const auto got = exchange.receive(c);
            ASSERT_TRUE(got.has_value());
            EXPECT_TRUE(at::equal(*got, rows(cutRows(total, exchange.consumers()[c].replicas))))
                << producers << "/" << fused << " -> " << consumers << ", " << total
                << " rows, consumer " << c;
          }
        }
      }
    }
  }
}

TEST(Ports, AGatherOfVaryingRowsNamesBothSizes) {
  Exchange exchange(OperationKind::gather, placed(2, 1));
  ASSERT_TRUE(exchange.send(0, at::zeros({5})));
  ASSERT_TRUE(exchange.send(1, at::zeros({2})));
  try {
    exchange.receive(0);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("line 7"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("5 rows"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("append"), std::string::npos);
  }
}

TEST(Ports, WhatHasNoRowsNowIsToldFromWhatNeverHas) {
  for (const at::Tensor& without : {at::Tensor(), at::scalar_tensor(1)}) {
    Exchange exchange(OperationKind::gather, placed(2, 1));
    try {
      exchange.send(0, without);
      FAIL();
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("line 7"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("tensor or vector of 0 rows"), std::string::npos);
    }
  }
}

TEST(Ports, AppendTakesAnyNumberOfRowsInProducerOrder) {
  Exchange exchange(OperationKind::append, placed(3, 1));
  ASSERT_TRUE(exchange.send(2, at::full({1}, 2)));
  ASSERT_TRUE(exchange.send(0, at::full({3}, 0)));
  EXPECT_FALSE(exchange.receive(0).has_value());
  ASSERT_TRUE(exchange.send(1, at::full({0}, 1)));
  const auto got = exchange.receive(0);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->size(0), 4);
  EXPECT_EQ((*got)[3].item<int64_t>(), 2);
}

TEST(Ports, AppendToMoreConsumersThanProducersIsRefused) {
  EXPECT_THROW(Exchange(OperationKind::append, placed(2, 3)), UserError);
}

TEST(Ports, WholesThatDifferAreFound) {
  Exchange same(OperationKind::broadcast, placed(2, 2));
  ASSERT_TRUE(same.send(0, at::ones({3})));
  ASSERT_TRUE(same.send(1, at::ones({3})));
  EXPECT_TRUE(same.receive(0).has_value());
  EXPECT_TRUE(same.receive(1).has_value());

  Exchange differs(OperationKind::broadcast, placed(2, 1));
  ASSERT_TRUE(differs.send(0, at::ones({3})));
  ASSERT_TRUE(differs.send(1, at::zeros({3})));
  EXPECT_THROW(differs.receive(0), UserError);
}

TEST(Ports, ReductionsFoldInReplicaOrder) {
  Exchange exchange(OperationKind::reduce_sum, placed(3, 2));
  for (size_t p : {2, 0, 1}) {
    ASSERT_TRUE(exchange.send(p, at::full({1}, 0.1F * static_cast<float>(p + 1))));
  }
  const float expected = (0.1F + 0.2F) + 0.1F * 3;
  EXPECT_EQ(exchange.receive(0)->item<float>(), expected);
  EXPECT_EQ(exchange.receive(1)->item<float>(), expected);
}

TEST(Ports, MeanOfUnequalSharesAsksForWeights) {
  Exchange exchange(OperationKind::reduce_mean, placed(2, 1));
  ASSERT_TRUE(exchange.send(0, at::ones({3})));
  ASSERT_TRUE(exchange.send(1, at::ones({2})));
  try {
    exchange.receive(0);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("fdg::weighted"), std::string::npos);
  }
}

TEST(Ports, TheWindowHoldsTheSenderBack) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].window = 2;
  Exchange exchange(OperationKind::gather, placement);
  EXPECT_TRUE(exchange.send(0, at::zeros({1})));
  EXPECT_TRUE(exchange.send(0, at::zeros({1})));
  EXPECT_FALSE(exchange.send(0, at::zeros({1})));
  EXPECT_TRUE(exchange.receive(0).has_value());
  EXPECT_TRUE(exchange.send(0, at::zeros({1})));
}

/// Under `single` each value would else be counted twice by two, and none of them needs it.
TEST(Ports, AValueThatNobodyKeepsMovesToItsConsumer) {
  for (const bool keeps : {false, true}) {
    place::Placement placement = placed(1, 1);
    placement.boundaries[0].window = 1;
    Exchange exchange(OperationKind::gather, placement);
    ASSERT_TRUE(exchange.send(0, at::zeros({1})));
    Box value = Box::of(Rowed(at::full({2}, 5)));
    const void* sent = value.data();
    ASSERT_FALSE(exchange.sender(0).trySend(value, 0, 2, keeps));
    EXPECT_EQ(value.hasValue(), keeps);
    ASSERT_TRUE(exchange.receive(0).has_value());
    ASSERT_TRUE(exchange.sender(0).trySend(value, 0, 2, keeps));
    Box box(opsOf<Rowed>(), nullptr);
    ASSERT_TRUE(exchange.receiver(0).tryReceive(box, nullptr, 0, false));
    EXPECT_EQ(box.data() == sent, !keeps);
    EXPECT_EQ(std::get<0>(box.get<Rowed>())[1].item<int64_t>(), 5);
    if (keeps) {
      EXPECT_EQ(std::get<0>(value.get<Rowed>())[1].item<int64_t>(), 5);
    }
  }
}

TEST(Ports, AnEndedProducerClosesItsConsumer) {
  Exchange exchange(OperationKind::gather, placed(1, 1));
  ASSERT_TRUE(exchange.send(0, at::zeros({1})));
  exchange.sender(0).close();
  EXPECT_TRUE(exchange.receive(0).has_value());
  EXPECT_THROW(exchange.receive(0), Closed);
}

TEST(Ports, AnEndedConsumerClosesItsProducer) {
  Exchange exchange(OperationKind::gather, placed(1, 1));
  exchange.receiver(0).close();
  EXPECT_THROW(exchange.send(0, at::zeros({1})), Closed);
}

TEST(Ports, AProducerWithABoundOfItsOwnGoesOnAlone) {
  for (const int64_t pack : {0, 5}) {
    place::Placement placement = placed(1, 1);
    placement.boundaries[0].mode = place::Mode::drain;
    placement.boundaries[0].pack = pack;
    Exchange exchange(OperationKind::append, placement);
    exchange.receiver(0).close();
    EXPECT_THROW(exchange.send(0, at::zeros({1})), Closed);
    exchange.sender(0).goOnAlone();
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(exchange.send(0, at::zeros({1})));
    }
  }
}

TEST(Ports, AProducerThatIsNeverDoneDoesNotKeepItsConsumer) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].mode = place::Mode::drain;
  placement.boundaries[0].behind = -1;
  Exchange exchange(OperationKind::append, placement);
  ASSERT_TRUE(exchange.send(0, at::zeros({1})));
  int64_t runs = 0;
  const int64_t taken = exchange.receiver(0).drain(opsOf<Rowed>(), 0, [&](Box&) {
    ASSERT_LT(++runs, 100);
    ASSERT_TRUE(exchange.send(0, at::zeros({1})));
  });
  EXPECT_EQ(taken, placement.boundaries[0].window);
}

TEST(Ports, PackHoldsSmallMessagesBack) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].mode = place::Mode::drain;
  placement.boundaries[0].pack = 5;
  Exchange exchange(OperationKind::append, placement);
  std::vector<int64_t> sizes;
  const auto drain = [&] {
    exchange.receiver(0).drain(opsOf<Rowed>(), 100, [&](Box& box) {
      sizes.push_back(std::get<0>(box.get<Rowed>()).size(0));
    });
  };
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(exchange.send(0, at::zeros({2})));
    drain();
  }
  EXPECT_EQ(sizes, (std::vector<int64_t>{6}));
}

TEST(Ports, APackOfMoreIterationsThanAheadAndBehindIsTaken) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].mode = place::Mode::drain;
  placement.boundaries[0].pack = 50;
  placement.boundaries[0].ahead = placement.boundaries[0].behind = 2;
  Exchange exchange(OperationKind::append, placement);
  int64_t taken = 0;
  int64_t consumer = 0;
  for (int64_t producer = 0; producer < 100; ++producer) {
    ASSERT_TRUE(exchange.send(0, at::zeros({1}), producer));
    taken += exchange.receiver(0).drain(opsOf<Rowed>(), consumer - 1, [](Box&) {});
    for (; exchange.receiver(0).mayStart(consumer); ++consumer) {
    }
  }
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(consumer, 103);  // as far ahead as it may be of iteration 99
}

TEST(Ports, ValuesComeToTheConsumersDevice) {
  for (const OperationKind operation : {OperationKind::gather, OperationKind::broadcast}) {
    place::Placement placement = placed(2, 1);
    placement.instances.back().device = "meta";
    Exchange exchange(operation, placement);
    ASSERT_TRUE(exchange.send(0, at::zeros({2, 3})));
    ASSERT_TRUE(exchange.send(1, at::zeros({2, 3})));
    const auto got = exchange.receive(0);
    EXPECT_TRUE(got->is_meta());
    EXPECT_EQ(got->sizes(),
              (operation == OperationKind::gather ? at::IntArrayRef{4, 3} : at::IntArrayRef{2, 3}));
  }
}

TEST(Ports, TakeRunsTheBlockOnThatManyRows) {
  place::Placement placement = placed(2, 1);
  placement.boundaries[0].mode = place::Mode::drain;
  placement.boundaries[0].take = 4;
  Exchange exchange(OperationKind::append, placement);
  std::vector<int64_t> sizes;
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(exchange.send(static_cast<size_t>(i % 2), at::zeros({3})));
    exchange.receiver(0).drain(opsOf<Rowed>(), 100, [&](Box& box) {
      sizes.push_back(std::get<0>(box.get<Rowed>()).size(0));
    });
  }
  EXPECT_EQ(sizes, (std::vector<int64_t>{4, 4, 4, 4}));
}

TEST(Ports, TheOnlyTermOfAReductionMustBeFiniteToo) {
  Exchange exchange(OperationKind::reduce_mean, placed(1, 1));
  ASSERT_TRUE(exchange.send(0, at::ones({1000})));
  EXPECT_TRUE(exchange.receive(0).has_value());
  at::Tensor bad = at::ones({1000});
  bad[999] = -std::numeric_limits<float>::infinity();
  ASSERT_TRUE(exchange.send(0, bad));
  EXPECT_THROW(exchange.receive(0), UserError);
}

TEST(Ports, FiniteOfEveryKind) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(isFinite(at::full({3}, std::numeric_limits<float>::max())));
  EXPECT_TRUE(isFinite(at::full({3}, -std::numeric_limits<double>::max(), at::kDouble)));
  EXPECT_TRUE(isFinite(at::zeros({0})));
  EXPECT_TRUE(isFinite(at::Tensor()));
  EXPECT_TRUE(isFinite(at::ones({3}, at::kLong)));
  EXPECT_FALSE(isFinite(at::full({3}, nan)));
  EXPECT_FALSE(isFinite(at::full({3}, nan, at::kDouble)));
  EXPECT_FALSE(isFinite(at::full({3}, nan, at::kHalf)));
  EXPECT_FALSE(isFinite(at::full({4, 4}, nan).t()));
  EXPECT_FALSE(isFinite(at::full({4, 4}, nan).slice(1, 0, 4, 2)));
}

TEST(Ports, NewestGivesTheLastVersionAgain) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].mode = place::Mode::newest;
  Exchange exchange(OperationKind::broadcast, placement);
  EXPECT_FALSE(exchange.receive(0).has_value());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(exchange.send(0, at::full({1}, i)));
  }
  EXPECT_EQ(exchange.receive(0)->item<int64_t>(), 9);
  EXPECT_EQ(exchange.receive(0)->item<int64_t>(), 9);
}

TEST(Ports, AReaderThatIsTooFarBehindWaits) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].mode = place::Mode::newest;
  placement.boundaries[0].max_staleness = 2;
  Exchange exchange(OperationKind::broadcast, placement);
  ASSERT_TRUE(exchange.send(0, at::full({1}, 0)));
  for (int read = 0; read < 3; ++read) {  // readings 0, 1 and 2 may have version 0
    EXPECT_EQ(exchange.receive(0)->item<int64_t>(), 0);
  }
  EXPECT_FALSE(exchange.receive(0).has_value());
  EXPECT_TRUE(exchange.receiver(0).isTooOld());
  ASSERT_TRUE(exchange.send(0, at::full({1}, 1)));
  EXPECT_EQ(exchange.receive(0)->item<int64_t>(), 1);
  EXPECT_FALSE(exchange.receive(0).has_value());
  exchange.sender(0).close();  // no newer one will come
  EXPECT_EQ(exchange.receive(0)->item<int64_t>(), 1);
}

TEST(Ports, VersionsGoOnAfterACheckpoint) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].mode = place::Mode::newest;
  placement.boundaries[0].max_staleness = 1;
  value::Parts saved;
  Archive saver = Archive::saver(saved);
  {
    Exchange exchange(OperationKind::broadcast, placement);
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(exchange.send(0, at::full({1}, i)));
      ASSERT_TRUE(exchange.receive(0).has_value());
    }
    exchange.receiver(0).archive(saver);
    exchange.sender(0).archive(saver);
  }
  Archive loader = Archive::restorer(saved);
  Exchange exchange(OperationKind::broadcast, placement);
  exchange.receiver(0).archive(loader);
  exchange.sender(0).archive(loader);
  EXPECT_EQ(exchange.receive(0)->item<int64_t>(), 4);  // reading 5
  EXPECT_FALSE(exchange.receive(0).has_value());       // reading 6 wants version 5
  ASSERT_TRUE(exchange.send(0, at::full({1}, 5)));
  EXPECT_EQ(exchange.receive(0)->item<int64_t>(), 5);
}

TEST(Ports, WhatPackHoldsBackGoesOutWhenAsked) {
  place::Placement placement = placed(1, 1);
  placement.boundaries[0].mode = place::Mode::drain;
  placement.boundaries[0].pack = 10;
  placement.boundaries[0].window = 1;
  Exchange exchange(OperationKind::append, placement);
  const auto drained = [&] {
    int64_t rows = 0;
    exchange.receiver(0).drain(opsOf<Rowed>(), 100,
                               [&](Box& box) { rows += std::get<0>(box.get<Rowed>()).size(0); });
    return rows;
  };
  for (int i = 0; i < 2; ++i) {  // the second finds no room, and stays
    ASSERT_TRUE(exchange.send(0, at::zeros({3})));
    exchange.sender(0).sendHeld(0);
  }
  EXPECT_FALSE(exchange.send(0, at::zeros({4})));  // its turn comes behind what stayed
  EXPECT_EQ(drained(), 3);
  EXPECT_TRUE(exchange.send(0, at::zeros({4})));
  EXPECT_EQ(drained(), 3);
  exchange.sender(0).sendHeld(0);
  EXPECT_EQ(drained(), 4);
}

}  // namespace
}  // namespace fdg::host
