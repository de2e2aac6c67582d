"""Rates of Stable-Baselines3 on CartPole-v1, for bench.py: peers.py ppo|dqn SECONDS

Environment steps by processor second while learning, one thread, from the first update on."""
import argparse
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("what", choices=["ppo", "dqn"])
parser.add_argument("seconds", type=float)
ASKED = parser.parse_args()  # first: --help needs no peer

import stable_baselines3  # noqa: E402
import torch  # noqa: E402
from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402


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
    what, seconds = ASKED.what, ASKED.seconds
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
