// What makes a drain block, and what is just too much for one: each clause of language.md, "Facts", as a pair.

struct Config {
  int64_t steps = 10;
  int64_t scale = 2;
};

class FDG_ROLE("maker") Maker {
 public:
  rl::Experience make();
  int64_t number();
  void tick(int64_t n);
};

class FDG_ROLE("store") Store {
 public:
  void add(const rl::Experience& e, int64_t n = 0);
  void tick(int64_t n);
  bool ready();
  int64_t count() const;
};

void unknown(int64_t n);
int64_t seen = 0;

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Store store;
  const int64_t twice = cfg.scale * 2;
  int64_t sum = 0;
  const auto put = [&](const rl::Experience& e) { store.add(e, twice); };
  for (int64_t step = 0; step < cfg.steps; ++step) {
    {  // The message, a free value from in front of the loop, what is made of both, loops of its own, the log.
      auto yes = maker.make();
      fdg::partition(fdg::append.loose(), yes);
      auto rows = yes.reward.size(0);
      const auto [observation, action, reward] = yes;
      for (int64_t i = 0; i < rows; ++i) {
        if (store.ready()) {
          store.add({observation, action, reward}, i + twice);
        }
      }
      int64_t n = 0;
      n = rows * 2;
      run.log("rows", n + rows);
      put(yes);
    }
    {  // A second consumer statement behind an unrelated one of the same fragment.
      auto between = maker.make();
      fdg::partition(fdg::append.loose(), between);
      store.tick(1);
      store.add(between);
    }
    {
      auto counter = maker.make();
      fdg::partition(fdg::append.loose(), counter);
      store.add(counter, step);
    }
    {
      auto condition = maker.make();
      fdg::partition(fdg::append.loose(), condition);
      if (step > 3) {
        store.add(condition);
      }
    }
    {
      auto other = maker.number();
      fdg::partition(fdg::broadcast, other);
      auto mixed = maker.make();
      fdg::partition(fdg::append.loose(), mixed);
      store.add(mixed, other);
    }
    {
      auto size = store.count();
      auto owned = maker.make();
      fdg::partition(fdg::append.loose(), owned);
      store.add(owned, size);
    }
    {
      auto added = maker.number();
      fdg::partition(fdg::broadcast.loose(), added);
      sum += added;
      store.tick(sum);
    }
    {
      auto defines = maker.make();
      fdg::partition(fdg::append.loose(), defines);
      sum = defines.reward.size(0);
      store.add(defines);
    }
    {
      auto first = maker.make();
      fdg::partition(fdg::append.loose(), first);
      auto second = maker.number();
      fdg::partition(fdg::broadcast, second);
      store.add(first);
      store.tick(second);
    }
    {
      auto told = maker.make();
      fdg::partition(fdg::append.loose(), told);
      if (store.ready()) {
        maker.tick(1);
      }
      store.add(told);
    }
    {
      int64_t outer;
      auto named = maker.make();
      fdg::partition(fdg::append.loose(), named);
      outer = named.reward.size(0);
      store.add(named, outer);
    }
    {
      Store inner;
      auto fresh = maker.make();
      fdg::partition(fdg::append.loose(), fresh);
      inner.add(fresh);
    }
    {
      torch::NoGradGuard guard;
      auto guarded = maker.make();
      fdg::partition(fdg::append.loose(), guarded);
      store.add(guarded);
    }
    {
      auto guards = maker.make();
      fdg::partition(fdg::append.loose(), guards);
      torch::NoGradGuard guard;
      store.add(guards);
      store.tick(2);
    }
    {
      auto impure = maker.number();
      fdg::partition(fdg::broadcast.loose(), impure);
      store.tick(impure);
      unknown(impure);
    }
    {
      auto global = maker.number();
      fdg::partition(fdg::broadcast.loose(), global);
      store.tick(seen + global);
    }
    auto late = maker.make();
    {
      fdg::partition(fdg::append.loose(), late);
      store.tick(3);
    }
    store.add(late);
    auto jumped = maker.make();
    fdg::partition(fdg::append.loose(), jumped);
    if (jumped.reward.size(0) == 0) {
      continue;
    }
    store.add(jumped);
  }
  run.log("sum", sum);
  auto once = maker.make();
  fdg::partition(fdg::append.loose(), once);
  store.add(once);
  auto strict = maker.make();
  fdg::partition(fdg::append, strict);
  store.add(strict);
}
FDG_PROGRAM(train)

// CHECK: boundary yes: append.loose maker -> store; line 35; in loops 5
// CHECK-NEXT: values: yes (rl::Experience)
// CHECK: drainable: yes{{$}}
// CHECK: boundary between: append.loose maker -> store; line 50; in loops 5
// CHECK-NEXT: values: between (rl::Experience)
// CHECK: drainable: yes{{$}}
// CHECK: boundary counter: append.loose maker -> store; line 56; in loops 5
// CHECK-NEXT: values: counter (rl::Experience)
// CHECK: drainable: no, `store.add(counter, step)` at line 57 reads the loop counter `step`; send it along: fdg::partition(…, counter, step)
// CHECK: boundary condition: append.loose maker -> store; line 61; in loops 5
// CHECK-NEXT: values: condition (rl::Experience)
// CHECK: drainable: no, the condition `step > 3` at line 62 reads the loop counter `step`; send it along: fdg::partition(…, condition, step)
// CHECK: boundary other: broadcast maker -> store; line 68; in loops 5
// CHECK: boundary mixed: append.loose maker -> store; line 70; in loops 5
// CHECK-NEXT: values: mixed (rl::Experience)
// CHECK: drainable: no, `store.add(mixed, other)` at line 71 also reads `other`, defined at line 68; send it along: fdg::partition(…, mixed, other)
// CHECK: boundary owned: append.loose maker -> store; line 76; in loops 5
// CHECK-NEXT: values: owned (rl::Experience)
// CHECK: drainable: no, `store.add(owned, size)` at line 77 also reads `size`, defined at line 74; send it along: fdg::partition(…, owned, size)
// CHECK: boundary added: broadcast.loose maker -> store; line 81; in loops 5
// CHECK-NEXT: values: added (long)
// CHECK: drainable: no, `sum += added` at line 82 also reads `sum`, defined at line 88; send it along: fdg::partition(…, added, sum)
// CHECK: boundary defines: append.loose maker -> store; line 87; in loops 5
// CHECK-NEXT: values: defines (rl::Experience)
// CHECK: drainable: no, `sum = defines.reward.size(0)` at line 88 also defines `sum`, which line 82 uses
// CHECK: boundary first: append.loose maker -> store; line 93; in loops 5
// CHECK-NEXT: values: first (rl::Experience)
// CHECK: drainable: no, `fdg::partition(fdg::broadcast, second)` at line 95 is a boundary among the statements that use `first`
// CHECK: boundary second: broadcast maker -> store; line 95; in loops 5
// CHECK: boundary told: append.loose maker -> store; line 101; in loops 5
// CHECK-NEXT: values: told (rl::Experience)
// CHECK: drainable: no, the condition `store.ready()` at line 102 is told to fragment 'maker' in every iteration
// CHECK: boundary named: append.loose maker -> store; line 110; in loops 5
// CHECK-NEXT: values: named (rl::Experience)
// CHECK: drainable: no, `outer = named.reward.size(0)` at line 111 uses `outer`, which is declared inside the loop at line 108; declare it in front of the loop, or behind the annotation
// CHECK: boundary fresh: append.loose maker -> store2; line 117; in loops 5
// CHECK-NEXT: values: fresh (rl::Experience)
// CHECK: drainable: no, `inner.add(fresh)` at line 118 uses `inner`, which is declared inside the loop at line 115; declare it in front of the loop, or behind the annotation
// CHECK: boundary guarded: append.loose maker -> store; line 123; in loops 5
// CHECK-NEXT: values: guarded (rl::Experience)
// CHECK: drainable: no, `torch::NoGradGuard guard;` at line 121 also acts on the statements that use `guarded`; write it in front of the loop, or behind the annotation
// CHECK: boundary guards: append.loose maker -> store; line 128; in loops 5
// CHECK-NEXT: values: guards (rl::Experience)
// CHECK: drainable: no, `torch::NoGradGuard guard;` at line 129 also acts on line 131, which does not use `guards`; put braces around what it is for
// CHECK: boundary impure: broadcast.loose maker -> store; line 135; in loops 5
// CHECK-NEXT: values: impure (long)
// CHECK: drainable: no, `unknown(impure)` at line 137 calls `unknown`, and fdgc does not know what it does
// CHECK: boundary global: broadcast.loose maker -> store; line 141; in loops 5
// CHECK-NEXT: values: global (long)
// CHECK: drainable: no, `store.tick(seen + global)` at line 142 uses `seen`, which outlives the training function
// CHECK: boundary late: append.loose maker -> store; line 146; in loops 5
// CHECK-NEXT: values: late (rl::Experience)
// CHECK: drainable: no, `store.add(late)` at line 149 uses `late` outside the block in which it is received
// CHECK: boundary jumped: append.loose maker -> store; line 151; in loops 5
// CHECK-NEXT: values: jumped (rl::Experience)
// CHECK: drainable: no, `continue` at line 153 stands among the statements that use `jumped`
// CHECK: boundary once: append.loose maker -> store; line 159; once
// CHECK-NEXT: values: once (rl::Experience)
// CHECK: drainable: no, `once` crosses once, outside every loop: there is nothing to drain
// CHECK: boundary strict: append maker -> store; line 162; once
// CHECK: rate class: maker, store, store2
