#include "core/Config.h"

#include <gtest/gtest.h>

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

  VisitConfig visit() {
    return [this](ConfigVisitor& v) {
      v.field("steps", steps);
      v.field("dqn.lr", lr);
      v.field("dqn.dueling", dueling);
      v.field("env", env);
      v.field("hidden", hidden);
      v.field("small", small);
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

TEST(Config, RefusesWithTheFieldAndWhatItTakes) {
  EXPECT_NE(refusal("steps=many").find("steps takes an integer"), std::string::npos);
  EXPECT_NE(refusal("steps=1.5").find("an integer"), std::string::npos);
  EXPECT_NE(refusal("dqn.dueling=1").find("true or false"), std::string::npos);
  EXPECT_NE(refusal("dqn.lt=1").find("did you mean dqn.lr"), std::string::npos);
  EXPECT_NE(refusal("dqn=1").find("this is a group of fields. Fields: dqn.lr, dqn.dueling"),
            std::string::npos);
  EXPECT_NE(refusal("steps").find("FIELD=VALUE"), std::string::npos);
  EXPECT_NE(refusal("small=5000000000").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal("steps=").find("an integer"), std::string::npos);
}

}  // namespace
}  // namespace fdg
