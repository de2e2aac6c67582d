"""DQN on CartPole by RLlib, its prioritized buffer replaced by FDG's: python rllib_dqn.py [ITERATIONS]

Trains with either buffer in turn and prints what the buffer's calls cost and what a training takes.
"""
import sys
import time

import gymnasium
import numpy as np
from compare import CALLS, TURNS, compare
from fdg_replay import PrioritizedReplay
from ray.rllib.algorithms.dqn import DQNConfig
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.utils.replay_buffers import PrioritizedEpisodeReplayBuffer


class FdgBuffer(PrioritizedEpisodeReplayBuffer):
    """Single steps go into FDG's rows; RLlib's episodes are made of them again when they are drawn."""

    def __init__(self, capacity, alpha, beta=0.4, **_):
        super().__init__(1)  # for its metrics
        self._capacity, self._options, self._replay = capacity, {"alpha": alpha, "beta": beta}, None

    def add(self, episodes, weight=None):
        for episode in episodes:
            obs, actions = np.asarray(episode.get_observations()), np.asarray(episode.get_actions())
            steps = len(actions)
            ends = np.zeros((steps, 2), bool)
            ends[-1:] = episode.is_terminated, episode.is_truncated
            rows = {"obs": obs[:-1], "action": actions, "reward": np.asarray(episode.get_rewards(), np.float32),
                    "next_obs": obs[1:], "ends": ends}
            if self._replay is None:
                self._make({name: (values.shape[1:], values.dtype) for name, values in rows.items()})
            self._replay.add(**rows)

    def _make(self, fields):
        self._fields = fields
        self._replay = PrioritizedReplay(self._capacity, fields, **self._options)

    def sample(self, num_items, *, n_step=1, **_):
        assert n_step == 1, "the steps are stored as they come"
        self._drawn = drawn = self._replay.sample(num_items)
        return [SingleAgentEpisode(observations=[drawn["obs"][i], drawn["next_obs"][i]], actions=[drawn["action"][i]],
                                   rewards=[drawn["reward"][i]], terminated=bool(drawn["ends"][i, 0]),
                                   truncated=bool(drawn["ends"][i, 1]), len_lookback_buffer=0,
                                   extra_model_outputs={"weights": [drawn["weights"][i]], "n_step": [1]})
                for i in range(num_items)]

    def update_priorities(self, priorities, module_id=None):
        self._replay.update(self._drawn["slots"], self._drawn["generations"], priorities)

    def get_num_timesteps(self, module_id=None):
        return 0 if self._replay is None else len(self._replay)

    def get_state(self):
        return {} if self._replay is None else {"fields": self._fields, **self._replay.state()}

    def set_state(self, state):
        if state:
            self._make(state["fields"])
            self._replay.restore(state)


def train(kind, seed, iterations):
    """Seconds, and the last mean return."""
    config = (DQNConfig().environment("CartPole-v1").debugging(seed=seed, log_level="ERROR")
              .env_runners(num_env_runners=0, num_envs_per_env_runner=8, rollout_fragment_length=1)
              .training(lr=1e-3, train_batch_size=64, training_intensity=8, n_step=1, target_network_update_freq=500,
                        epsilon=[(0, 1.0), (5000, 0.05)], num_steps_sampled_before_learning_starts=1000,
                        replay_buffer_config={"type": f"{kind.__module__}.{kind.__name__}", "capacity": 100_000,
                                              "alpha": 0.6, "beta": 0.4})
              .reporting(min_sample_timesteps_per_iteration=1000))
    algorithm = config.build_algo()
    begin = time.process_time()
    for _ in range(iterations):
        result = algorithm.train()
    seconds = time.process_time() - begin
    algorithm.stop()
    return seconds, result["env_runners"]["episode_return_mean"]


def calls(kind, capacity, batch):
    """The buffer's three calls, on a full buffer of CartPole rows."""
    buffer = kind(capacity=capacity, alpha=0.6)
    draw = np.random.default_rng(1)

    def episode(steps):
        return SingleAgentEpisode(observations=list(draw.random((steps + 1, 4), np.float32)), actions=[0] * steps,
                                  rewards=[1.0] * steps, terminated=True, len_lookback_buffer=0).to_numpy()

    for _ in range(capacity // 128 - 1):
        buffer.add([episode(128)])
    fresh = [[episode(1) for _ in range(16)] for _ in range(TURNS * CALLS)]
    errors = draw.random(batch)

    def sample_and_update():
        buffer.sample(batch, n_step=1, beta=0.4, sample_episodes=True)
        buffer.update_priorities(errors)

    return {"add 16": lambda: buffer.add(fresh.pop()), f"sample and update {batch}": sample_and_update}


if __name__ == "__main__":
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    gymnasium.logger.min_level = gymnasium.logger.ERROR
    compare(FdgBuffer, PrioritizedEpisodeReplayBuffer, calls, lambda kind, seed: train(kind, seed, iterations))
