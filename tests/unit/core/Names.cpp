#include "core/Names.h"

#include <gtest/gtest.h>

#include <string>

#include "base/Check.h"

namespace fdg {
namespace {

TEST(Names, KeysOfTheLogAreUtf8) {
  for (const char* good : {"", "eval/return", "odd \"key\"\n\x01", "ε", "€", "\xF0\x9F\x98\x80"}) {
    EXPECT_NO_THROW(checkLogKey(good));
  }
  for (const char* bad : {"\xff", "a\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_THROW(checkLogKey(bad), UserError) << bad;
  }
}

TEST(Names, WhatIsSavedStaysInTheRunsFolder) {
  for (const char* good : {"model", "best.1", "ε", "a b", "a..b", "-"}) {
    EXPECT_NO_THROW(checkSavedName(good));
  }
  for (const std::string& bad :
       {std::string(), std::string("../model"), std::string("a/b"), std::string("/tmp/x"), std::string("."),
        std::string(".."), std::string(".hidden"), std::string("a\0b", 3), std::string("\xff"), std::string(201, 'x')}) {
    EXPECT_THROW(checkSavedName(bad), UserError) << bad;
  }
}

}  // namespace
}  // namespace fdg
