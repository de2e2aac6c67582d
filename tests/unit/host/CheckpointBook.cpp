#include "runtime/host/CheckpointBook.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "runtime/host/Pace.h"
#include "tests/unit/host/Sample.h"

namespace fdg::host {
namespace {

namespace fs = std::filesystem;

/// A producer and a consumer that go through one loop.
Manifest oneLoop() {
  Manifest manifest = twoFragments(OperationKind::broadcast);
  LoopInfo loop;
  loop.id = 0;
  loop.has_boundary = true;
  loop.fragments = {0, 1};
  manifest.loops = {loop};
  manifest.boundaries[0].loops = {0};
  return manifest;
}

class Book : public testing::Test {
 protected:
  Book() : topology_(layOut(manifest_, placement_)) {
    setup_.folder = testing::TempDir() + "/book-" + std::to_string(::getpid());
    setup_.every_iterations = 10;
    book_ = std::make_unique<CheckpointBook>(
        setup_, manifest_, placement_, topology_,
        [this](const CheckpointOrder& order) { orders_.push_back(order); },
        [](const std::vector<Point>&) { return std::optional(Written()); });
  }
  ~Book() override { fs::remove_all(setup_.folder); }

  /// As the fragment does at the head of iteration 10.
  void saves(int fragment) {
    const std::string name = checkpoint::nameOf({0, 10}, manifest_);
    checkpoint::openFolder(setup_.folder, name);
    Batch batch;
    StateRecord state;
    state.checkpoint = name;
    state.saved.fragment = fragment;
    state.saved.replicas = {0, 1, 1};
    state.saved.point = {0, 10};
    state.saved.file = std::to_string(fragment);
    batch.states.push_back(state);
    book_->accept(batch);
    book_->tick(10);
  }
  void ends(int fragment) {
    Batch batch;
    FragmentRecord record;
    record.fragment = fragment;
    record.reached = endPosition();
    batch.fragments.push_back(record);
    book_->accept(batch);
    book_->tick(10);
  }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(setup_.folder)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  Manifest manifest_ = oneLoop();
  place::Placement placement_ = placed(1, 1);
  Topology topology_;
  CheckpointSetup setup_;
  std::vector<CheckpointOrder> orders_;
  std::unique_ptr<CheckpointBook> book_;
};

TEST_F(Book, ClosesWhatAllHaveSaved) {
  saves(0);
  EXPECT_EQ(left(), std::vector<std::string>{".iteration-000000010"});
  saves(1);
  EXPECT_EQ(left(), std::vector<std::string>{"iteration-000000010"});
}

TEST_F(Book, WhatIsGivenUpIsRemovedAtOnce) {
  saves(0);
  ends(1);
  ASSERT_EQ(orders_.size(), 1);
  EXPECT_EQ(orders_[0].kind, CheckpointOrder::Kind::over);
  EXPECT_TRUE(left().empty());
  saves(0);  // one more of its replicas, which came later
  EXPECT_TRUE(left().empty());
}

}  // namespace
}  // namespace fdg::host
