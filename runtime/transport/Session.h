// The MPI job this process belongs to, without MPI's types: started, finalised, and its few
// collectives.
//
// Sessions are for set-up and the end; messages go through Links. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace fdg::transport {

class Session {
 public:
  /// Initialises MPI for serialised threads. Throws UserError if it cannot start or its library
  /// cannot.
  Session();
  /// Finalises MPI if this session initialised it.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// For every rank, the lowest rank of its node.
  const std::vector<int>& leaders() const { return leaders_; }

  /// Everyone's text, by rank. Also a barrier.
  std::vector<std::string> allGather(const std::string& text) const;
  /// texts[r] goes to rank r; the result is what each rank sent here.
  std::vector<std::string> exchange(const std::vector<std::string>& texts) const;
  /// Throws everywhere if any rank has a sentence: there the own one, elsewhere the first with its
  /// rank.
  void agree(const std::string& sentence) const;

  /// A barrier that is polled, so that messages move meanwhile.
  void enterBarrier();
  bool barrierDone();

  /// Keeps memory alive until MPI is finalised: what it may still be reading.
  void keep(std::shared_ptr<void> memory);

  [[noreturn]] void abort(int code) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  int rank_ = 0;
  int size_ = 1;
  std::vector<int> leaders_;
};

}  // namespace fdg::transport
