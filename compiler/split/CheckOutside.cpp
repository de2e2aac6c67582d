#include "compiler/split/CheckOutside.h"

#include <map>
#include <set>

#include "compiler/graph/ChangedGlobals.h"

namespace fdg::compiler {
namespace {

class Checker {
 public:
  Checker(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics)
      : graph_(graph), assignment_(assignment), diagnostics_(diagnostics) {}

  void check() {
    checkGlobals();
    std::set<clang::SourceLocation> said;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      for (const clang::SourceLocation place : graph_.at(n).exits) {
        if (assignment_.names.size() > 1 && said.insert(place).second) {
          diagnostics_.report(place, Message::refused_exit);
        }
      }
      for (const Outside& read : graph_.at(n).outside) {
        if (read.reads && said.count(read.place) == 0 && meetsWrite(n, read)) {
          said.insert(read.place);
        }
      }
    }
  }

 private:
  int fragmentOf(int node) const { return assignment_.fragment[static_cast<size_t>(node)]; }
  const std::string& nameOf(int fragment) const {
    return assignment_.names[static_cast<size_t>(fragment)];
  }

  void checkGlobals() {
    const std::set<const clang::VarDecl*> changed = changedGlobals(graph_.program);
    std::map<const clang::VarDecl*, std::pair<int, clang::SourceLocation>> first;
    std::set<const clang::VarDecl*> said;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const int fragment = fragmentOf(n);
      for (const auto& [variable, place] : graph_.at(n).globals) {
        if (fragment < 0 || changed.count(variable->getCanonicalDecl()) == 0) {
          continue;
        }
        const auto [entry, added] = first.emplace(variable, std::pair(fragment, place));
        if (!added && entry->second.first != fragment && said.insert(variable).second) {
          diagnostics_.report(place, Message::global_of_two)
              << variable << nameOf(entry->second.first) << nameOf(fragment);
          diagnostics_.report(entry->second.second, Message::note_also_used_here) << variable;
          diagnostics_.report(variable->getLocation(), Message::note_declared) << variable;
        }
      }
    }
  }

  /// What is read here may have been written by another fragment.
  bool meetsWrite(int reader, const Outside& read) {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      for (const Outside& write : graph_.at(n).outside) {
        const bool other = !read.name.empty() && !write.name.empty() && read.name != write.name;
        if (!write.writes || write.kind != read.kind || other || fragmentOf(n) < 0 ||
            fragmentOf(reader) < 0 || fragmentOf(n) == fragmentOf(reader)) {
          continue;
        }
        // A component may well have files of its own, whose names are made where nobody sees it.
        const bool unclear =
            (read.in_component || write.in_component) && (read.name.empty() || write.name.empty());
        diagnostics_.report(read.place,
                            unclear ? Message::outside_unclear : Message::outside_of_two)
            << static_cast<int>(read.kind) << nameOf(fragmentOf(reader)) << nameOf(fragmentOf(n));
        diagnostics_.report(write.place, Message::note_written_here);
        return true;
      }
    }
    return false;
  }

  const Graph& graph_;
  const Assignment& assignment_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool checkOutside(const Graph& graph, const Assignment& assignment, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  Checker(graph, assignment, diagnostics).check();
  return diagnostics.errors() == before;
}

}  // namespace fdg::compiler
