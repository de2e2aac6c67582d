// Trip counts are told only where they hold; fusable and held, where they hold and where they just do not.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class FDG_ROLE("wide") Wide {
 public:
  explicit Wide(fdg::Rows rows) : begin_(rows.begin) {}
  torch::Tensor make();
  void take(const torch::Tensor& t, int64_t n = 0);

 private:
  int64_t begin_;
};
class FDG_ROLE("narrow") Narrow {
 public:
  Narrow(int64_t first, int64_t n);
  torch::Tensor make();
  void take(const torch::Tensor& t, int64_t n = 0);
};

FDG_PURE int64_t look(const torch::Tensor& t);
torch::Tensor last;

void train(fdg::Run& run, const Config& cfg) {
  Wide wide(run.rows(cfg.envs));
  const auto rows = run.rows(cfg.envs);
  const auto [begin, end, total] = rows;
  Narrow narrow(begin, rows.size());
  std::vector<torch::Tensor> list;
  std::optional<torch::Tensor> later;
  int64_t bound = cfg.steps;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto plain = wide.make();
    fdg::partition(fdg::gather, plain);
    narrow.take(plain, look(plain));
    auto inner = wide.make();
    fdg::partition(fdg::gather, inner);
    const auto view = inner.view({1});
    narrow.take(view);
    auto listed = wide.make();
    fdg::partition(fdg::gather, listed);
    list.push_back(listed);
    auto caught = wide.make();
    fdg::partition(fdg::gather, caught);
    later = caught;
    auto outlived = narrow.make();
    fdg::partition(fdg::gather, outlived);
    last = outlived;
    wide.take(outlived);
    for (int64_t j = 0; j < bound; ++j) {
      bound -= 1;
    }
    for (int64_t j = 0; j < 5; ++j) {
      j += look(plain) > 2 ? 1 : 0;
    }
    for (int64_t j = 0; j < bound; ++j) {
      narrow.take(list.front(), j);
    }
  }
  narrow.take(list.back());
  narrow.take(*later);
}
FDG_PROGRAM(train)

// CHECK: fragment wide: components wide
// CHECK-NEXT: replicable: yes{{$}}
// CHECK-NEXT: approximate: `last = outlived` at line 51 uses `last`, which outlives the training function, so replicas in one process share it
// CHECK-NEXT: fusable: yes{{$}}
// CHECK: fragment narrow: components narrow
// CHECK-NEXT: replicable: yes{{$}}
// CHECK-NEXT: fusable: no, `const auto [begin, end, total] = rows;` at line 30 reads where its rows lie, which differs between replicas
// CHECK: boundary plain: gather wide -> narrow; line 37; in loops 7
// CHECK-NEXT: values: plain (at::Tensor)
// CHECK: boundary inner: gather wide -> narrow; line 40; in loops 7
// CHECK-NEXT: values: inner (at::Tensor)
// CHECK: boundary listed: gather wide -> narrow; line 44; in loops 7
// CHECK-NEXT: values: listed (at::Tensor)
// CHECK-NEXT: held
// CHECK: boundary caught: gather wide -> narrow; line 47; in loops 7
// CHECK-NEXT: values: caught (at::Tensor)
// CHECK-NEXT: held
// CHECK: boundary outlived: gather narrow -> wide; line 50; in loops 7
// CHECK-NEXT: values: outlived (at::Tensor)
// CHECK-NEXT: held
// CHECK: loop 7: line 35; up to cfg.steps; crossed
// CHECK: loop 27: line 53; in loop 7{{$}}
// CHECK: loop 31: line 56; in loop 7{{$}}
// CHECK: loop 35: line 59; in loop 7; up to bound
