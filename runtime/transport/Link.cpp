#include "runtime/transport/Link.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <set>

#include "runtime/transport/Ulfm.h"

namespace fdg::transport {
namespace {

/// Arrivals that one call of progress announces at most, so that it stays short.
constexpr int kMostArrivals = 64;
/// So long after an error in a tolerant session a death that explains it has to be known.
constexpr std::chrono::seconds kExplained{5};

void require(int code, const char* what) {
  if (code == MPI_SUCCESS) {
    return;
  }
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw UserError(
      fmt::format("a connection between ranks failed in {}: {}; a rank may have died, "
                  "look for its message above",
                  what, text));
}

/// Asked with more ranks than cores, Open MPI gives the core away whenever it finds nothing. Here
/// nobody asks in a loop: who has nothing to do sleeps, and who was woken has something to do. Other
/// libraries have no such function, and go on as they do.
class KeepsCore {
 public:
  KeepsCore() : before_(setYields() != nullptr && setYields()(false)) {}
  ~KeepsCore() {
    if (before_) {
      setYields()(true);
    }
  }
  KeepsCore(const KeepsCore&) = delete;
  KeepsCore& operator=(const KeepsCore&) = delete;

 private:
  using SetYields = bool (*)(bool);  // what it was

  static SetYields setYields() {
    static const auto set =
        reinterpret_cast<SetYields>(::dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle"));
    return set;
  }

  bool before_;
};

}  // namespace

struct Link::State {
  /// Errors of a tolerant session that no death explains yet.
  struct Trouble {
    std::chrono::steady_clock::time_point since;
    int code = MPI_SUCCESS;
    const char* what = "";
    std::set<int> peers;
  };
  struct Sending {
    MPI_Request request = MPI_REQUEST_NULL;
    std::shared_ptr<void> keeps;
    int to = 0;
  };
  struct Receiving {
    MPI_Request request = MPI_REQUEST_NULL;
    std::shared_ptr<Incoming> incoming;
    int from = 0;
  };

  State(Session& its_session, OnDeath f) : session(its_session), on_death(std::move(f)) {}

  Session& session;
  OnDeath on_death;
  MPI_Comm comm = MPI_COMM_NULL;
  std::set<int> dead;
  std::optional<Trouble> trouble;
  std::shared_ptr<BufferPool> buffers = std::make_shared<BufferPool>();
  std::vector<Sending> sending;
  std::vector<Receiving> receiving;

  bool start(Sending& one, std::span<const std::byte> bytes, int tag, bool confirmed);
  bool arrive(const std::function<void(Arrival)>& announce);
  int testSends();
  int testReceives();
  bool succeeded(int code, const char* what, int peer);
  void lookForDead();
};

Link::Link(Session& session, OnDeath on_death)
    : state_(std::make_unique<State>(session, std::move(on_death))) {
  require(MPI_Comm_dup(MPI_COMM_WORLD, &state_->comm), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(state_->comm, MPI_ERRORS_RETURN);
}

Link::~Link() {
  const bool all_live = !state_->session.hasDead();
  for (State::Sending& sending : state_->sending) {
    if (all_live) {
      MPI_Request_free(&sending.request);
    }
    state_->session.keep(std::move(sending.keeps));
  }
  for (State::Receiving& receiving : state_->receiving) {
    if (all_live) {
      MPI_Request_free(&receiving.request);
    }
    state_->session.keep(std::move(receiving.incoming));
  }
  if (all_live) {
    MPI_Comm_free(&state_->comm);
  }
}

/// False after an error that a death may explain.
bool Link::State::succeeded(int code, const char* what, int peer) {
  if (code == MPI_SUCCESS) {
    return true;
  }
  if (!session.isTolerant()) {
    require(code, what);
  }
  if (dead.contains(peer)) {
    return false;
  }
  if (!trouble) {
    trouble = Trouble{std::chrono::steady_clock::now(), code, what, {}};
  }
  if (peer >= 0) {
    trouble->peers.insert(peer);
  }
  return false;
}

/// After an error: whose death was it?
void Link::State::lookForDead() {
  if (!trouble) {
    return;
  }
  std::vector<int> died;
  for (const int rank : deadIn(comm)) {
    if (dead.insert(rank).second) {
      died.push_back(rank);
    }
    trouble->peers.erase(rank);
  }
  if (std::chrono::steady_clock::now() - trouble->since > kExplained) {
    require(trouble->code, trouble->what);
  }
  if (!died.empty() && trouble->peers.empty()) {
    trouble.reset();
  }
  for (const int rank : died) {
    session.noteDeath();
    on_death(rank);
  }
}

std::shared_ptr<Buffer> Link::buffer(size_t size) { return state_->buffers->take(size); }

/// False where nobody is there any more to send to.
bool Link::State::start(Sending& one, std::span<const std::byte> bytes, int tag, bool confirmed) {
  if (bytes.size() > INT_MAX) {
    throw UserError(fmt::format(
        "{} bytes are more than MPI sends in one piece (2 GiB); let the value cross in smaller "
        "parts, or place both sides on one machine",
        bytes.size()));
  }
  if (dead.contains(one.to)) {
    return false;
  }
  const auto send = confirmed ? MPI_Issend : MPI_Isend;
  const int started = send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, one.to, tag,
                           comm, &one.request);
  return succeeded(started, "MPI_Isend", one.to);
}

void Link::send(int to, int tag, std::shared_ptr<Buffer> buffer, bool confirmed) {
  const KeepsCore keeps;
  const std::span<const std::byte> bytes = buffer->bytes();
  State::Sending one{MPI_REQUEST_NULL, std::move(buffer), to};
  if (!state_->start(one, bytes, tag, confirmed)) {
    return;
  }
  int is_done = 0;
  const int tested = MPI_Test(&one.request, &is_done, MPI_STATUS_IGNORE);
  if (state_->succeeded(tested, "MPI_Test", to) && is_done == 0) {
    state_->sending.push_back(std::move(one));
  }
}

void Link::sendFrom(int to, int tag, std::span<const std::byte> bytes,
                    std::shared_ptr<void> keeps) {
  State::Sending one{MPI_REQUEST_NULL, std::move(keeps), to};
  if (state_->start(one, bytes, tag, /*confirmed=*/false)) {
    state_->sending.push_back(std::move(one));
  }
}

bool Link::State::arrive(const std::function<void(Arrival)>& announce) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  int is_there = 0;
  const int probed = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, &message, &status);
  if (!succeeded(probed, "MPI_Improbe", -1)) {
    return false;
  }
  if (trouble && trouble->peers.empty()) {
    trouble.reset();  // it has passed
  }
  if (is_there == 0) {
    return false;
  }
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  auto incoming = std::make_shared<Incoming>();
  incoming->buffer = buffers->take(static_cast<size_t>(size));
  std::byte* data = incoming->buffer->data();
  if (static_cast<size_t>(size) <= kReadyAtOnce) {  // it is there: received on the spot
    const int received = MPI_Mrecv(data, size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    incoming->ready = succeeded(received, "MPI_Mrecv", status.MPI_SOURCE);
  } else {
    Receiving receive{MPI_REQUEST_NULL, incoming, status.MPI_SOURCE};
    const int started = MPI_Imrecv(data, size, MPI_BYTE, &message, &receive.request);
    if (succeeded(started, "MPI_Imrecv", status.MPI_SOURCE)) {
      receiving.push_back(std::move(receive));
    }
  }
  announce({status.MPI_SOURCE, status.MPI_TAG, std::move(incoming)});
  return true;
}

int Link::State::testSends() {
  return static_cast<int>(std::erase_if(sending, [this](Sending& one) {
    int is_done = 0;
    const int tested = MPI_Test(&one.request, &is_done, MPI_STATUS_IGNORE);
    return !succeeded(tested, "MPI_Test", one.to) || is_done != 0;
  }));
}

int Link::State::testReceives() {
  return static_cast<int>(std::erase_if(receiving, [this](Receiving& one) {
    int is_done = 0;
    const int tested = MPI_Test(&one.request, &is_done, MPI_STATUS_IGNORE);
    if (!succeeded(tested, "MPI_Test", one.from)) {
      return true;  // it never becomes ready
    }
    one.incoming->ready = is_done != 0;
    return is_done != 0;
  }));
}

LinkProgress Link::progress(const std::function<void(Arrival)>& announce) {
  const KeepsCore keeps;
  LinkProgress result;
  while (result.arrived < kMostArrivals && state_->arrive(announce)) {
    ++result.arrived;
  }
  result.received = state_->testReceives();
  result.sent = state_->testSends();
  state_->lookForDead();
  return result;
}

bool Link::idle() const { return state_->sending.empty() && state_->receiving.empty(); }

int Link::underWay(int to) const {
  return static_cast<int>(std::count_if(state_->sending.begin(), state_->sending.end(),
                                        [to](const State::Sending& one) { return one.to == to; }));
}

}  // namespace fdg::transport
