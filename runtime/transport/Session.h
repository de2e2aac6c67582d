// The MPI job this process belongs to, without MPI's types: started, finalised, and its few
// collectives.
//
// Sessions are for set-up and the end; messages go through Links. One thread at a time.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace fdg::transport {

class Session {
 public:
  /// Initialises MPI for serialised threads. Throws UserError if it cannot start or its library
  /// cannot. `tolerant`: the others outlive a rank's death, which needs ULFM.
  explicit Session(bool tolerant);
  /// Finalises MPI if this session initialised it.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// For every rank, the lowest rank of its node.
  const std::vector<int>& leaders() const { return leaders_; }
  bool isTolerant() const { return tolerant_; }
  /// "rank 2 (process 4711 on node3)", of any rank of a tolerant session.
  const std::string& nameOf(int rank) const { return names_[static_cast<size_t>(rank)]; }
  /// The rank's process; 0 where it is none that this one could see.
  pid_t processOf(int rank) const { return processes_[static_cast<size_t>(rank)]; }
  /// A rank has died: what is collective at the end is left out.
  void noteDeath() { anyone_died_ = true; }
  bool hasDead() const { return anyone_died_; }

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

  /// Ends all ranks. A tolerant session ends this one, in the way that the others notice, and they
  /// judge for themselves.
  [[noreturn]] void abort(int code) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  int rank_ = 0;
  int size_ = 1;
  bool tolerant_ = false;
  bool anyone_died_ = false;
  std::vector<int> leaders_;
  std::vector<std::string> names_;
  std::vector<pid_t> processes_;
};

}  // namespace fdg::transport
