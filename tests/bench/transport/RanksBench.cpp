// Ranks of one machine: ranks_bench reduction | newest [READS] | death, under mpirun; bench.py says
// how.
//
// reduction: a program's reduce_sum over shared memory against MPI_Allreduce, the sides in turn;
// terms are written anew before each, sums are checked. newest: reads of 13 MB while rank 0 writes
// without a pause, each beside a memcpy of as much; every word is checked. death: all but the first
// two ranks kill themselves, one after the other at times all know; how long until the last of the
// others knows. A JSON line for each row: medians of the repeats, least and most.
#include <malloc.h>
#include <mpi.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "runtime/host/ReceivePort.h"

namespace {

using namespace fdg;
using transport::Message;
using transport::Transport;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kRepeats = 9;
constexpr int64_t kLarge = 13 << 20;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string spread(std::vector<double> values) {
  std::ranges::sort(values);
  char text[100];
  std::snprintf(text, sizeof text, "[%.4f, %.4f, %.4f]", values[values.size() / 2], values.front(),
                values.back());
  return text;
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

template <class Attempt>
void until(Transport& transport, Attempt attempt,
           decltype(&Transport::waitForActivity) wait = &Transport::waitForActivity) {
  while (!attempt()) {
    if (!transport.progress()) {
      (transport.*wait)(milliseconds(50));
    }
  }
}

// --- reduction ---

using Term = std::tuple<at::Tensor>;

/// A boundary of a fragment with a replica on every rank, which all get the sum.
Manifest sumOfReplicas() {
  Manifest manifest;
  manifest.fragments.resize(1);
  manifest.fragments[0].name = "learner";
  BoundaryInfo boundary;
  boundary.name = "gradients";
  boundary.operation = OperationKind::reduce_sum;
  boundary.producer = 0;
  boundary.consumers = {0};
  manifest.boundaries = {boundary};
  return manifest;
}

place::Placement oneOnEach(int ranks) {
  place::Placement placement;
  placement.ranks = ranks;
  placement.groups = {"all"};
  placement.replicas = {ranks};
  placement.boundaries.resize(1);
  for (int rank = 0; rank < ranks; ++rank) {
    placement.instances.push_back({rank, 0, {rank, rank + 1, ranks}, rank, "cpu", {0}});
  }
  return placement;
}

class Reduction {
 public:
  explicit Reduction(Transport& transport)
      : transport_(transport),
        manifest_(sumOfReplicas()),
        placement_(oneOnEach(transport.size())),
        topology_(host::layOut(manifest_, placement_)),
        self_(topology_.endpoints[static_cast<size_t>(transport.rank())]),
        out_(manifest_.boundaries[0], placement_.boundaries[0], topology_.boundaries[0], self_,
             transport),
        in_(manifest_.boundaries[0], placement_.boundaries[0], topology_.boundaries[0], self_,
            transport) {}

  at::Tensor sum(const at::Tensor& term) {
    host::Box own = host::Box::of(Term(term));
    host::Box sum = own;
    until(transport_, [&] { return out_.trySend(own, 0, 1, /*keeps=*/true); });
    until(
        transport_, [&] { return in_.tryReceive(sum, &own, 1, false); },
        &Transport::waitForEquals);
    return std::get<0>(sum.get<Term>());
  }

 private:
  Transport& transport_;
  Manifest manifest_;
  place::Placement placement_;
  host::Topology topology_;
  host::Endpoint self_;
  host::SendPort out_;
  host::ReceivePort in_;
};

/// Milliseconds per reduction, of the slowest rank. `reduce`: a term → the sum.
template <class Reduce>
double timedReductions(const Transport& transport, at::Tensor& term, int count, Reduce reduce) {
  double spent = 0;
  for (int i = 0; i < count; ++i) {
    term.fill_(transport.rank() + i + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = Clock::now();
    const at::Tensor sum = reduce(term);
    spent += millisecondsSince(start);
    MPI_Barrier(MPI_COMM_WORLD);  // a check takes no core from ranks that are not done
    const int ranks = transport.size();
    if (!sum.eq(ranks * (ranks + 1) / 2 + ranks * i).all().item<bool>()) {
      fail("a wrong sum");
    }
  }
  double slowest = 0;
  MPI_Allreduce(&spent, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest / count;
}

void reductions(Transport& transport) {
  Reduction reduction(transport);
  transport.connect();
  for (const auto [bytes, name, count] :
       {std::tuple{int64_t{1} << 20, "1 MB", 20}, std::tuple{kLarge, "13 MB", 3}}) {
    at::Tensor term = at::ones({bytes / 4}, at::kFloat);
    at::Tensor mpi_sum = at::zeros_like(term);
    const auto ours = [&](const at::Tensor& t) { return reduction.sum(t); };
    const auto theirs = [&](const at::Tensor& t) {
      MPI_Allreduce(t.const_data_ptr(), mpi_sum.mutable_data_ptr(), static_cast<int>(t.numel()),
                    MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      return mpi_sum;
    };
    std::vector<double> our_times, their_times;
    for (int i = -1; i < kRepeats; ++i) {  // the first does not count
      const double our_time = timedReductions(transport, term, count, ours);
      const double their_time = timedReductions(transport, term, count, theirs);
      if (i >= 0) {
        our_times.push_back(our_time);
        their_times.push_back(their_time);
      }
    }
    if (transport.rank() == 0) {
      std::printf("{\"what\": \"reduction, %s, %d ranks\", \"ours\": %s, \"theirs\": %s}\n", name,
                  transport.size(), spread(our_times).c_str(), spread(their_times).c_str());
      std::fflush(stdout);
    }
  }
}

// --- newest ---

/// A version's words; a torn message would hold those of versions 4 apart, or of a multiple of 4.
constexpr int64_t kPatterns = 7;

void writeWithoutPause(transport::Sender& sender) {
  std::vector<at::Tensor> values;
  for (int64_t pattern = 0; pattern < kPatterns; ++pattern) {
    values.push_back(at::full({kLarge / 8}, pattern, at::kLong));
  }
  for (int64_t version = 0; !sender.consumerClosed(); ++version) {
    Message message;
    message.header.execution = version;
    message.parts.tensors = {values[static_cast<size_t>(version % kPatterns)]};
    sender.trySend(message);
  }
}

bool isWhole(const Message& message) {
  const auto* words = static_cast<const int64_t*>(message.parts.tensors.at(0).const_data_ptr());
  const int64_t wanted = message.header.execution % kPatterns;
  int64_t differing = 0;
  for (int64_t i = 0; i < kLarge / 8; ++i) {
    differing |= words[i] ^ wanted;
  }
  return differing == 0;
}

void readBesideCopies(transport::Receiver& receiver, int reads) {
  const at::Tensor from = at::ones({kLarge}, at::kByte);
  at::Tensor to = at::zeros({kLarge}, at::kByte);
  std::vector<double> read_times, copy_times;
  int torn = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const int count = std::max(1, reads / kRepeats);
    double reading = 0, copying = 0;
    for (int i = 0; i < count; ++i) {
      Message message;
      while (receiver.waiting() == 0) {
        std::this_thread::yield();
      }
      auto start = Clock::now();
      while (!receiver.tryReceive(message)) {
      }
      reading += millisecondsSince(start);
      torn += isWhole(message) ? 0 : 1;
      start = Clock::now();
      std::memcpy(to.mutable_data_ptr(), from.const_data_ptr(), kLarge);
      copying += millisecondsSince(start);
    }
    read_times.push_back(reading / count);
    copy_times.push_back(copying / count);
  }
  std::printf(
      "{\"what\": \"newest, 13 MB, %d reads\", \"ours\": %s, \"theirs\": %s, \"torn\": %d}\n",
      std::max(1, reads / kRepeats) * kRepeats, spread(read_times).c_str(),
      spread(copy_times).c_str(), torn);
  std::fflush(stdout);
}

void newest(Transport& transport, int reads) {
  transport::ChannelSpec spec;
  spec.to_rank = 1;
  spec.consumer = 1;
  spec.flow = transport::Flow::newest;
  if (transport.rank() == 0) {
    const auto sender = transport.openSender(spec);
    transport.connect();
    writeWithoutPause(*sender);
  } else {
    const auto receiver = transport.openReceiver(spec);
    transport.connect();
    readBesideCopies(*receiver, reads);
    receiver->close();
  }
}

// --- death ---

constexpr milliseconds kBetweenDeaths{500};
constexpr int kSurvivors = 2;

/// Rank 0: of every death, when the last of those that lived knew. Others tell by letter.
class DeathBook {
 public:
  DeathBook(Transport& transport, Clock::time_point start)
      : transport_(transport), start_(start), known_(deaths()), last_(deaths()) {
    transport.onDeath([this](int rank) { note(rank); });
  }

  size_t deaths() const { return static_cast<size_t>(transport_.size() - kSurvivors); }
  Clock::time_point timeOf(int rank) const {
    return start_ + kBetweenDeaths * (transport_.size() - rank);
  }
  void takeLetters() {
    while (const auto letter = transport_.takeLetter()) {
      int rank = 0;
      double took = 0;
      if (std::sscanf(letter->text.c_str(), "%d %lf", &rank, &took) == 2) {
        add(rank, took);
      }
    }
  }
  /// On rank 0: whether everyone has told; elsewhere: whether all deaths are known here.
  bool isComplete() const {
    for (size_t i = 0; i < deaths(); ++i) {
      if (known_[i] < (transport_.rank() == 0 ? transport_.size() - 1 - static_cast<int>(i) : 1)) {
        return false;
      }
    }
    return true;
  }
  const std::vector<double>& last() const { return last_; }

 private:
  void note(int rank) {
    const double took = millisecondsSince(timeOf(rank));
    add(rank, took);
    if (transport_.rank() != 0) {
      transport_.post(0, std::to_string(rank) + " " + std::to_string(took));
    }
  }
  void add(int rank, double took) {
    const auto death = static_cast<size_t>(transport_.size() - 1 - rank);
    ++known_.at(death);
    last_.at(death) = std::max(last_.at(death), took);
  }

  Transport& transport_;
  Clock::time_point start_;
  std::vector<int> known_;
  std::vector<double> last_;
};

void deaths(Transport& transport) {
  const auto now = Clock::now().time_since_epoch().count();  // one clock for all ranks of a node
  int64_t start = now;
  MPI_Bcast(&start, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  transport.connect();
  DeathBook book(transport, Clock::time_point(Clock::duration(start)));
  const int rank = transport.rank();
  const auto patience = book.timeOf(kSurvivors) + std::chrono::seconds(20);
  const auto own_end = rank < kSurvivors ? Clock::time_point::max() : book.timeOf(rank);
  while (!book.isComplete()) {
    const auto time = Clock::now();
    if (time >= own_end) {
      raise(SIGKILL);
    }
    if (time > patience) {
      fail("rank " + std::to_string(rank) + " has not heard of all deaths");
    }
    if (!transport.progress()) {
      const auto left = std::min<Clock::duration>(own_end - time, milliseconds(50));
      transport.waitForActivity(std::chrono::ceil<std::chrono::microseconds>(left));
    }
    book.takeLetters();
  }
  if (rank == 0) {
    std::string all;
    for (const double took : book.last()) {
      all += (all.empty() ? "" : ", ") + std::to_string(took);
    }
    std::printf("{\"what\": \"a death, %d ranks\", \"all\": [%s]}\n", transport.size(),
                all.c_str());
    std::fflush(stdout);
  }
  transport.finish();
  std::_Exit(0);  // MPI_Finalize may wait for the dead for ever
}

}  // namespace

int main(int argc, char** argv) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // as fdg-run
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  at::set_num_threads(1);
  const std::string what = argc > 1 ? argv[1] : "";
  transport::TransportOptions options;
  options.tolerant = what == "death";
  const auto transport = transport::makeMpiTransport(options);
  const int ranks = transport->size();
  if (what == "reduction") {
    reductions(*transport);
  } else if (what == "newest" && ranks == 2) {
    newest(*transport, argc > 2 ? std::atoi(argv[2]) : 500);
  } else if (what == "death" && ranks > kSurvivors) {
    deaths(*transport);
  } else {
    std::fputs("ranks_bench reduction | newest [READS] (2 ranks) | death (3 ranks or more)\n",
               stderr);
    transport->abort(2);
  }
  transport->finish();
}
