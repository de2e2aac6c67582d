"""Gymnasium environments that misbehave or have unusual spaces, registered on import."""
import gymnasium
import numpy as np
from gymnasium import spaces


class Counter(gymnasium.Env):
    """Counts its steps; `kind` picks spaces, `fail_at` the step that raises."""

    def __init__(self, kind="plain", fail_at=0, start=0, nan_at=-1, inf_at=-1):
        shape, dtype = {
            "plain": ((1,), np.float32),
            "wide": ((1,), np.float64),
            "image": ((2, 3), np.uint8),
            "picture": ((3, 40, 41), np.uint8),
            "long": ((1,), np.int64),
        }.get(kind, ((1,), np.float32))
        self.observation_space = spaces.Box(0, 255, shape, dtype)
        if kind == "discrete":
            self.observation_space = spaces.Discrete(5)
        self.action_space = spaces.Discrete(3, start=start)
        if kind == "box":
            self.action_space = spaces.Box(-1, 2, (2, 2), np.float64)
        if kind == "endless":
            self.action_space = spaces.Box(np.float32([-1, -np.inf]), np.float32([1, np.inf]))
        if kind == "multi":
            self.action_space = spaces.MultiDiscrete([2, 2])
        self.fail_at, self.kind, self.seeds = fail_at, kind, 0
        self.nan_at, self.inf_at = nan_at, inf_at  # steps that give an observation or reward of that

    def seen(self):
        if self.kind == "liar":
            return np.zeros(7, np.float32)
        if self.steps == self.nan_at:
            return np.full(self.observation_space.shape, np.nan)
        return np.full(self.observation_space.shape, self.value, self.observation_space.dtype)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seeds += seed is not None
        self.value, self.steps = self.seeds, 0
        return self.seen(), {}

    def step(self, action):
        self.steps += 1
        self.value += 1
        if self.steps == self.fail_at:
            raise ValueError("the motor is off")
        reward = float("inf") if self.steps == self.inf_at else float(np.sum(action))
        return self.seen(), reward, self.steps == 3, False, {}


for kind in ["plain", "wide", "image", "picture", "long", "discrete", "box", "endless", "multi", "liar"]:
    gymnasium.register(f"fdgtest/{kind}-v0", entry_point=Counter, kwargs={"kind": kind})
gymnasium.register("fdgtest/limited-v0", entry_point=Counter, max_episode_steps=2)
