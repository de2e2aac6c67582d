// Tape: what the instrumented sequential function tells while it runs, the oracle of --verify.
#pragma once

#include <cstdint>
#include <iterator>

#include "fdg/elements.h"

namespace fdg::host {

/// How many iterations a range-for makes over it.
template <class R>
int64_t lengthOf(const R& range) {
  return static_cast<int64_t>(std::distance(std::begin(range), std::end(range)));
}

/// What the instrumented sequential function tells: the oracle of --verify.
class Tape {
 public:
  virtual ~Tape() = default;
  template <class... V>
  void cross(int boundary, const V&... values) {
    const void* const variables[] = {&values...};
    tell(boundary, elementsOf<V...>(), variables);
  }
  /// Around a condition whose outcome another fragment asks for.
  template <class T>
  T told(int choice, T outcome) {
    cross(choice, outcome);
    return outcome;
  }
  /// Around the range of a range-for whose length another fragment asks for.
  template <class R>
  R& toldLength(int choice, R& range) {
    cross(choice, lengthOf(range));
    return range;
  }
  class LoopScope {
   public:
    LoopScope(Tape& tape, int id) : tape_(&tape), id_(id) { tape_->enterLoop(id_); }
    ~LoopScope() { tape_->leaveLoop(id_); }
    LoopScope(const LoopScope&) = delete;
    LoopScope& operator=(const LoopScope&) = delete;
    /// First in the body: `if (!loop.next()) break;`
    bool next() { return tape_->next(id_); }

   private:
    Tape* tape_;
    int id_;
  };
  LoopScope loop(int id) { return LoopScope(*this, id); }
  virtual void at(int statement) = 0;

 protected:
  virtual void crossed(int boundary, Box& values) = 0;
  virtual void enterLoop(int loop) = 0;
  virtual void leaveLoop(int loop) = 0;
  virtual bool next(int loop) = 0;

 private:
  void tell(int boundary, const ElementOps& type, const void* const* variables);
};

}  // namespace fdg::host
