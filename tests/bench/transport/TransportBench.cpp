// Round trips and bandwidth of a channel between two ranks against plain MPI, the sides taking
// turns.
//
//   mpirun -n 2 transport_bench        shared memory
//   mpirun -n 2 transport_bench mpi    the MPI carrier
//
// Round trip: half of it, both sides awake. Bandwidth: the sender writes its source anew for each
// message, the receiver reads all of it and checks it. Median of the repeats, with the least and
// the most.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "runtime/transport/Transport.h"

namespace {

using fdg::transport::ChannelSpec;
using fdg::transport::Message;
using fdg::transport::Receiver;
using fdg::transport::Sender;
using fdg::transport::Transport;
using Clock = std::chrono::steady_clock;

constexpr int kRepeats = 9;
/// The receiver looks so often before it waits: a peer that is awake answers within that.
constexpr int kLooks = 5000;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Bench {
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Sender> out;
  std::unique_ptr<Receiver> in;
  bool is_first = false;
  bool needs_progress = false;
  std::vector<std::byte> raw;

  void send(Message& message) {
    while (!out->trySend(message)) {
      if (!transport->progress()) {
        transport->waitForActivity(std::chrono::milliseconds(100));
      }
    }
  }
  void receive(Message& message) {
    for (int looks = 0; !in->tryReceive(message); ++looks) {
      if (needs_progress) {
        transport->progress();
      }
      if (looks > kLooks) {
        transport->waitForActivity(std::chrono::milliseconds(100));
      }
    }
  }
};

/// A message of `bytes`, as a tensor or as plain bytes.
Message makeMessage(size_t bytes, bool as_tensor) {
  Message message;
  if (as_tensor) {
    message.parts.tensors = {at::ones({static_cast<int64_t>(bytes)}, at::kByte)};
  } else {
    message.parts.bytes.assign(bytes, 'x');
  }
  return message;
}

double channelRoundTrip(Bench& bench, size_t bytes, bool as_tensor, int count) {
  Message outgoing = makeMessage(bytes, as_tensor);
  Message incoming;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (bench.is_first) {
      bench.send(outgoing);
      bench.receive(incoming);
    } else {
      bench.receive(incoming);
      bench.send(outgoing);
    }
  }
  return secondsSince(start) / count / 2;
}

double rawRoundTrip(Bench& bench, size_t bytes, int count) {
  const int peer = bench.is_first ? 1 : 0;
  const int size = static_cast<int>(bytes);
  std::byte* data = bench.raw.data();
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (bench.is_first) {
      MPI_Send(data, size, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
      MPI_Recv(data, size, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(data, size, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data, size, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    }
  }
  return secondsSince(start) / count / 2;
}

/// Reads everything; all words must be `value`.
void readAll(const void* data, size_t bytes, uint64_t value) {
  const auto* words = static_cast<const uint64_t*>(data);
  uint64_t differing = 0;
  for (size_t i = 0; i < bytes / 8; ++i) {
    differing |= words[i] ^ value;
  }
  if (differing != 0) {
    std::fprintf(stderr, "wrong data arrived\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/// One of `made` that nobody else holds: what was sent is not written before it has been let go of.
at::Tensor& freeTensor(std::vector<at::Tensor>& made, size_t bytes) {
  for (at::Tensor& tensor : made) {
    if (tensor.use_count() == 1) {
      return tensor;
    }
  }
  return made.emplace_back(at::ones({static_cast<int64_t>(bytes)}, at::kByte));
}

double channelBandwidth(Bench& bench, size_t bytes, int count) {
  std::vector<at::Tensor> made;
  made.reserve(static_cast<size_t>(count));
  Message outgoing;
  Message incoming;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (bench.is_first) {
      at::Tensor& source = freeTensor(made, bytes);
      std::fill_n(static_cast<uint64_t*>(source.mutable_data_ptr()), bytes / 8, i);
      outgoing.parts.tensors = {source};
      bench.send(outgoing);
      outgoing.parts.tensors.clear();
    } else {
      bench.receive(incoming);
      readAll(incoming.parts.tensors[0].const_data_ptr(), bytes, static_cast<uint64_t>(i));
    }
  }
  if (bench.is_first) {
    bench.receive(incoming);
  } else {
    Message answer = makeMessage(8, false);
    bench.send(answer);
  }
  return static_cast<double>(bytes) * count / secondsSince(start);
}

double rawBandwidth(Bench& bench, size_t bytes, int count) {
  const int peer = bench.is_first ? 1 : 0;
  const int size = static_cast<int>(bytes);
  std::byte* data = bench.raw.data();
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (bench.is_first) {
      std::fill_n(reinterpret_cast<uint64_t*>(data), bytes / 8, i);
      MPI_Send(data, size, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
    } else {
      MPI_Recv(data, size, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      readAll(data, bytes, static_cast<uint64_t>(i));
    }
  }
  if (bench.is_first) {
    MPI_Recv(data, 8, MPI_BYTE, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(data, 8, MPI_BYTE, peer, 2, MPI_COMM_WORLD);
  }
  return static_cast<double>(bytes) * count / secondsSince(start);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Both sides in turn; prints medians, their range and the ratio of the medians.
template <class Ours, class Raw>
void compare(Bench& bench, const char* what, double scale, const char* unit, Ours ours, Raw raw) {
  std::vector<double> our_times, raw_times;
  ours();
  raw();
  for (int i = 0; i < kRepeats; ++i) {
    our_times.push_back(ours() * scale);
    raw_times.push_back(raw() * scale);
  }
  if (!bench.is_first) {
    return;
  }
  const auto [our_least, our_most] = std::minmax_element(our_times.begin(), our_times.end());
  const auto [raw_least, raw_most] = std::minmax_element(raw_times.begin(), raw_times.end());
  const double our_best = scale > 1 ? *our_least : *our_most;
  const double raw_best = scale > 1 ? *raw_least : *raw_most;
  std::printf("%-30s %8.2f (%.2f-%.2f)  MPI %8.2f (%.2f-%.2f) %s  ratio %.2f, of the best %.2f\n",
              what, median(our_times), *our_least, *our_most, median(raw_times), *raw_least,
              *raw_most, unit, median(our_times) / median(raw_times), our_best / raw_best);
  std::fflush(stdout);
}

void roundTrips(Bench& bench) {
  struct Case {
    const char* what;
    size_t bytes;
    bool as_tensor;
    int count;
  };
  for (const Case& c : {Case{"half round trip 64 B, bytes", 64, false, 1'000},
                        Case{"half round trip 64 B, tensor", 64, true, 1'000},
                        Case{"half round trip 64 KB, tensor", 64 << 10, true, 100},
                        Case{"half round trip 1 MB, tensor", 1 << 20, true, 20}}) {
    compare(
        bench, c.what, 1e6, "us",
        [&] { return channelRoundTrip(bench, c.bytes, c.as_tensor, c.count); },
        [&] { return rawRoundTrip(bench, c.bytes, c.count); });
  }
}

void bandwidths(Bench& bench) {
  struct Case {
    const char* what;
    size_t bytes;
    int count;
  };
  for (const Case& c : {Case{"bandwidth 64 KB", 64 << 10, 200}, Case{"bandwidth 1 MB", 1 << 20, 30},
                        Case{"bandwidth 13 MB", 13 << 20, 3}}) {
    compare(
        bench, c.what, 1e-9, "GB/s", [&] { return channelBandwidth(bench, c.bytes, c.count); },
        [&] { return rawBandwidth(bench, c.bytes, c.count); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  fdg::transport::TransportOptions options;
  options.force_mpi = argc == 2 && std::strcmp(argv[1], "mpi") == 0;
  Bench bench;
  bench.transport = makeMpiTransport(options);
  if (bench.transport->size() != 2) {
    std::fprintf(stderr, "run it with 2 ranks: mpirun -n 2 %s [mpi]\n", argv[0]);
    bench.transport->abort(2);
  }
  bench.is_first = bench.transport->rank() == 0;
  bench.needs_progress = options.force_mpi;
  bench.raw.resize(16 << 20);
  ChannelSpec there;
  there.to_rank = 1;
  there.consumer = 1;
  ChannelSpec back;
  back.boundary = 1;
  back.from_rank = 1;
  back.producer = 1;
  bench.out = bench.transport->openSender(bench.is_first ? there : back);
  bench.in = bench.transport->openReceiver(bench.is_first ? back : there);
  bench.transport->connect();
  roundTrips(bench);
  bandwidths(bench);
  bench.transport->finish();
}
