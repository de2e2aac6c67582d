#include "runtime/transport/Link.h"

#include <fmt/format.h>
#include <mpi.h>

#include <climits>

namespace fdg::transport {
namespace {

/// Messages up to this size are there when they are matched: they are received on the spot.
constexpr int kEager = 4096;
/// Arrivals that one call of progress announces at most, so that it stays short.
constexpr int kMostArrivals = 64;

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

}  // namespace

struct Link::State {
  struct Sending {
    MPI_Request request = MPI_REQUEST_NULL;
    std::shared_ptr<Buffer> buffer;
    int to = 0;
  };
  struct Receiving {
    MPI_Request request = MPI_REQUEST_NULL;
    std::shared_ptr<Incoming> incoming;
  };

  explicit State(Session& its_session) : session(its_session) {}

  Session& session;
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<Sending> sending;
  std::vector<Receiving> receiving;

  bool arrive(const std::function<void(Arrival)>& announce);
  int testSends();
  int testReceives();
};

Link::Link(Session& session) : state_(std::make_unique<State>(session)) {
  require(MPI_Comm_dup(MPI_COMM_WORLD, &state_->comm), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(state_->comm, MPI_ERRORS_RETURN);
}

Link::~Link() {
  for (State::Sending& sending : state_->sending) {
    MPI_Request_free(&sending.request);
    state_->session.keep(std::move(sending.buffer));
  }
  for (State::Receiving& receiving : state_->receiving) {
    MPI_Request_free(&receiving.request);
    state_->session.keep(std::move(receiving.incoming));
  }
  MPI_Comm_free(&state_->comm);
}

void Link::send(int to, int tag, std::shared_ptr<Buffer> buffer, bool confirmed) {
  if (buffer->size() > INT_MAX) {
    throw UserError(fmt::format(
        "a message of {} bytes is larger than MPI sends in one piece (2 GiB)", buffer->size()));
  }
  State::Sending sending{MPI_REQUEST_NULL, std::move(buffer), to};
  const int size = static_cast<int>(sending.buffer->size());
  const auto start = confirmed ? MPI_Issend : MPI_Isend;
  require(start(sending.buffer->data(), size, MPI_BYTE, to, tag, state_->comm, &sending.request),
          "MPI_Isend");
  int is_done = 0;
  require(MPI_Test(&sending.request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
  if (is_done == 0) {
    state_->sending.push_back(std::move(sending));
  }
}

bool Link::State::arrive(const std::function<void(Arrival)>& announce) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  int is_there = 0;
  require(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, &message, &status),
          "MPI_Improbe");
  if (is_there == 0) {
    return false;
  }
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  auto incoming = std::make_shared<Incoming>();
  incoming->buffer = std::make_shared<Buffer>(static_cast<size_t>(size));
  std::byte* data = incoming->buffer->data();
  if (size <= kEager) {
    require(MPI_Mrecv(data, size, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
    incoming->ready = true;
  } else {
    Receiving receive{MPI_REQUEST_NULL, incoming};
    require(MPI_Imrecv(data, size, MPI_BYTE, &message, &receive.request), "MPI_Imrecv");
    receiving.push_back(std::move(receive));
  }
  announce({status.MPI_SOURCE, status.MPI_TAG, std::move(incoming)});
  return true;
}

int Link::State::testSends() {
  return static_cast<int>(std::erase_if(sending, [](Sending& one) {
    int is_done = 0;
    require(MPI_Test(&one.request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
    return is_done != 0;
  }));
}

int Link::State::testReceives() {
  return static_cast<int>(std::erase_if(receiving, [](Receiving& one) {
    int is_done = 0;
    require(MPI_Test(&one.request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
    one.incoming->ready = is_done != 0;
    return is_done != 0;
  }));
}

LinkProgress Link::progress(const std::function<void(Arrival)>& announce) {
  LinkProgress result;
  while (result.arrived < kMostArrivals && state_->arrive(announce)) {
    ++result.arrived;
  }
  result.received = state_->testReceives();
  result.sent = state_->testSends();
  return result;
}

bool Link::idle() const { return state_->sending.empty() && state_->receiving.empty(); }

int Link::underWay(int to) const {
  return static_cast<int>(std::count_if(state_->sending.begin(), state_->sending.end(),
                                        [to](const State::Sending& one) { return one.to == to; }));
}

}  // namespace fdg::transport
