"""Plays a policy that a program of algorithms/ saved, in Gymnasium: play.py FILE ENVIRONMENT [EPISODES]

FILE is the last weights, runs/apex-001/model.safetensors, or the best of all evaluations, best.safetensors beside it.
ENVIRONMENT is the name that it was trained with: CartPole-v1, gym:my_games:Maze-v0, gym:ALE/Pong-v5 (for games the
package ale-py must be there). What cannot be played is said in a sentence, with exit status 2."""
import ast
import collections
import sys


def refuse(sentence):
    print(f"play.py: {sentence}", file=sys.stderr)
    sys.exit(2)


try:
    import gymnasium
    import numpy as np
    import safetensors.numpy
except ImportError as missing:
    refuse(f"the Python package {missing.name} is missing: python3 -m pip install gymnasium numpy safetensors")


class Policy:
    """The network of a file: a greedy action for an observation."""

    def __init__(self, file):
        self.file = file
        try:
            self.weights = safetensors.numpy.load_file(file)
        except FileNotFoundError:
            refuse(f"there is no file {file}")
        except Exception as error:  # the reader has no type for what is torn
            refuse(f"{file} is no safetensors file: {error}")
        if "network" not in self.weights:
            refuse(f'{file} is no policy of a program of algorithms/: it does not say which "network" it has')
        blocks = [block.split() for block in bytes(self.weights["network"]).decode().split(";")]
        self.blocks = {name: (kind, [int(size) for size in sizes]) for name, kind, *sizes in blocks}
        self.inputs = lambda name: self.blocks[name][1][0]
        if "actor0" in self.blocks or ("critic" in self.blocks and self.inputs("critic") != self.inputs("actor")):
            refuse(f"{file} is a policy for several agents (mappo), whose worlds are not in Gymnasium; "
                   "what such a run logs as eval/return is their greedy play")
        self.name = next((name for name in ("dueling", "q", "actor", "squashed") if name in self.blocks), None)
        if self.name is None:
            refuse(f"{file} holds no policy, but {', '.join(self.blocks)}; play model.safetensors or best.safetensors")
        self.kind, self.sizes = self.blocks[self.name]
        self.continuous = self.name == "squashed" or "log_std" in self.blocks

    def suit(self, env, name):
        """Refuses an environment that the network was not made for."""
        seen, done = env.observation_space, env.action_space
        if "image" in self.blocks:
            takes = tuple(self.blocks["image"][1])
            if seen.shape != takes or seen.dtype != np.uint8:
                refuse(f"{self.file} takes images, uint8 {takes}; {name} gives {seen}")
        elif not isinstance(seen, gymnasium.spaces.Box) or int(np.prod(seen.shape)) != self.sizes[0]:
            gives = f"{int(np.prod(seen.shape))}" if isinstance(seen, gymnasium.spaces.Box) else f"{seen}"
            refuse(f"{self.file} takes observations of {self.sizes[0]} numbers; {name} gives {gives}: it was trained on "
                   "another environment")
        if self.continuous:
            dimensions = done.shape[0] if isinstance(done, gymnasium.spaces.Box) else 0
            fits = self.sizes[-1] in ((dimensions, 2 * dimensions) if self.name == "squashed" else (dimensions,))
        else:
            choices = self.sizes[-1] - (self.name == "dueling")
            fits = isinstance(done, gymnasium.spaces.Discrete) and done.n == choices
        if not fits:
            what = "continuous actions" if self.continuous else f"one of {choices} actions"
            refuse(f"{self.file} gives {what}, but {name} takes {done}: it was trained on another environment")

    def hidden(self, x, layer):
        """What a hidden layer makes of its sums."""
        if self.kind == "normed_silu":
            gain, shift = self.weights[f"{layer}.norm.weight"], self.weights[f"{layer}.norm.bias"]
            x = (x - x.mean()) / np.sqrt(x.var() + 1e-5) * gain + shift
            return x / (1 + np.exp(-x))
        return np.tanh(x) if self.kind == "tanh" else np.maximum(x, 0)

    def features(self, image):
        """The convolutions of Mnih et al. 2015."""
        x = image.astype(np.float32) / 255
        for i, stride in enumerate((4, 2, 1)):
            filters, bias = self.weights[f"image.{i}.weight"], self.weights[f"image.{i}.bias"]
            patches = np.lib.stride_tricks.sliding_window_view(x, filters.shape[1:])[0, ::stride, ::stride]
            x = np.maximum(np.tensordot(filters, patches, ([1, 2, 3], [2, 3, 4])) + bias[:, None, None], 0)
        return x.ravel()

    def outputs(self, observation):
        x = self.features(observation) if "image" in self.blocks else observation.astype(np.float32).ravel()
        if "observation_mean" in self.blocks:  # ppo.normalise_observations
            x = np.clip((x - self.weights["observation_mean"]) * self.weights["observation_scale"], -10, 10)
        for i in range(len(self.sizes) - 1):
            x = self.weights[f"{self.name}.{i}.weight"] @ x + self.weights[f"{self.name}.{i}.bias"]
            x = self.hidden(x, f"{self.name}.{i}") if i + 2 < len(self.sizes) else x
        return x

    def act(self, observation, space):
        x = self.outputs(observation)
        if not self.continuous:  # the dueling net's last output is the state's value
            return int(space.start + np.argmax(x[:-1] if self.name == "dueling" else x))
        x = x[:space.shape[0]]  # behind the means a squashed Gaussian has its deviations
        x = np.tanh(x) if self.name == "squashed" else x
        bounded = np.isfinite(space.low) & np.isfinite(space.high)
        low, high = np.where(bounded, space.low, -1), np.where(bounded, space.high, 1)
        return np.where(bounded, (low + high) / 2 + np.clip(x, -1, 1) * (high - low) / 2, x).astype(space.dtype)


class Game(gymnasium.Wrapper):
    """Atari as it is learned: steps of 4 frames, the brighter of the last two, 84 × 84, the last four of them."""

    def __init__(self, env):
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Box(0, 255, (4, 84, 84), np.uint8)
        self.frames = collections.deque(maxlen=4)

    def small(self, frame):
        def area(pixels):  # [84, pixels]: what part of each pixel lies in each of 84 equal parts
            ends = np.arange(85)[:, None] * pixels / 84
            at = np.arange(pixels)
            shared = np.minimum(ends[1:], at + 1) - np.maximum(ends[:-1], at)
            return np.clip(shared, 0, None) * 84 / pixels
        return np.rint(area(frame.shape[0]) @ frame @ area(frame.shape[1]).T).astype(np.uint8)

    def reset(self, seed=None, options=None):
        frame, info = self.env.reset(seed=seed, options=options)
        for _ in range(1 + self.env.unwrapped.np_random.integers(30)):
            frame, _, terminated, truncated, _ = self.env.step(0)
            if terminated or truncated:
                frame, info = self.env.reset(options=options)
        self.frames.extend([self.small(frame)] * 4)
        return np.stack(self.frames), info

    def step(self, action):
        total, last = 0.0, []
        for _ in range(4):
            frame, reward, terminated, truncated, info = self.env.step(action)
            total, last = total + float(reward), [*last[-1:], frame]
            if terminated or truncated:
                break
        self.frames.append(self.small(np.max(last, axis=0)))
        return np.stack(self.frames), total, terminated, truncated, info


def make(name):
    """The environment that programs know by the name: gym:ID?option=value, or ID."""
    for prefix in ("gym:", "tensor:"):
        name = name.removeprefix(prefix)
    identifier, _, options = name.partition("?")
    try:
        options = {key: ast.literal_eval(value) for key, value in (o.split("=") for o in options.split("&") if o)}
        if not identifier.startswith("ALE/"):
            return gymnasium.make(identifier, **options)
        import ale_py
        gymnasium.register_envs(ale_py)
        return Game(gymnasium.make(identifier, frameskip=1, obs_type="grayscale", **options))
    except ImportError as error:
        refuse(f"{name} needs the Python package {error.name}, which is missing: python3 -m pip install it")
    except Exception as error:  # whatever the environment's own code throws
        refuse(f"Gymnasium cannot make {name}: {' '.join(str(error).split())}")


def main(arguments):
    episodes = (arguments[2:] or ["10"])[0]
    if len(arguments) not in (2, 3) or not episodes.isdigit() or int(episodes) < 1:
        refuse("usage: play.py FILE ENVIRONMENT [EPISODES], at least one")
    policy, env, episodes = Policy(arguments[0]), make(arguments[1]), int(episodes)
    policy.suit(env, arguments[1])
    returns = []
    for episode in range(episodes):
        observation, _ = env.reset(seed=episode)
        total, over = 0.0, False
        while not over:
            observation, reward, terminated, truncated, _ = env.step(policy.act(observation, env.action_space))
            total, over = total + float(reward), terminated or truncated
        returns.append(total)
    print(f"mean return {np.mean(returns):.1f} over {episodes} episodes")


if __name__ == "__main__":
    main(sys.argv[1:])
