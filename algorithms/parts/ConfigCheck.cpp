#include "algorithms/parts/ConfigCheck.h"

#include <cstdio>

#include "algorithms/parts/Limits.h"

namespace fdg::rl {
namespace {

const Limits kFields;

void checkEach(const RunSizes& s) {
  const auto count = [](const char* field, const RunSizes::Size& value, int64_t least,
                        int64_t most = Limits::kMost) {
    if (value) {
      kFields.count(field, *value, least, most);
    }
  };
  count("envs", s.envs, 1);
  count("worlds", s.worlds, 1);
  count("steps", s.steps, 1, Limits::kForever);
  count("iterations", s.iterations, 1, Limits::kForever);
  count("horizon", s.horizon, 1);
  count("epochs", s.epochs, 1);
  count("minibatches", s.minibatches, 1);
  count("updates", s.updates, 1);
  count("policy_delay", s.policy_delay, 1);
  count("batch", s.batch, 1);
  count("warmup", s.warmup, 1);
  count("capacity", s.capacity, 1);
  count("sync", s.sync, 1, Limits::kForever);
  count("eval_every", s.eval_every, 0, Limits::kForever);
}

/// `value` of `field` must be at most `most`, which `name` is.
void atMost(const char* field, const RunSizes::Size& value, const std::string& name, int64_t most,
            const std::string& why) {
  if (value && *value > most) {
    kFields.refuse(field, Limits::text(*value),
                   "at most " + name + ", " + Limits::text(most) + ": " + why);
  }
}

void checkReplay(const RunSizes& s) {
  const auto fits = [&](const std::string& name, int64_t stored) {
    atMost("warmup", s.warmup, name, stored,
           "learning waits for that many transitions, and no more are kept");
    atMost("batch", s.batch, name, stored, "no more transitions are kept to draw from");
    atMost("envs × n_step", s.envs.value_or(1) * s.n_step.value_or(1), name, stored,
           "so many transitions come at once where the episodes of all environments end");
  };
  if (s.capacity) {
    fits("capacity", *s.capacity);
  }
  if (s.replay != nullptr) {
    fits("replay.capacity", s.replay->capacity);
    if (s.replay->soft_limit > 0) {
      fits("replay.soft_limit", s.replay->soft_limit);
    }
  }
}

void checkTogether(const RunSizes& s) {
  checkReplay(s);
  if (s.sync && s.eval_every && *s.eval_every % *s.sync != 0) {
    kFields.refuse("eval_every", Limits::text(*s.eval_every),
                   "a multiple of sync, " + Limits::text(*s.sync) +
                       ", or 0: weights to evaluate come every sync iterations");
  }
  if (s.minibatches && s.horizon) {
    const char* rows = s.worlds ? "worlds" : "envs";
    atMost("minibatches", s.minibatches, std::string(rows) + " × horizon",
           s.worlds.value_or(s.envs.value_or(1)) * *s.horizon,
           "the samples of a rollout are dealt into them");
  }
}

void warnOfShortRuns(const RunSizes& s) {
  if (s.warmup && s.steps && s.envs && *s.warmup / *s.envs >= *s.steps) {
    std::fprintf(stderr,
                 "warning: learning waits for warmup=%lld transitions, and steps=%lld with "
                 "envs=%lld make no more than %.0f: nothing may be learned\n",
                 static_cast<long long>(*s.warmup), static_cast<long long>(*s.steps),
                 static_cast<long long>(*s.envs),
                 static_cast<double>(*s.steps) * static_cast<double>(*s.envs));
  }
  const RunSizes::Size length = s.steps ? s.steps : s.iterations;
  if (s.eval_every && length && *s.eval_every >= *length && *length > 1) {
    std::fprintf(stderr,
                 "warning: eval_every=%lld is not within the run's %s=%lld: only the weights "
                 "before learning are evaluated\n",
                 static_cast<long long>(*s.eval_every), s.steps ? "steps" : "iterations",
                 static_cast<long long>(*length));
  }
}

}  // namespace

void check(const Run& run, const RunSizes& sizes) {
  checkEach(sizes);
  checkTogether(sizes);
  const RunSizes::Size rows = sizes.envs ? sizes.envs : sizes.worlds;
  if (rows && run.rows(*rows).begin == 0) {
    warnOfShortRuns(sizes);
  }
}

}  // namespace fdg::rl
