// fdg_conformance --carrier=local|shared|mpi [--stay] [GoogleTest's options]
//
// With --stay the ranks connect, print "connected PID", and send messages round until they are
// killed.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "tests/conformance/Rig.h"

namespace fdg::transport {
namespace {

std::unique_ptr<Rig> the_rig;

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

std::unique_ptr<Transport> makeTransport(const std::string& carrier) {
  if (carrier == "local") {
    return makeLocalTransport();
  }
  TransportOptions options;
  options.force_mpi = carrier == "mpi";
  return makeMpiTransport(options);
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
  const std::string option = "--carrier=";
  const bool stays = argc == 3 && std::string(argv[2]) == "--stay";
  if ((argc != 2 && !stays) || std::string(argv[1]).rfind(option, 0) != 0) {
    std::cerr << "use: fdg_conformance --carrier=local|shared|mpi [--stay]\n";
    return 2;
  }
  const std::string carrier = std::string(argv[1]).substr(option.size());
  the_rig = std::make_unique<Rig>(makeTransport(carrier), carrier);
  if (stays) {
    stay();
  }
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (rig().rank() != 0) {
    delete listeners.Release(listeners.default_result_printer());
  }
  listeners.Append(new EndAll);
  const int code = RUN_ALL_TESTS();
  rig().transport().finish();
  the_rig.reset();
  return code;
}

}  // namespace

Rig& rig() { return *the_rig; }

}  // namespace fdg::transport

int main(int argc, char** argv) {
  try {
    return fdg::transport::runSuite(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    if (fdg::transport::the_rig) {
      fdg::transport::rig().transport().abort(1);
    }
    return 1;
  }
}
