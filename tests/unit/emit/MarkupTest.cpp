#include <gtest/gtest.h>

#include "compiler/emit/Markup.h"

namespace fdg::compiler {
namespace {

TEST(Markup, EscapesWhatHtmlAndXmlWouldRead) {
  EXPECT_EQ(escaped("a<b> && \"c\" 'd'"), "a&lt;b&gt; &amp;&amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escaped("tab\there\nä"), "tab\there\nä");
}

TEST(Markup, ReplacesWhatXmlForbids) {
  EXPECT_EQ(escaped(std::string_view("a\x01z\r", 4)), "a\uFFFDz\uFFFD");
  EXPECT_EQ(escaped("\xFFz"), "\uFFFDz");
}

TEST(Markup, ShortensByCharacters) {
  EXPECT_EQ(shortened("four", 4), "four");
  EXPECT_EQ(shortened("five!", 4), "fiv…");
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");
  EXPECT_EQ(shortened("äöüßx", 4), "äöü…");
}

TEST(Markup, SaysFacts) {
  EXPECT_EQ(factText({"held", true, ""}), "held: yes");
  EXPECT_EQ(factText({"drainable", false, "why"}), "drainable: no, why");
}

}  // namespace
}  // namespace fdg::compiler
