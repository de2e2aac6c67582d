// Fields that --set cannot reach, each with its reason.
struct Base {
  int64_t steps = 1;  // expected-remark {{the field 'steps' cannot be set from outside, so it keeps its default: two fields have this name}}
};
struct Left {
  double rate = 1;  // expected-remark {{the field 'rate' cannot be set from outside, so it keeps its default: two fields have this name}}
  double left = 1;
};
struct Right {
  double rate = 2;  // expected-remark {{the field 'rate' cannot be set from outside, so it keeps its default: two fields have this name}}
};
class Config : public Base, public Left, public Right {
 public:
  int64_t steps = 2;
  const int64_t fixed = 1;  // expected-remark {{it is const}}
  static int64_t shared;
  int64_t bits : 3 = 1;  // expected-remark {{it is a bit-field}}
  int64_t array[2] = {1, 2};  // expected-remark {{it is a C array; use std::vector}}
  std::map<std::string, double> map;  // expected-remark {{only numbers, bools, enums, strings, optionals of those}}
  std::vector<std::string> names;  // expected-remark {{the field 'names' cannot be set}}

 private:
  int64_t hidden_ = 1;  // expected-remark {{it is private or protected}}
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
