// Which waits are for ranks that wait for this one too: those may give the core away.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/host/FragmentHost.h"
#include "tests/unit/host/Sample.h"

namespace fdg::host {
namespace {

/// Two replicas that exchange their terms, each on a rank; with `beside` a third rank does something
/// else.
class Replicas {
 public:
  explicit Replicas(bool beside)
      : manifest_(twoFragments(OperationKind::reduce_sum)),
        placement_(placed(2, 1)),
        transports_(transport::makeThreadTransports(beside ? 3 : 2)) {
    manifest_.boundaries[0].consumers = {0};
    placement_.instances[1].rank = 1;
    placement_.instances[2].rank = 2;
    if (!beside) {
      placement_.instances.pop_back();
    }
    topology_ = layOut(manifest_, placement_);
    for (const auto& transport : transports_) {
      batches_.push_back(std::make_unique<Batch>());
      contexts_.push_back(std::make_unique<HostContext>(HostContext{
          .manifest = manifest_,
          .placement = placement_,
          .topology = topology_,
          .transport = *transport,
          .batch = *batches_.back(),
          .tick = [](auto) {}}));
    }
    for (size_t i = 0; i < transports_.size(); ++i) {
      hosts_.push_back(std::make_unique<FragmentHost>(*contexts_[i], topology_.endpoints[i]));
    }
    std::vector<std::jthread> threads;
    for (const auto& transport : transports_) {
      threads.emplace_back([&transport] { transport->connect(); });
    }
  }

  FragmentHost& operator[](size_t i) { return *hosts_[i]; }

 private:
  Manifest manifest_;
  place::Placement placement_;
  Topology topology_;
  std::vector<std::unique_ptr<transport::Transport>> transports_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<std::unique_ptr<HostContext>> contexts_;
  std::vector<std::unique_ptr<FragmentHost>> hosts_;
};

TEST(Equals, AreWaitedForWhileATermIsMissing) {
  Replicas replicas(/*beside=*/false);
  Box one = Box::of(std::tuple(at::ones({3})));
  Box two = Box::of(std::tuple(at::ones({3})));
  EXPECT_FALSE(replicas[0].waitsForEquals()) << "it computes";
  ASSERT_FALSE(replicas[0].tryExchange(0, one));
  EXPECT_TRUE(replicas[0].waitsForEquals());
  ASSERT_TRUE(replicas[1].tryExchange(0, two));
  EXPECT_FALSE(replicas[1].waitsForEquals());
  ASSERT_TRUE(replicas[0].tryExchange(0, one));
  EXPECT_FALSE(replicas[0].waitsForEquals());
}

TEST(Equals, AreNoneWhereARankDoesSomethingElse) {
  Replicas replicas(/*beside=*/true);
  Box one = Box::of(std::tuple(at::ones({3})));
  ASSERT_FALSE(replicas[0].tryExchange(0, one));
  EXPECT_FALSE(replicas[0].waitsForEquals());
}

}  // namespace
}  // namespace fdg::host
