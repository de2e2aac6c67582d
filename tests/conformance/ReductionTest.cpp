// Reductions between replicas: whatever carries them, every replica gets the bits that reducing all
// terms in one process gives, and every replica refuses what one must not reduce.
#include <algorithm>
#include <limits>

#include "runtime/host/ReceivePort.h"
#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

using host::Box;

using Tensors = std::vector<at::Tensor>;

/// Boundaries of a fragment with `per_rank` replicas on every rank, which all get each result.
class Replicas {
 public:
  explicit Replicas(std::vector<OperationKind> operations, int per_rank = 1) : per_rank_(per_rank) {
    manifest_.fragments.resize(1);
    manifest_.fragments[0].name = "learner";
    for (const OperationKind operation : operations) {
      BoundaryInfo boundary;
      boundary.id = static_cast<int>(manifest_.boundaries.size());
      boundary.name = "gradients";
      boundary.line = 7;
      boundary.operation = operation;
      boundary.producer = 0;
      boundary.consumers = {0};
      manifest_.boundaries.push_back(boundary);
    }
    placement_.ranks = rig().size();
    placement_.groups = {"all"};
    placement_.replicas = {count()};
    placement_.boundaries.resize(operations.size());
    for (int i = 0; i < count(); ++i) {
      placement_.instances.push_back({i, 0, {i, i + 1, count()}, i / per_rank, "cpu", {0}});
    }
    const int offset = 1000 * rig().nextNumber();  // a channel is named by its endpoints
    topology_ = host::layOut(manifest_, placement_);
    for (host::BoundaryTopology& boundary : topology_.boundaries) {
      for (auto* endpoints : {&boundary.producers, &boundary.members}) {
        for (host::Endpoint& endpoint : *endpoints) {
          endpoint.id += offset;
        }
      }
      for (host::Route& route : boundary.routes) {
        route.from += offset;
        route.to += offset;
        route.channel.producer += offset;
        route.channel.consumer += offset;
      }
    }
    for (int i = 0; i < per_rank; ++i) {
      host::Endpoint self = topology_.endpoints[static_cast<size_t>(rig().rank() * per_rank + i)];
      self.id += offset;
      Replica& replica = replicas_.emplace_back();
      for (size_t b = 0; b < operations.size(); ++b) {
        replica.out.push_back(
            std::make_unique<host::SendPort>(manifest_.boundaries[b], placement_.boundaries[b],
                                             topology_.boundaries[b], self, rig().transport()));
        replica.in.push_back(
            std::make_unique<host::ReceivePort>(manifest_.boundaries[b], placement_.boundaries[b],
                                                topology_.boundaries[b], self, rig().transport()));
      }
    }
    rig().connect();
  }

  int count() const { return per_rank_ * rig().size(); }
  int first() const { return per_rank_ * rig().rank(); }

  /// term(replica) goes in; the results of this rank's replicas.
  template <class T, class Term>
  std::vector<T> reduce(size_t boundary, const Term& term, int64_t rows = 1) {
    std::vector<Step> steps;
    std::vector<Box> results(static_cast<size_t>(per_rank_));
    for (int i = 0; i < per_rank_; ++i) {
      Replica& replica = replicas_[static_cast<size_t>(i)];
      Box& result = results[static_cast<size_t>(i)];
      Box own = Box::of(T(term(first() + i)));
      result = own;
      steps.push_back([&replica, &result, own, boundary, rows, sent = false]() mutable -> Turn {
        sent = sent || replica.out[boundary]->trySend(own, 0, rows, /*keeps=*/true);
        return sent && replica.in[boundary]->tryReceive(result, &own, rows, false);
      });
    }
    rig().run(std::move(steps));
    std::vector<T> values;
    for (Box& result : results) {
      values.push_back(result.get<T>());
    }
    return values;
  }

  void close(int replica) {
    for (const auto& port : replicas_[static_cast<size_t>(replica)].out) {
      port->close();
    }
    for (const auto& port : replicas_[static_cast<size_t>(replica)].in) {
      port->close();
    }
  }

 private:
  struct Replica {
    std::vector<std::unique_ptr<host::SendPort>> out;
    std::vector<std::unique_ptr<host::ReceivePort>> in;
  };

  int per_rank_;
  Manifest manifest_;
  place::Placement placement_;
  host::Topology topology_;
  std::vector<Replica> replicas_;
};

at::Tensor numbers(at::IntArrayRef sizes, at::ScalarType type, int64_t seed) {
  at::Generator generator = at::detail::createCPUGenerator(static_cast<uint64_t>(seed));
  if (type == at::kBool) {
    return at::randint(0, 2, sizes, generator, at::kLong).to(at::kBool);
  }
  if (at::isIntegralType(type, false)) {
    return at::randint(-1000, 1000, sizes, generator, at::kLong).to(type);
  }
  return at::randn(sizes, generator, at::kDouble).to(type);
}

template <class Term>
Tensors allTerms(const Replicas& replicas, const Term& term) {
  Tensors terms;
  for (int i = 0; i < replicas.count(); ++i) {
    terms.push_back(term(i));
  }
  return terms;
}

/// Reduces what term(replica) gives and compares with all terms reduced here, strides as well.
template <class Term>
void expectReduced(Replicas& replicas, size_t boundary, OperationKind how, const Term& term) {
  const std::vector<double> weights(static_cast<size_t>(replicas.count()), 1.0);
  const at::Tensor wanted = replicas.count() == 1
                                ? term(0)
                                : value::reduceTensors(how, allTerms(replicas, term), weights);
  for (const auto& result : replicas.reduce<std::tuple<at::Tensor>>(
           boundary, [&](int replica) { return std::tuple(term(replica)); })) {
    ASSERT_TRUE(sameTensor(std::get<0>(result), wanted));
    ASSERT_EQ(std::get<0>(result).strides(), wanted.strides());
  }
}

/// What the reduction of these terms says; it is the same on all replicas.
template <class T, class Term>
void expectRefused(Replicas& replicas, const Term& term, const std::string& part) {
  try {
    replicas.reduce<T>(0, term);
    FAIL() << "reduced what should have been refused: " << part;
  } catch (const UserError& error) {
    ASSERT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    ASSERT_NE(std::string(error.what()).find("line 7"), std::string::npos) << error.what();
  }
  rig().meet();
}

constexpr OperationKind kSum = OperationKind::reduce_sum;
constexpr OperationKind kMean = OperationKind::reduce_mean;

RANKS_TEST(Reduction, FoldsWhereRanksShareMemory) {
  FoldSpec spec;
  spec.self = static_cast<size_t>(rig().rank());
  for (int rank = 0; rank < rig().size(); ++rank) {
    spec.members.push_back(rank);
    spec.ranks.push_back(rank);
  }
  const auto folding = rig().transport().openFolding(spec);
  const auto again = rig().transport().openFolding(spec);
  rig().connect();
  EXPECT_EQ(folding, again);
  const std::vector<int> nodes = rig().transport().leaders();
  const bool is_one_node = std::ranges::count(nodes, nodes.front()) == rig().size();
  EXPECT_EQ(folding != nullptr && folding->works(), rig().carrier() == "shared" && is_one_node);
  rig().meet();
}

RANKS_TEST(Reduction, GivesTheSameBitsForAnySize) {
  Replicas replicas({kSum, kMean});
  int64_t seed = 0;
  for (const int64_t size : {0, 1, 3, 8191, 8192, 8193, 65'537, 262'144, 1'000'003}) {
    for (const size_t boundary : {0, 1}) {
      ++seed;
      expectReduced(replicas, boundary, boundary == 0 ? kSum : kMean,
                    [&](int replica) { return numbers({size}, at::kFloat, 100 * seed + replica); });
    }
  }
  rig().meet();
}

RANKS_TEST(Reduction, GivesTheSameBitsForEveryTypeAndOperation) {
  const std::vector<OperationKind> operations = {kSum, kMean, OperationKind::reduce_max};
  Replicas replicas({kSum, kMean, OperationKind::reduce_max, OperationKind::reduce_all,
                     OperationKind::reduce_any});
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong,
                                    at::kInt, at::kShort, at::kByte, at::kComplexFloat}) {
    for (size_t boundary = 0; boundary < operations.size(); ++boundary) {
      const OperationKind how = operations[boundary];
      const bool is_complex = type == at::kComplexFloat;
      if ((how == kMean && !at::isFloatingType(type)) || (is_complex && how != kSum)) {
        continue;
      }
      expectReduced(replicas, boundary, how, [&](int replica) {
        return numbers({100'003}, type, 17 * replica + static_cast<int64_t>(type));
      });
    }
  }
  for (const size_t boundary : {3, 4}) {
    const auto how = boundary == 3 ? OperationKind::reduce_all : OperationKind::reduce_any;
    expectReduced(replicas, boundary, how,
                  [&](int replica) { return numbers({200'001}, at::kBool, replica); });
  }
  rig().meet();
}

RANKS_TEST(Reduction, KeepsTheStridesOfAReductionInOneProcess) {
  Replicas replicas({kSum, kMean, OperationKind::reduce_max});
  const std::vector<OperationKind> operations = {kSum, kMean, OperationKind::reduce_max};
  const std::vector<std::function<at::Tensor(int)>> terms = {
      [](int r) {
        return numbers({130, 251}, at::kFloat, r).t();
      },
      [](int r) {
        return numbers({200, 300}, at::kFloat, r).narrow(1, 7, 111);
      },
      [](int r) {
        return r == 0 ? numbers({130, 251}, at::kFloat, r).t() : numbers({251, 130}, at::kFloat, r);
      },
      [](int r) {
        return r != 0 ? numbers({130, 251}, at::kFloat, r).t() : numbers({251, 130}, at::kFloat, r);
      },
      [](int r) {
        return numbers({2, 8, 40, 40}, at::kFloat, r).contiguous(at::MemoryFormat::ChannelsLast);
      },
      [](int r) {
        return numbers({1, 300}, at::kDouble, r).expand({50, 300});
      }};
  for (size_t boundary = 0; boundary < operations.size(); ++boundary) {
    for (const auto& term : terms) {
      expectReduced(replicas, boundary, operations[boundary], term);
    }
  }
  rig().meet();
}

RANKS_TEST(Reduction, ReducesValuesWithOtherFieldsThanTensors) {
  Replicas replicas({kMean});
  for (int round = 0; round < 20; ++round) {
    const auto term = [&](int replica) {
      const at::Tensor weight = numbers({50'000 + round}, at::kFloat, 31 * round + replica);
      const Tensors more = {numbers({round}, at::kDouble, replica), at::Tensor(),
                            numbers({3, 4001}, at::kFloat, round + replica)};
      const double loss = 0.1 * replica + round;
      return std::tuple(weighted(std::tuple(weight, more, loss), 1.0 + 2 * replica));
    };
    using Term = decltype(term(0));
    std::vector<Term> terms;
    std::vector<const Term*> pointers;
    std::vector<double> weights;
    for (int i = 0; i < replicas.count(); ++i) {
      terms.push_back(term(i));
    }
    for (const Term& one : terms) {
      pointers.push_back(&one);
      weights.push_back(std::get<0>(one).weight);
    }
    const Term wanted = value::reduceTerms<Term>(kMean, pointers, weights);
    for (const Term& result : replicas.reduce<Term>(0, term)) {
      value::Parts a, b;
      value::pack(result, a);
      value::pack(wanted, b);
      ASSERT_TRUE(value::sameParts(a, b));
    }
  }
  rig().meet();
}

RANKS_TEST(Reduction, ReducesTermsOfSeveralReplicasOfARank) {
  Replicas replicas({kSum, kMean}, 3);
  for (const int64_t size : {5, 20'000, 100'001}) {
    for (const size_t boundary : {0, 1, 0}) {
      expectReduced(replicas, boundary, boundary == 0 ? kSum : kMean,
                    [&](int replica) { return numbers({size}, at::kFloat, replica + size); });
    }
  }
  rig().meet();
}

RANKS_TEST(Reduction, LeavesTermsAndEarlierResultsAlone) {
  Replicas replicas({kSum});
  const auto term = [&](int replica) { return at::full({300'000}, replica + 1.0F); };
  const at::Tensor own = term(rig().rank());
  const double sum = rig().size() * (rig().size() + 1) / 2.0;
  Tensors results;
  for (int i = 0; i < 10; ++i) {
    results.push_back(std::get<0>(
        replicas.reduce<std::tuple<at::Tensor>>(0, [&](int) { return std::tuple(own); })[0]));
    if (rig().size() > 1) {
      ASSERT_TRUE(results.back().eq(sum).all().item<bool>());
      results.back().fill_(i);  // its own: no other replica sees it
    }
  }
  for (int i = 0; i < 10 && rig().size() > 1; ++i) {
    ASSERT_TRUE(results[static_cast<size_t>(i)].eq(i).all().item<bool>());
  }
  ASSERT_TRUE(at::equal(own, term(rig().rank())));
  rig().meet();
}

RANKS_TEST(Reduction, RefusesWhatIsNotFiniteOnAllReplicas) {
  if (rig().size() == 1) {
    return;
  }
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  int cases = 0;
  for (const at::ScalarType type : {at::kFloat, at::kHalf}) {
    for (int guilty = 0; guilty < rig().size(); ++guilty) {
      for (const int64_t place : {0L, 150'000L, 449'999L}) {
        Replicas replicas({++cases % 2 == 0 ? kSum : kMean});
        expectRefused<std::tuple<at::Tensor>>(
            replicas,
            [&](int replica) {
              at::Tensor t = numbers({450'000}, type, replica);
              if (replica == guilty) {
                t[place] = bad[cases % 3];
              }
              return std::tuple(t);
            },
            "the term of replica " + std::to_string(guilty) + " in a reduction is not finite");
      }
    }
  }
}

RANKS_TEST(Reduction, RefusesTermsThatDiffer) {
  if (rig().size() == 1) {
    return;
  }
  const auto differing = [](const at::Tensor& common, const std::string& shape,
                            const at::Tensor& other, const std::string& other_shape) {
    Replicas replicas({kSum});
    const bool are_two = rig().size() == 2;
    expectRefused<std::tuple<at::Tensor>>(
        replicas, [&](int replica) { return std::tuple(replica == 1 ? other : common); },
        "the replicas' tensors differ in shape or dtype: replica 1 has " + other_shape + ", " +
            (are_two ? "replica 0 " : "the others have ") + shape);
  };
  const at::Tensor large = at::zeros({100'000});
  const std::string shape = "Float [100000]";
  differing(large, shape, at::zeros({100'001}), "Float [100001]");
  differing(large, shape, at::zeros({100, 1000}), "Float [100, 1000]");
  differing(large, shape, at::zeros({100'000}, at::kDouble), "Double [100000]");
  differing(large, shape, at::zeros({4}), "Float [4]");
  differing(at::zeros({4}), "Float [4]", large, shape);
  differing(large, shape, at::Tensor(), "nothing");
  differing(at::zeros({4}), "Float [4]", at::zeros({1}, at::kLong), "Long [1]");
  Replicas integers({kMean});
  expectRefused<std::tuple<at::Tensor>>(
      integers, [](int) { return std::tuple(at::zeros({100'000}, at::kLong)); },
      "reduce_mean of integers");
}

RANKS_TEST(Reduction, EndsWithAReplicaThatEndsEarly) {
  if (rig().size() == 1) {
    return;
  }
  Replicas replicas({kSum});
  const auto term = [](int replica) { return numbers({200'000}, at::kFloat, replica); };
  expectReduced(replicas, 0, kSum, term);
  if (rig().rank() == rig().last()) {
    replicas.close(0);
  } else {
    EXPECT_THROW(replicas.reduce<std::tuple<at::Tensor>>(
                     0, [&](int replica) { return std::tuple(term(replica)); }),
                 host::Closed);
  }
  rig().meet();
}

}  // namespace
}  // namespace fdg::transport
