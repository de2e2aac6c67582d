#include "runtime/host/Verify.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

namespace fdg::host {
namespace {

std::string where(const Manifest& manifest, const Crossing& crossing) {
  const BoundaryInfo& boundary = manifest.boundaries[static_cast<size_t>(crossing.boundary)];
  return boundary.name + " at line " + std::to_string(boundary.line) + ", iteration " +
         std::to_string(crossing.iteration) + " (execution " + std::to_string(crossing.execution) +
         ")";
}

bool same(const Crossing& a, const Crossing& b) {
  if (a.is_whole && b.is_whole) {
    return a.hash.whole == b.hash.whole;
  }
  return a.hash.rows_hash == b.hash.rows_hash && a.hash.plain == b.hash.plain &&
         a.hash.rows == b.hash.rows;
}

Verdict compareCrossings(const Manifest& manifest, const Trace& run, const Trace& oracle,
                         const std::string& oracle_name) {
  const size_t common = std::min(run.crossings.size(), oracle.crossings.size());
  for (size_t i = 0; i < common; ++i) {
    const Crossing& a = run.crossings[i];
    const Crossing& b = oracle.crossings[i];
    if (a.boundary != b.boundary || a.execution != b.execution) {
      return {false, "not equal: the " + oracle_name + " has " + where(manifest, b) +
                         " where this run has " + where(manifest, a)};
    }
    if (!same(a, b)) {
      return {false, "not equal: the first value that differs from the " + oracle_name + " is " +
                         where(manifest, a) +
                         (a.hash.rows != b.hash.rows
                              ? "; it has " + std::to_string(a.hash.rows) + " rows instead of " +
                                    std::to_string(b.hash.rows)
                              : "")};
    }
  }
  if (run.crossings.size() != oracle.crossings.size()) {
    const bool less = run.crossings.size() < oracle.crossings.size();
    return {false, "not equal: " + where(manifest, (less ? oracle : run).crossings[common]) +
                       (less ? " happened only in the " + oracle_name
                             : " did not happen in the " + oracle_name)};
  }
  return {true, ""};
}

Verdict compareLogs(const Trace& run, const Trace& oracle, const std::string& oracle_name) {
  if (run.logs.size() != oracle.logs.size()) {
    return {false, "not equal: " + std::to_string(run.logs.size()) + " values were logged, " +
                       std::to_string(oracle.logs.size()) + " in the " + oracle_name};
  }
  for (size_t i = 0; i < run.logs.size(); ++i) {
    const LogPoint& a = run.logs[i];
    const LogPoint& b = oracle.logs[i];
    const double tolerance =
        a.is_share || b.is_share ? 1e-6 * std::max(1.0, std::abs(b.value)) : 0.0;
    const bool equal = a.value == b.value || std::abs(a.value - b.value) <= tolerance ||
                       (std::isnan(a.value) && std::isnan(b.value));
    if (a.key != b.key || !equal) {
      return {false, "not equal: in iteration " + std::to_string(b.iteration) + " the " +
                         oracle_name + " logs " + b.key + " = " + std::to_string(b.value) +
                         ", this run " + a.key + " = " + std::to_string(a.value)};
    }
  }
  return {true, ""};
}

Verdict compareSaves(const Trace& run, const Trace& oracle, const char* oracle_name) {
  for (size_t i = 0; i < std::max(run.saves.size(), oracle.saves.size()); ++i) {
    const SavePoint* mine = i < run.saves.size() ? &run.saves[i] : nullptr;
    const SavePoint* theirs = i < oracle.saves.size() ? &oracle.saves[i] : nullptr;
    if (mine == nullptr || theirs == nullptr || mine->name != theirs->name ||
        mine->hash != theirs->hash) {
      return {false, "not equal: what run.save(\"" + (theirs ? theirs : mine)->name +
                         "\") saves, number " + std::to_string(i + 1) +
                         " of all that is saved, differs from the " + oracle_name};
    }
  }
  return {true, ""};
}

int sayVerdict(const Verdict& verdict) {
  (verdict.equal ? std::cout : std::cerr) << "verify: " << verdict.text << std::endl;
  return verdict.equal ? 0 : 1;
}

}  // namespace

bool reordersRounding(const Manifest& manifest, const place::Placement& placement) {
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    if (!isReduction(boundary.operation)) {
      continue;
    }
    int64_t producers = 0;
    for (const place::Instance& instance : placement.instances) {
      producers += std::ranges::count(instance.fragments, boundary.producer);
    }
    if (producers > 1) {
      return true;
    }
  }
  return false;
}

Verdict compareBits(const Manifest& manifest, const Trace& run, const Trace& oracle,
                    const char* oracle_name) {
  if (!run.disagreement.empty()) {
    return {false, "not equal: " + run.disagreement};
  }
  if (Verdict verdict = compareCrossings(manifest, run, oracle, oracle_name); !verdict.equal) {
    return verdict;
  }
  if (Verdict verdict = compareLogs(run, oracle, oracle_name); !verdict.equal) {
    return verdict;
  }
  if (Verdict verdict = compareSaves(run, oracle, oracle_name); !verdict.equal) {
    return verdict;
  }
  return {true, "equal to the " + std::string(oracle_name) +
                    ", bit for bit: " + std::to_string(run.crossings.size()) + " crossings, " +
                    std::to_string(run.logs.size()) + " logged values, " +
                    std::to_string(run.saves.size()) + " saved"};
}

Verdict compareFirstResults(const Manifest& manifest, const Trace& run, const Trace& oracle) {
  double worst = 0;
  for (const ResultRecord& expected : oracle.results) {
    const auto found = std::ranges::find(run.results, expected.boundary, &ResultRecord::boundary);
    const BoundaryInfo& boundary = manifest.boundaries[static_cast<size_t>(expected.boundary)];
    if (found == run.results.end() || found->numbers.size() != expected.numbers.size()) {
      return {false, "not equal: the first result of " + boundary.name + " (line " +
                         std::to_string(boundary.line) + ") has another shape than sequentially"};
    }
    double largest = 1e-30;
    double difference = 0;
    for (size_t i = 0; i < expected.numbers.size(); ++i) {
      largest = std::max(largest, std::abs(expected.numbers[i]));
      difference = std::max(difference, std::abs(expected.numbers[i] - found->numbers[i]));
    }
    worst = std::max(worst, difference / largest);
    if (!(difference <= 1e-5 * largest)) {
      return {false, "not equal: the first result of " + boundary.name + " (line " +
                         std::to_string(boundary.line) + ") differs by " +
                         std::to_string(difference / largest) +
                         " of its largest number from the sequential run; 1e-5 is rounding"};
    }
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.1e", worst);
  return {true, "first reduced values within " + std::string(text) + " of the sequential run"};
}

int judgeTrace(const Manifest& manifest, const place::Placement& placement, const Trace& run,
               int64_t iterations, const Oracles& oracles) {
  if (const std::string unfired = neverFired(manifest, run); !unfired.empty()) {
    return sayVerdict(
        {false, "no proof: the boundary " + unfired + " was never reached in " +
                    std::to_string(iterations) +
                    " iterations; verify more of them or set a shorter warm-up with --set, if the "
                    "config lets the program come there at all"});
  }
  const Trace sequential = oracles.sequential();
  if (!reordersRounding(manifest, placement)) {
    return sayVerdict(compareBits(manifest, run, sequential, "sequential run"));
  }
  if (!run.disagreement.empty()) {
    return sayVerdict({false, "not equal: " + run.disagreement});
  }
  if (const int code = sayVerdict(compareFirstResults(manifest, run, sequential)); code != 0) {
    return code;
  }
  return sayVerdict(
      compareBits(manifest, run, oracles.in_process(), "same replicas in one process"));
}

std::string neverFired(const Manifest& manifest, const Trace& run) {
  std::set<int> fired;
  for (const Crossing& crossing : run.crossings) {
    fired.insert(crossing.boundary);
  }
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    if (!boundary.implicit && !fired.contains(boundary.id)) {
      return boundary.name + " (line " + std::to_string(boundary.line) + ")";
    }
  }
  return {};
}

}  // namespace fdg::host
