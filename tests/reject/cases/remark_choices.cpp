// Who decides a condition, where a leftover runs, which roles are one fragment, which fragment cannot be replicated.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));  // expected-remark {{fragment 'environment+evaluator' cannot be replicated: replicas could disagree on `obs.any().item<bool>()`}}
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Evaluator evaluator("CartPole-v1", 3, run.stream("eval"));  // expected-remark {{the roles 'environment' and 'evaluator' are one fragment; a policy cannot place them apart}}
  torch::Tensor obs = envs.reset();
  evaluator.run({{obs}});
  if (obs.any().item<bool>()) {  // expected-remark {{fragment 'environment+evaluator' decides this and tells actor}}
    fdg::partition(fdg::gather, obs);
    actor.act(obs);
    run.log("rows", obs.size(0));  // expected-remark {{this statement belongs to no component; it runs in fragment 'actor'}}
  }
}
FDG_PROGRAM(train)
