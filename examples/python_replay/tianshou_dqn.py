"""DQN on CartPole by tianshou, its prioritized buffer replaced by FDG's: python tianshou_dqn.py [EPOCHS]

Trains with either buffer in turn and prints what the buffer's calls cost and what a training takes.
"""
import sys
import time

import gymnasium
import numpy as np
import torch
from compare import compare
from fdg_replay import PrioritizedReplay
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, PrioritizedVectorReplayBuffer, VectorReplayBuffer, to_numpy
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net


KEYS = ("obs", "act", "rew", "terminated", "truncated", "obs_next")


class FdgBuffer(VectorReplayBuffer):
    """FDG keeps rows and priorities and draws; tianshou knows where episodes go on, for its n-step returns."""

    def __init__(self, total_size, buffer_num, alpha, beta, **kwargs):
        super().__init__(total_size, buffer_num, **kwargs)
        self._options, self._replay = {"alpha": alpha, "beta": beta}, None

    def add(self, batch, buffer_ids=None):
        added = super().add(batch, buffer_ids)
        rows = {"index": added[0], **{key: np.asarray(batch[key]) for key in KEYS}}
        if self._replay is None:
            fields = {name: (values.shape[1:], values.dtype) for name, values in rows.items()}
            self._replay = PrioritizedReplay(self.maxsize, fields, **self._options)
        self._replay.add(**rows)
        return added

    def sample(self, batch_size):
        self._drawn = self._replay.sample(batch_size)
        rows = {key: self._drawn[key] for key in KEYS}
        done = rows["terminated"] | rows["truncated"]
        return Batch(**rows, done=done, info=Batch(), weight=self._drawn["weights"]), self._drawn["index"]

    def update_weight(self, index, new_weight):
        self._replay.update(self._drawn["slots"], self._drawn["generations"], to_numpy(new_weight))


def train(kind, seed, epochs):
    """Seconds, and the mean return of 20 greedy episodes."""
    np.random.seed(seed)
    torch.manual_seed(seed)
    envs = DummyVectorEnv([lambda: gymnasium.make("CartPole-v1") for _ in range(8)])
    envs.seed(seed)
    tests = DummyVectorEnv([lambda: gymnasium.make("CartPole-v1") for _ in range(4)])
    tests.seed(seed + 100)
    space = envs.action_space[0]
    policy = DiscreteQLearningPolicy(model=Net(state_shape=4, action_shape=2, hidden_sizes=(128, 128)),
                                     action_space=space, eps_training=0.1)
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=0.99, n_step_return_horizon=3,
                    target_update_freq=200)
    collector = Collector[CollectStats](policy, envs, kind(100_000, 8, alpha=0.6, beta=0.4), exploration_noise=True)
    collector.reset()
    collector.collect(n_step=1000, random=True)
    begin = time.process_time()
    algorithm.run_training(OffPolicyTrainerParams(
        max_epochs=epochs, epoch_num_steps=5000, collection_step_num_env_steps=8, batch_size=64,
        update_step_num_gradient_steps_per_sample=1 / 8, training_collector=collector, test_step_num_episodes=1,
        verbose=False, show_progress=False))
    seconds = time.process_time() - begin
    result = Collector[CollectStats](policy, tests).collect(n_episode=20, reset_before_collect=True)
    return seconds, result.returns.mean()


def calls(kind, capacity, batch):
    """The buffer's three calls, on a full buffer of CartPole rows."""
    envs = 16
    buffer = kind(capacity, envs, alpha=0.6, beta=0.4)
    draw = np.random.default_rng(1)
    rows = Batch(obs=draw.random((envs, 4), np.float32), act=draw.integers(2, size=envs), rew=np.ones(envs),
                 terminated=np.zeros(envs, bool), truncated=np.zeros(envs, bool),
                 obs_next=draw.random((envs, 4), np.float32), info=Batch())
    for _ in range(capacity // envs):
        buffer.add(rows)
    errors = torch.rand(batch)
    index = buffer.sample(batch)[1]
    return {f"add {envs}": lambda: buffer.add(rows), f"sample {batch}": lambda: buffer.sample(batch),
            f"update {batch}": lambda: buffer.update_weight(index, errors)}


if __name__ == "__main__":
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    torch.set_num_threads(1)
    compare(FdgBuffer, PrioritizedVectorReplayBuffer, calls, lambda kind, seed: train(kind, seed, epochs))
