// Trace: a run reduced to what can be compared: crossings, logs and saved weights in program order.
//
// mergeTrace joins the shares of all replicas: rows add up, wholes must agree (checked here), logs
// of one place are averaged. sequentialTrace runs the plan's sequential function: the oracle of
// --verify.
#pragma once

#include <string>
#include <vector>

#include "base/Manifest.h"
#include "fdg/fragment.h"
#include "runtime/host/Record.h"

namespace fdg::host {

struct Crossing {
  int boundary = 0;
  int64_t execution = 0;
  int64_t iteration = 0;
  value::TraceHash hash;
  bool is_whole = false;  ///< `hash.whole` is valid.
};

struct LogPoint {
  Position position;
  std::string key;
  double value = 0;
  int64_t iteration = 0;
  bool is_share = false;  ///< Averaged over replicas that logged different values.
};

struct SavePoint {
  std::string name;
  uint64_t hash = 0;
};

struct Trace {
  std::vector<Crossing> crossings;  ///< By iteration, then line, then execution.
  std::vector<LogPoint> logs;       ///< In program order.
  std::vector<SavePoint> saves;     ///< In program order.
  std::vector<ResultRecord> results;
  std::string disagreement;  ///< Replicas that should hold the same whole but do not.
};

/// `batches`: all that the ranks recorded.
Trace mergeTrace(const Manifest& manifest, std::vector<Batch> batches);

/// Runs the sequential function with a limit of outermost iterations (0: none).
Trace sequentialTrace(const Manifest& manifest, const PlanCode& code, const void* config,
                      uint64_t seed, int64_t iterations);

/// Logs of the same place as one point each, in program order.
std::vector<LogPoint> mergeLogs(std::vector<LogRecord> logs);

}  // namespace fdg::host
