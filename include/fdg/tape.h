// Tape: what the instrumented sequential function tells while it runs, the oracle of --verify.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "fdg/elements.h"

namespace fdg::host {

/// How many iterations a range-for makes over it.
template <class R>
int64_t lengthOf(const R& range) {
  return static_cast<int64_t>(std::distance(std::begin(range), std::end(range)));
}

/// The steps of a range-for, for a range whose length is not known when it begins: `begin` and `end`
/// are found as the language does.
template <class R>
class Steps {
 public:
  explicit Steps(R& range) : at_(first(range)), end_(last(range)) {}
  bool more() { return at_ != end_; }
  decltype(auto) item() { return *at_; }
  void next() { ++at_; }

 private:
  static auto first(R& range) {
    if constexpr (std::is_array_v<R>) {
      return std::begin(range);
    } else if constexpr (requires { range.begin(); }) {
      return range.begin();
    } else {
      return begin(range);
    }
  }
  static auto last(R& range) {
    if constexpr (std::is_array_v<R>) {
      return std::end(range);
    } else if constexpr (requires { range.end(); }) {
      return range.end();
    } else {
      return end(range);
    }
  }

  decltype(first(std::declval<R&>())) at_;
  decltype(last(std::declval<R&>())) end_;
};

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
  /// Around the range of a range-for whose steps another fragment asks for.
  template <class R>
  auto toldSteps(int choice, R& range) {
    struct End {};
    struct Told {
      Tape* tape;
      int choice;
      Steps<R>* steps;
      bool operator!=(End /*end*/) { return tape->told(choice, steps->more()); }
      decltype(auto) operator*() { return steps->item(); }
      void operator++() { steps->next(); }
    };
    struct ToldRange {
      Tape* tape;
      int choice;
      Steps<R> steps;
      Told begin() { return {tape, choice, &steps}; }
      End end() const { return {}; }
    };
    return ToldRange{this, choice, Steps<R>(range)};
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
