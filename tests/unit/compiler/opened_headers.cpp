// What crosses out of a header is taken out of it; where that is impossible, the remark says what to write.

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("maker") Maker {
 public:
  int64_t make();
  torch::Tensor weights();
  std::vector<int64_t> list();
};
class FDG_ROLE("user") User {
 public:
  void use(int64_t n);
  int64_t wants();
};
class FDG_ROLE("third") Third : public User {};
class FDG_ROLE("fourth") Fourth : public User {};
class FDG_ROLE("fifth") Fifth : public User {};
class FDG_ROLE("sixth") Sixth : public User {};
class FDG_ROLE("seventh") Seventh : public User {};

#define NEXT(m) m.make()

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  User user;
  Third third;
  Fourth fourth;
  Fifth fifth;
  Sixth sixth;
  Seventh seventh;
  if (auto n = maker.make(); n > 2) {
    user.use(n);
  }
  while (auto n = maker.make()) {
    user.use(n);
  }
  for (int64_t n = 0; n < 4; n = maker.make()) {
    user.use(n);
  }
  do {
    user.use(1);
  } while (maker.make() < user.wants());
  if (torch::Tensor w = maker.weights(); w.size(0) > user.wants()) {
  }
  for (int64_t n = 0; n < 3; n = NEXT(maker)) third.use(n);
  for (int64_t v = 0; v < 3; v = maker.make()) {
    if (v == 1) {
      continue;
    }
    fourth.use(v);
  }
  for (auto x : maker.list()) fifth.use(x);
  const int64_t scale = cfg.steps;
  for (int64_t hides = 0; hides < 5; hides = maker.make() % scale) {
    int64_t scale = 3;
    sixth.use(hides + scale);
  }
  [[likely]] if (auto noted = maker.make(); noted > 2) { seventh.use(noted); }
}
FDG_PROGRAM(train)

// CHECK: 34:7: remark: an annotation cannot stand behind what this header makes, so fdgc takes it out, as if `auto n = maker.make();` stood in front of this statement
// CHECK: 46:7: remark: {{.*}}`torch::Tensor w = maker.weights();` stood in front of this statement
// CHECK: 43:3: remark: {{.*}}`if (!(maker.make() < user.wants())) { break; }` stood at the end of the body
// CHECK: 37:3: remark: {{.*}}`auto n = maker.make(); if (!(n)) { break; }` stood at the beginning of the body
// CHECK: 40:30: remark: {{.*}}`n = maker.make();` stood at the end of the body
// CHECK: 48:30: remark: {{.*}}`n = NEXT(maker);` stood at the end of the body
// CHECK: 45:5: remark: several components would meet here, so fdgc takes this statement apart, as if `auto wants = user.wants();`
// CHECK: 49:30: remark: 'maker' and 'fourth' stay in one fragment: `v` cannot cross: the `continue` at line 51 leads to it; use an if instead of the `continue`
// CHECK: 55:3: remark: {{.*}}'fifth' stay in one fragment: `x` cannot cross: the header of a loop makes it, whose body has no braces; add them
// CHECK: 57:38: remark: {{.*}}'sixth' stay in one fragment: `hides` cannot cross: the body declares another `scale`; give one of them another name
// CHECK: 61:18: remark: {{.*}}'seventh' stay in one fragment: `noted` cannot cross: an attribute stands before this statement; make the value in a statement before it
// CHECK: fragment maker+fourth+fifth+sixth+seventh: components maker, fourth, fifth, sixth, seventh;
// CHECK: fragment user: components user;
// CHECK: fragment third: components third;
// CHECK: boundary n: broadcast maker+fourth+fifth+sixth+seventh -> user; line 34; once
// CHECK: boundary w: broadcast {{.*}}; line 46; once
