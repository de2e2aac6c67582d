#include <fmt/format.h>

#include <cmath>

#include "base/TextTable.h"
#include "runtime/forecast/Forecast.h"
#include "runtime/report/Lines.h"

namespace fdg::forecast {
namespace {

std::string countText(double count) {
  return std::abs(count - std::round(count)) < 1e-9 ? report::grouped(std::llround(count))
                                                    : fmt::format("{:.2f}", count);
}

std::string loadText(const Load& load) {
  return load.messages == 0
             ? "none"
             : countText(load.messages) + (load.messages == 1 ? " message, " : " messages, ") +
                   report::byteText(std::llround(load.bytes));
}

std::string timeText(double seconds) {
  return seconds >= 1      ? fmt::format("{:.2f} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.2f} ms", seconds * 1e3)
                           : fmt::format("{:.1f} µs", seconds * 1e6);
}

}  // namespace

std::string explainForecast(const Manifest& manifest, const Forecast& forecast) {
  TextTable loads(
      {"boundary", ">executions per iteration", "in a rank", "within nodes", "between nodes"});
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    const BoundaryLoad& load = forecast.boundaries[static_cast<size_t>(boundary.id)];
    loads.row({boundary.name, countText(load.executions), loadText(load.local),
               loadText(load.within), loadText(load.between)});
  }
  TextTable fragments({"fragment", ">instances", ">computes", ">waits"});
  for (const FragmentInfo& fragment : manifest.fragments) {
    const FragmentLoad& load = forecast.fragments[static_cast<size_t>(fragment.id)];
    fragments.row({fragment.name, std::to_string(load.instances),
                   fmt::format("{:.0f} %", load.computing * 100),
                   fmt::format("{:.0f} %", 100 - load.computing * 100)});
  }
  return "Per execution\n" + loads.text() + "\nEstimate\n  one iteration takes " +
         timeText(forecast.seconds_per_iteration) + ", so " +
         fmt::format("{:.4g}", 1 / forecast.seconds_per_iteration) + " a second (of " +
         std::to_string(forecast.iterations) + " that were walked through)\n" + fragments.text();
}

}  // namespace fdg::forecast
