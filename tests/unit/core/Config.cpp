#include "core/Config.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/Check.h"

namespace fdg {
namespace {

struct Fields {
  int64_t steps = 10;
  double lr = 1e-3;
  bool dueling = false;
  std::string env = "CartPole-v1";
  std::vector<int64_t> hidden = {64, 64};
  int small = 1;
  float narrow = 0.5F;
  uint64_t count = 3;
  uint8_t byte = 1;
  std::vector<double> rates = {0.5};
  double most = INFINITY;

  VisitConfig visit() {
    return [this](ConfigVisitor& v) {
      v.field("steps", steps);
      v.field("dqn.lr", lr);
      v.field("dqn.dueling", dueling);
      v.field("env", env);
      v.field("hidden", hidden);
      v.field("small", small);
      v.field("narrow", narrow);
      v.field("count", count);
      v.field("byte", byte);
      v.field("rates", rates);
      v.field("most", most);
    };
  }
};

std::string refusal(const std::string& assignment) {
  Fields fields;
  try {
    setConfigField(fields.visit(), assignment);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Config, SetsEveryKindOfField) {
  Fields fields;
  for (const char* assignment : {"steps=20'000", "dqn.lr=3e-4", "dqn.dueling=true",
                                 "env=gym:Foo-v1", "hidden=8,16", "small=7"}) {
    setConfigField(fields.visit(), assignment);
  }
  EXPECT_EQ(fields.steps, 20'000);
  EXPECT_EQ(fields.lr, 3e-4);
  EXPECT_TRUE(fields.dueling);
  EXPECT_EQ(fields.env, "gym:Foo-v1");
  EXPECT_EQ(fields.hidden, (std::vector<int64_t>{8, 16}));
  EXPECT_EQ(fields.small, 7);
}

TEST(Config, AListMayStandInBrackets) {
  for (const char* assignment : {"hidden=[8,16]", "hidden=[8, 16]", "hidden=8, 16"}) {
    Fields fields;
    setConfigField(fields.visit(), assignment);
    EXPECT_EQ(fields.hidden, (std::vector<int64_t>{8, 16})) << assignment;
  }
  Fields fields;
  setConfigField(fields.visit(), "hidden=[]");
  EXPECT_TRUE(fields.hidden.empty());
  EXPECT_NE(refusal("steps=[4]").find("steps takes an integer"), std::string::npos);
  EXPECT_NE(refusal("hidden=[8").find("integers"), std::string::npos);
}

TEST(Config, OfAListItNamesTheElementThatIsNone) {
  for (const auto& [text, element] : std::vector<std::pair<std::string, std::string>>{
           {"a", "a"}, {"[8", "[8"}, {"8,,9", ""}, {"8,x,9", "x"}, {"64 64", "64 64"}, {"[[8]]", "[8]"}, {"1.5", "1.5"}}) {
    EXPECT_EQ(refusal("hidden=" + text), "--set hidden=" + text +
                                             ": hidden takes integers with commas between them (64,64; [] for "
                                             "none), and \"" + element + "\" is none");
  }
  EXPECT_NE(refusal("rates=0.5,fast").find("(0.5,0.9; [] for none), and \"fast\" is none"), std::string::npos);
}

TEST(Config, RefusesWithTheFieldAndWhatItTakes) {
  EXPECT_NE(refusal("steps=many").find("steps takes an integer"), std::string::npos);
  EXPECT_NE(refusal("steps=1.5").find("an integer"), std::string::npos);
  EXPECT_NE(refusal("dqn.dueling=1").find("true or false"), std::string::npos);
  EXPECT_NE(refusal("dqn.lt=1").find("did you mean dqn.lr"), std::string::npos);
  EXPECT_NE(refusal("dqn=1").find("this is a group of fields. Fields: dqn.lr, dqn.dueling"),
            std::string::npos);
  EXPECT_NE(refusal("steps").find("FIELD=VALUE"), std::string::npos);
  EXPECT_NE(refusal("steps=").find("an integer"), std::string::npos);
}

TEST(Config, RefusesWhatItsTypeCannotHold) {
  for (const auto& [assignment, range] : std::vector<std::pair<std::string, std::string>>{
           {"small=5000000000", "small takes an integer from -2147483648 to 2147483647"},
           {"small=99999999999999999999", "small takes an integer from -9223372036854775808 to"},
           {"steps=9223372036854775808", "steps takes an integer from -9223372036854775808 to"},
           {"count=-1", "count takes an integer from 0 to 9223372036854775807"},
           {"byte=256", "byte takes an integer from 0 to 255"},
           {"narrow=1e300", "narrow takes 0 or a number whose size is from 1.401298464324817e-45 to 3.40282346"},
           {"narrow=-1e300", "narrow takes 0 or a number whose size"},
           {"narrow=1e-300", "narrow takes 0 or a number whose size"},
           {"dqn.lr=1e999", "dqn.lr takes a number from -1.7976931348623157e+308 to"},
           {"dqn.lr=1e-999", "none so near 0"},
           {"rates=1,1e999", "rates takes numbers with commas between them from"},
           {"hidden=1,99999999999999999999", "hidden takes integers"}}) {
    const std::string said = refusal(assignment);
    EXPECT_TRUE(said.starts_with("--set " + assignment + ": ")) << said;
    EXPECT_NE(said.find(range), std::string::npos) << said;
  }
}

TEST(Config, RefusesWhatIsNoNumber) {
  for (const char* field : {"dqn.lr", "narrow", "rates", "small", "count"}) {
    for (const char* text : {"nan", "inf", "-inf", "infinity", "NaN", "0,inf", ""}) {
      const std::string assignment = std::string(field) + "=" + text;
      if (assignment != "rates=") {
        EXPECT_NE(refusal(assignment).find(std::string(field) + " takes "), std::string::npos) << assignment;
      }
    }
  }
}

TEST(Config, ADefaultThatIsNoFiniteNumberCanBeToldAgain) {
  EXPECT_EQ(refusal("most=inf"), "");
  EXPECT_NE(refusal("most=-inf"), "");
  EXPECT_NE(refusal("most=nan"), "");
}

}  // namespace
}  // namespace fdg
