// A block of its own among the statements that use a message: it keeps its place, so they cannot be drained.

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("maker") Maker {
 public:
  int64_t make();
};
class FDG_ROLE("store") Store {
 public:
  void add(int64_t x);
};

void train(fdg::Run&, const Config& cfg) {
  Maker maker;
  Store store;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t first = maker.make();
    fdg::partition(fdg::broadcast, first);
    int64_t second = maker.make();
    fdg::partition(fdg::broadcast.loose(), second);
    {
      store.add(first);
    }
    store.add(second);
    int64_t third = maker.make();
    fdg::partition(fdg::broadcast.loose(), third);
    store.add(third);
    {
      store.add(first);
    }
  }
}
FDG_PROGRAM(train)

// CHECK: boundary second: broadcast.loose maker -> store
// CHECK-NEXT: values: second (long)
// CHECK-NEXT: drainable: no, `store.add(first)` at line 25 stands in another block than the annotation, in front of a use of `second`
// CHECK: boundary third: broadcast.loose maker -> store
// CHECK-NEXT: values: third (long)
// CHECK-NEXT: drainable: yes
