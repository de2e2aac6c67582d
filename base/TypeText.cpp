#include "base/TypeText.h"

#include <cctype>
#include <string_view>

namespace fdg {

std::string shortType(std::string type) {
  for (const std::string_view space : {"std::__cxx11::", "std::", "fdg::", "at::"}) {
    for (size_t place = type.find(space); place != std::string::npos;
         place = type.find(space, place)) {
      const char before = place == 0 ? ' ' : type[place - 1];
      const bool inside_a_name =
          std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_' || before == ':';
      if (inside_a_name) {
        place += space.size();
      } else {
        type.erase(place, space.size());
      }
    }
  }
  return type;
}

}  // namespace fdg
