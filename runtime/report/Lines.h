// Status and closing → the text that people read. Pure; any thread.
#pragma once

#include <map>
#include <string>

#include "runtime/report/Report.h"

namespace fdg::report {

/// "12,400 iterations, 3,100/s, return 475, loss 0.012, waiting: actor 12 %, learner 40 %". What is
/// not known is left out.
std::string statusLine(const Status& status, double iterations_per_second,
                       const std::map<std::string, double>& newest);

/// The closing table of fragments and boundaries, and where the files are.
std::string closingText(const Closing& closing, const std::string& folder);

/// 1234567 → "1,234,567".
std::string grouped(int64_t number);
/// 3200000 → "3.2 MB".
std::string byteText(int64_t bytes);
/// 3.21 → "3.2 s", 75.2 → "1 min 15 s".
std::string secondsText(double seconds);

}  // namespace fdg::report
