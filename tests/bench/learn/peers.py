"""Rates of Stable-Baselines3 on CartPole-v1, for bench.py: peers.py ppo|dqn SECONDS

Environment steps by processor second while learning, one thread, from the first update on."""
import sys
import time

import stable_baselines3
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env


class Clock(BaseCallback):
    """Ends the run `seconds` after environment step `start`."""

    def __init__(self, start, seconds):
        super().__init__()
        self.start, self.seconds, self.begin = start, seconds, None

    def _on_step(self):
        if self.begin is None and self.num_timesteps >= self.start:
            self.begin, self.first = time.process_time(), self.num_timesteps
        return self.begin is None or time.process_time() - self.begin < self.seconds


def main():
    what, seconds = sys.argv[1], float(sys.argv[2])
    torch.set_num_threads(1)
    if what == "ppo":
        model = stable_baselines3.PPO("MlpPolicy", make_vec_env("CartPole-v1", 8), n_steps=128, batch_size=256,
                                      n_epochs=4, device="cpu")
        clock = Clock(1024, seconds)
    else:
        model = stable_baselines3.DQN("MlpPolicy", make_vec_env("CartPole-v1", 1), batch_size=64, train_freq=1,
                                      gradient_steps=1, learning_starts=1000, device="cpu")
        clock = Clock(1000, seconds)
    model.learn(10**9, callback=clock)
    print((model.num_timesteps - clock.first) / (time.process_time() - clock.begin), stable_baselines3.__version__)


main()
