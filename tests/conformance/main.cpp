// fdg_conformance --carrier=local|queue|shared|mpi [--ranks=N] [--stay] [GoogleTest's options]
//
// --ranks is for the carrier queue, whose ranks are threads; processes are counted by mpirun.
// With --stay the ranks connect, print "connected PID", and send messages round until they are
// killed.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>
#include <vector>

#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

std::vector<std::unique_ptr<Rig>> rigs;  // of the ranks in this process
thread_local Rig* own_rig = nullptr;

/// Says which rank failed and ends all ranks: the others would wait for this one for ever.
class EndAll final : public ::testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) {
      std::fprintf(stderr, "rank %d, %s, %s:%d: %s\n", rig().rank(), rig().carrier().c_str(),
                   result.file_name() != nullptr ? result.file_name() : "", result.line_number(),
                   result.message());
      rig().transport().abort(1);
    }
  }
};

void makeRigs(const std::string& carrier, int ranks) {
  std::vector<std::unique_ptr<Transport>> transports;
  if (carrier == "queue") {
    transports = makeThreadTransports(ranks);
  } else if (carrier == "local") {
    transports.push_back(makeLocalTransport());
  } else {
    TransportOptions options;
    options.force_mpi = carrier == "mpi";
    transports.push_back(makeMpiTransport(options));
  }
  for (auto& transport : transports) {
    rigs.push_back(std::make_unique<Rig>(std::move(transport), carrier));
  }
  own_rig = rigs.front().get();
}

/// Rank to rank in a ring, for ever.
[[noreturn]] void stay() {
  const Channel channel = rig().open(Flow::ordered, 2);
  const Channel back = rig().open(Flow::newest, 1, false, rig().last(), 0);
  rig().connect();
  std::printf("connected %d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  for (int64_t i = 0;; ++i) {
    Message message = numbered(i, 100'000);
    for (const auto& sender : {channel.sender.get(), back.sender.get()}) {
      if (sender != nullptr) {
        sender->trySend(message);
      }
    }
    for (const auto& receiver : {channel.receiver.get(), back.receiver.get()}) {
      if (receiver != nullptr) {
        receiver->tryReceive(message);
      }
    }
    rig().transport().progress();
    rig().transport().waitForActivity(std::chrono::milliseconds(1));
  }
}

int runSuite(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  at::set_num_threads(1);
  std::string carrier;
  int ranks = 2;
  bool stays = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--carrier=")) {
      carrier = argument.substr(10);
    } else if (argument.starts_with("--ranks=")) {
      ranks = std::atoi(argument.c_str() + 8);
    } else if (argument == "--stay") {
      stays = true;
    } else {
      carrier.clear();
      break;
    }
  }
  if (carrier.empty() || ranks < 1) {
    std::cerr << "use: fdg_conformance --carrier=local|queue|shared|mpi [--ranks=N] [--stay]\n";
    return 2;
  }
  makeRigs(carrier, ranks);
  if (stays) {
    stay();
  }
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (rig().rank() != 0) {
    delete listeners.Release(listeners.default_result_printer());
  }
  listeners.Append(new EndAll);
  const int code = RUN_ALL_TESTS();
  onEveryRank([] { rig().transport().finish(); });
  rigs.clear();
  return code;
}

}  // namespace

Rig& rig() { return *own_rig; }

void onEveryRank(void (*test)()) {
  std::vector<std::thread> others;
  for (size_t rank = 1; rank < rigs.size(); ++rank) {
    others.emplace_back([test, rank] {
      own_rig = rigs[rank].get();
      at::set_num_threads(1);
      test();
    });
  }
  test();
  for (std::thread& other : others) {
    other.join();
  }
}

}  // namespace fdg::transport

int main(int argc, char** argv) {
  try {
    return fdg::transport::runSuite(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    if (!fdg::transport::rigs.empty()) {
      fdg::transport::rig().transport().abort(1);
    }
    return 1;
  }
}
