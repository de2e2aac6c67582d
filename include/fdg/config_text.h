// Config fields that are set by a word: enums by the names of their values, optionals by "none" or
// a value. Included by code that fdgc generates, where a config has such fields.
//
// A word that fits nothing throws UserError with the words that would.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "base/Check.h"
#include "core/Config.h"

namespace fdg {

template <class E>
using EnumNames = std::initializer_list<std::pair<const char*, E>>;

/// A value without a name is shown as "?" and stays until another is set.
template <class E>
void visitEnum(ConfigVisitor& visitor, const char* name, E& value, EnumNames<E> names) {
  std::string before = "?";
  for (const auto& [word, each] : names) {
    before = each == value && before == "?" ? word : before;
  }
  std::string text = before;
  visitor.field(name, text);
  if (text == before) {
    return;
  }
  std::string known;
  for (const auto& [word, each] : names) {
    if (text == word) {
      value = each;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  throw UserError(std::string(name) + " takes one of " + known + ", not " + text);
}

namespace detail {
template <class T, class Visit>
void visitOptionalBy(ConfigVisitor& visitor, const char* name, std::optional<T>& value,
                     Visit visit) {
  const auto visits = [&](T& inner) {
    return [&](ConfigVisitor& within) { visit(within, inner); };
  };
  const std::string before = value ? configValues(visits(*value)).front().second : "none";
  std::string text = before;
  visitor.field(name, text);
  if (text == before) {
    return;
  }
  if (text == "none") {
    value.reset();
    return;
  }
  T inner{};
  setConfigField(visits(inner), std::string(name) + "=" + text);
  value = std::move(inner);
}
}  // namespace detail

template <class T>
void visitOptional(ConfigVisitor& visitor, const char* name, std::optional<T>& value) {
  detail::visitOptionalBy(visitor, name, value,
                          [&](ConfigVisitor& within, T& inner) { within.field(name, inner); });
}
template <class E>
void visitOptional(ConfigVisitor& visitor, const char* name, std::optional<E>& value,
                   EnumNames<E> names) {
  detail::visitOptionalBy(visitor, name, value, [&](ConfigVisitor& within, E& inner) {
    visitEnum(within, name, inner, names);
  });
}

}  // namespace fdg
