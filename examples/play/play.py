"""Plays a policy that a program of algorithms/ saved, in Gymnasium: play.py FILE ENVIRONMENT [EPISODES]

FILE is the last weights, runs/apex-001/model.safetensors, or the best of all evaluations, best.safetensors beside it.
ENVIRONMENT is the name that it was trained with: CartPole-v1, gym:my_games:Maze-v0, gym:ALE/Pong-v5 (for games the
package ale-py must be there). What cannot be played is said in a sentence, with exit status 2."""
import ast
import collections
import itertools
import re
import sys


def refuse(sentence):
    print(f"play.py: {sentence}", file=sys.stderr)
    sys.exit(2)


try:
    import gymnasium
    import numpy as np
    import safetensors.numpy
except ImportError as missing:
    if not isinstance(missing, ModuleNotFoundError):
        refuse(f"a Python package does not work: {' '.join(str(missing).split())}")
    refuse(f"the Python package {missing.name} is missing: python3 -m pip install gymnasium numpy safetensors")


def told(error):
    """An error's message on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


DENSE = ("relu", "tanh", "normed_silu")
SIZES = {"nature": (3,), "vector": (1,), **{kind: range(2, 100) for kind in DENSE}}  # how many a block of that kind has
CONVOLUTIONS = ((32, 8, 4), (64, 4, 2), (64, 3, 1))  # filters, kernel, stride


def features_of(image):
    """How many numbers the convolutions make of an image [channels, height, width]."""
    height, width = image[1:]
    for _, kernel, stride in CONVOLUTIONS:
        height, width = (height - kernel) // stride + 1, (width - kernel) // stride + 1
    return CONVOLUTIONS[-1][0] * height * width


def tensors(name, kind, sizes):
    """Name and shape of every tensor of a block."""
    if kind == "vector":
        yield name, tuple(sizes)
    channels = sizes[0]
    for i, (filters, kernel, _) in enumerate(CONVOLUTIONS if kind == "nature" else ()):
        yield f"{name}.{i}.weight", (filters, channels, kernel, kernel)
        yield f"{name}.{i}.bias", (filters,)
        channels = filters
    for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:]) if kind in DENSE else ()):
        yield f"{name}.{i}.weight", (outputs, inputs)
        yield f"{name}.{i}.bias", (outputs,)
        if kind == "normed_silu" and i + 2 < len(sizes):
            yield f"{name}.{i}.norm.weight", (outputs,)
            yield f"{name}.{i}.norm.bias", (outputs,)


class Policy:
    """The network of a file: a greedy action for an observation."""

    def __init__(self, file):
        self.file = file
        try:
            self.weights = safetensors.numpy.load_file(file)
        except FileNotFoundError:
            refuse(f"there is no file {file}")
        except Exception as error:  # the reader has no type for what is torn
            refuse(f"{file} is no safetensors file: {told(error)}")
        if "network" not in self.weights:
            refuse(f'{file} is no policy of a program of algorithms/: it does not say which "network" it has')
        self.blocks = self.described()
        self.check_tensors()
        self.inputs = lambda name: self.blocks[name][1][0]
        self.name = next((name for name in ("dueling", "q", "actor", "actor0", "squashed") if name in self.blocks), None)
        if self.name is None:
            refuse(f"{file} holds no policy, but {', '.join(self.blocks)}; play model.safetensors or best.safetensors")
        critic = self.name.replace("actor", "critic")
        if "actor1" in self.blocks or (critic in self.blocks and self.inputs(critic) != self.inputs(self.name)):
            refuse(f"{file} is a policy for several agents (mappo), whose worlds are not in Gymnasium; "
                   "what such a run logs as eval/return is their greedy play")
        self.kind, self.sizes = self.blocks[self.name]
        self.continuous = self.name == "squashed" or "log_std" in self.blocks
        self.check_ends()

    def damaged(self, what):
        refuse(f"{self.file} is damaged, or of another version of the programs: {what}")

    def described(self):
        """Of each block of the network its kind and sizes: "actor tanh 4 64 64 2; log_std vector 2"."""
        text = self.weights["network"]
        if text.dtype != np.uint8 or text.ndim != 1:
            self.damaged(f'its "network" is {text.dtype} {text.shape}, not the bytes of a text')
        blocks = {}
        for part in bytes(text).decode(errors="replace").split(";"):
            words = re.fullmatch(r"\s*(\S+)\s+(\S+)((\s+[1-9][0-9]{0,7})+)\s*", part)
            name, kind, sizes, _ = words.groups() if words else ("", "", "", "")
            sizes = [int(size) for size in sizes.split()]
            if len(sizes) not in SIZES.get(kind, ()) or name in blocks or (kind == "nature" and min(sizes[1:]) < 36):
                self.damaged(f'its "network" has the part {part.strip()!r:.80}; a part is a name of its own, one of '
                             f"{', '.join(SIZES)}, and sizes that such a part can have")
            blocks[name] = kind, sizes
        return blocks

    def check_tensors(self):
        """Refuses a file whose tensors are not those of its blocks."""
        for name, shape in itertools.chain.from_iterable(tensors(name, *block) for name, block in self.blocks.items()):
            tensor = self.weights.get(name)
            if tensor is None:
                self.damaged(f"its network needs the tensor {name}, which is missing")
            if tensor.shape != shape or tensor.dtype.kind != "f":
                self.damaged(f"its network needs {name} as floats {shape}, but it is {tensor.dtype} {tensor.shape}")
            if not np.isfinite(tensor).all():
                refuse(f"{self.file} cannot be played: {name} has numbers that are not finite, as after training that "
                       "diverged; best.safetensors of the run may be whole")

    def check_ends(self):
        """Refuses blocks that do not fit each other."""
        fed = self.sizes[0] if "image" not in self.blocks else None
        fits = {self.name: self.kind in DENSE and self.sizes[-1] > (self.name == "dueling")}
        for name, size in (("log_std", self.sizes[-1]), ("observation_mean", fed), ("observation_scale", fed)):
            fits[name] = name not in self.blocks or self.blocks[name] == ("vector", [size])
        fits["observation_scale"] &= ("observation_mean" in self.blocks) == ("observation_scale" in self.blocks)
        if "image" in self.blocks:
            kind, image = self.blocks["image"]
            fits["image"] = kind == "nature" and features_of(image) == self.sizes[0]
        for name in fits:
            if not fits[name]:
                self.damaged(f'the part {name} of its "network" does not fit the others')

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
            dimensions = int(np.prod(done.shape)) if isinstance(done, gymnasium.spaces.Box) else 0
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
        for i, (_, _, stride) in enumerate(CONVOLUTIONS):
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
        with np.errstate(all="ignore"):
            x = self.outputs(observation)
        if not np.isfinite(x).all():
            refuse(f"{self.file} gives no finite numbers for the observation {' '.join(str(observation).split()):.80}")
        if not self.continuous:  # the dueling net's last output is the state's value
            return int(space.start + np.argmax(x[:-1] if self.name == "dueling" else x))
        x = x[:int(np.prod(space.shape))].reshape(space.shape)  # behind the means a squashed Gaussian has its deviations
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
        options = dict(option(name, part) for part in options.split("&") if part)
        if not identifier.startswith("ALE/"):
            return gymnasium.make(identifier, **options)
        import ale_py
        gymnasium.register_envs(ale_py)
        return Game(gymnasium.make(identifier, frameskip=1, obs_type="grayscale", **options))
    except Exception as error:  # whatever the environment's own code throws
        missing = isinstance(error, ModuleNotFoundError) and (error.name or getattr(error.__cause__, "name", None))
        if missing:  # what Gymnasium throws names it in its cause only
            refuse(f"{name} needs the Python package {missing}, which is missing: python3 -m pip install it, or name its "
                   "folder in PYTHONPATH")
        refuse(f"Gymnasium cannot make {name}: {told(error)}")


def option(name, part):
    """An option's name and value: what Python would read, or a text."""
    key, equals, value = part.partition("=")
    if not key or not equals:
        refuse(f"{name}: after the ? come options of the environment, KEY=VALUE, joined by &; {part} is none")
    try:
        return key, ast.literal_eval(value)
    except Exception:  # it has many for what is no literal
        return key, value


def returns_of(policy, env, episodes):
    for episode in range(episodes):
        observation, _ = env.reset(seed=episode)
        total, over = 0.0, False
        while not over:
            observation, reward, terminated, truncated, _ = env.step(policy.act(observation, env.action_space))
            total, over = total + float(reward), terminated or truncated
        yield total


def main(arguments):
    episodes = (arguments[2:] or ["10"])[0]
    if len(arguments) not in (2, 3) or not re.fullmatch("[1-9][0-9]{0,8}", episodes):
        refuse("usage: play.py FILE ENVIRONMENT [EPISODES], at least one and below 1,000,000,000")
    policy, env, episodes = Policy(arguments[0]), make(arguments[1]), int(episodes)
    policy.suit(env, arguments[1])
    try:
        returns = list(returns_of(policy, env, episodes))
    except Exception as error:  # whatever the environment's own code throws
        refuse(f"{arguments[1]} failed: {told(error)}")
    print(f"mean return {np.mean(returns):.1f} over {episodes} episodes")


if __name__ == "__main__":
    main(sys.argv[1:])
