// Sets and reads config fields by name, for --set and --config.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/NearestName.h"
#include "fdg/program.h"

namespace fdg {

using VisitConfig = std::function<void(ConfigVisitor&)>;

/// Sets the field that `assignment` ("dqn.lr=1e-4") names. Throws UserError that names the field,
/// what it takes, and for an unknown name the nearest ones.
void setConfigField(const VisitConfig& visit, std::string_view assignment);

/// Every field's name and value as text, in order.
std::vector<std::pair<std::string, std::string>> configValues(const VisitConfig& visit);

}  // namespace fdg
