// A value of which only the latest counts, and values of which a skipped one would be lost.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::Learner learner({}, run.stream("learner"));
  rl::Evaluator evaluator("CartPole-v1", 10, run.stream("eval"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  double total = 0;
  rl::Weights kept;
  std::vector<rl::Weights> all;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto latest = learner.weights();
    fdg::partition(fdg::broadcast.loose(), latest);
    actor.load(latest);
    total += evaluator.run(latest);
    auto moved = learner.weights();
    fdg::partition(fdg::broadcast.loose(), moved);
    actor.load(std::move(moved));
    auto assigned = learner.weights();
    fdg::partition(fdg::broadcast.loose(), assigned);
    kept = assigned;
    actor.load(kept);
    auto collected = learner.weights();
    fdg::partition(fdg::broadcast.loose(), collected);
    actor.load(collected);
    all.push_back(collected);
    auto bound = learner.weights();
    fdg::partition(fdg::broadcast.loose(), bound);
    const auto& reference = bound;
    actor.load(reference);
    auto asked = learner.weights();
    fdg::partition(fdg::broadcast.loose(), asked);
    if (asked.tensors.size() > 2) {
      actor.load(asked);
    }
    auto rows = learner.weights();
    fdg::partition(fdg::gather.loose(), rows);
    actor.load(rows);
    auto strict = learner.weights();
    fdg::partition(fdg::broadcast, strict);
    actor.load(strict);
  }
  run.log("all", static_cast<int64_t>(all.size()));
  run.log("total", total);
}
FDG_PROGRAM(train)

// CHECK: boundary latest: broadcast.loose learner -> evaluator, actor; line 17; in loops 6
// CHECK-NEXT: values: latest (rl::Weights)
// CHECK-NEXT: drainable: no, `total += evaluator.run(latest)` at line 19 also reads `total`, defined at line 19; send it along: fdg::partition(…, latest, total)
// CHECK-NEXT: newest-able: yes
// CHECK: boundary moved: broadcast.loose learner -> actor; line 21; in loops 6
// CHECK-NEXT: values: moved (rl::Weights)
// CHECK-NEXT: drainable: yes
// CHECK-NEXT: newest-able: yes
// CHECK: boundary assigned: broadcast.loose learner -> actor; line 24; in loops 6
// CHECK-NEXT: values: assigned (rl::Weights)
// CHECK-NEXT: drainable: yes
// CHECK-NEXT: newest-able: no, `kept = assigned` at line 25 uses `assigned` otherwise than as an argument marked FDG_LATEST, so skipping a message could lose something
// CHECK-NEXT: callable: no, `kept = assigned` at line 25 also defines `kept`, which is declared elsewhere
// CHECK-NEXT: held
// CHECK: boundary collected: broadcast.loose learner -> actor; line 28; in loops 6
// CHECK-NEXT: values: collected (rl::Weights)
// CHECK-NEXT: drainable: no, `all.push_back(collected)` at line 30 also reads `all`, defined at line 30; send it along: fdg::partition(…, collected, all)
// CHECK-NEXT: newest-able: no, `all.push_back(collected)` at line 30 uses `collected` otherwise than as an argument marked FDG_LATEST, so skipping a message could lose something
// CHECK-NEXT: held
// CHECK: boundary bound: broadcast.loose learner -> actor; line 32; in loops 6
// CHECK-NEXT: values: bound (rl::Weights)
// CHECK-NEXT: drainable: yes
// CHECK-NEXT: newest-able: no, `const auto& reference = bound;` at line 33 uses `bound` otherwise than as an argument marked FDG_LATEST, so skipping a message could lose something
// CHECK: boundary asked: broadcast.loose learner -> actor; line 36; in loops 6
// CHECK-NEXT: values: asked (rl::Weights)
// CHECK-NEXT: drainable: yes
// CHECK-NEXT: newest-able: no, `asked.tensors.size() > 2` at line 37 uses `asked` otherwise than as an argument marked FDG_LATEST, so skipping a message could lose something
// CHECK: boundary rows: gather.loose learner -> actor; line 41; in loops 6
// CHECK-NEXT: values: rows (rl::Weights)
// CHECK-NEXT: drainable: yes
// CHECK-NEXT: newest-able: no, gather carries rows or terms, and skipping a message would lose them; only a broadcast can be newest
// CHECK: boundary strict: broadcast learner -> actor; line 44; in loops 6
// CHECK-NEXT: values: strict (rl::Weights)
// CHECK: rate class: learner, actor; apart from the others if loosened: latest
// CHECK: rate class: evaluator; apart from the others if loosened: latest
