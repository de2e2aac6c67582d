"""play_cases_test.py PLAY: play.py computes every kind of network, and says in a sentence what
cannot be played. Files are written as rl::Weights names its tensors."""
import contextlib
import importlib.util
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

import gymnasium
import numpy as np
from safetensors.numpy import save_file

PLAY = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("play", PLAY)
play = importlib.util.module_from_spec(spec)
spec.loader.exec_module(play)
random = np.random.default_rng(1)


def weights_of(network):
    tensors = {"network": np.frombuffer(network.encode(), np.uint8)}

    def add(name, *shape):
        tensors[name] = random.normal(size=shape).astype(np.float32) / 3

    for block in network.split(";"):
        name, kind, *sizes = block.split()
        sizes = [int(size) for size in sizes]
        if kind == "vector":
            add(name, *sizes)
        elif kind == "nature":
            for i, (filters, channels, kernel) in enumerate(((32, sizes[0], 8), (64, 32, 4), (64, 64, 3))):
                add(f"{name}.{i}.weight", filters, channels, kernel, kernel)
                add(f"{name}.{i}.bias", filters)
        else:
            for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
                add(f"{name}.{i}.weight", outputs, inputs)
                add(f"{name}.{i}.bias", outputs)
                if kind == "normed_silu" and i + 2 < len(sizes):
                    add(f"{name}.{i}.norm.weight", outputs)
                    add(f"{name}.{i}.norm.bias", outputs)
    return tensors


def convolved(x, filters, bias, stride):
    """A layer of convolutions by its definition."""
    kernel = filters.shape[-1]
    height, width = ((size - kernel) // stride + 1 for size in x.shape[1:])
    out = np.empty((len(filters), height, width))
    for f, i, j in np.ndindex(out.shape):
        patch = x[:, i * stride:i * stride + kernel, j * stride:j * stride + kernel]
        out[f, i, j] = max(0, (patch * filters[f]).sum() + bias[f])
    return out


def by_definition(t, observation):
    """The outputs of the first dense network."""
    blocks = [block.split() for block in bytes(t["network"]).decode().split(";")]
    x = observation.astype(np.float64)
    if blocks[0][1] == "nature":
        x = x / 255
        for i, stride in enumerate((4, 2, 1)):
            x = convolved(x, t[f"image.{i}.weight"], t[f"image.{i}.bias"], stride)
        x = x.flatten()
        blocks.pop(0)
    name, kind, *sizes = blocks[0]
    for i in range(len(sizes) - 1):
        x = (t[f"{name}.{i}.weight"] * x).sum(axis=1) + t[f"{name}.{i}.bias"]
        if i + 2 == len(sizes):
            return x
        if kind == "normed_silu":
            x = (x - x.mean()) / (((x - x.mean()) ** 2).mean() + 1e-5) ** 0.5
            x = x * t[f"{name}.{i}.norm.weight"] + t[f"{name}.{i}.norm.bias"]
            x = x / (1 + np.exp(-x))
        else:
            x = np.tanh(x) if kind == "tanh" else x * (x > 0)


class Pictures(gymnasium.Env):
    """Noise as images, for five steps."""
    observation_space = gymnasium.spaces.Box(0, 255, (4, 84, 84), np.uint8)
    action_space = gymnasium.spaces.Discrete(6)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.left = 5
        return self.observation_space.sample(), {}

    def step(self, action):
        self.left -= 1
        return self.observation_space.sample(), 1.0, self.left == 0, False, {}


gymnasium.register("Pictures-v0", Pictures)


class Play(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = f"{self.folder.name}/model.safetensors"

    def save(self, network):
        tensors = weights_of(network)
        save_file(tensors, self.file)
        return tensors

    def plays(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            play.main([self.file, *arguments])
        return said.getvalue()

    def refused(self, *parts, arguments):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as end:
            play.main(arguments)
        self.assertEqual(end.exception.code, 2)
        for part in ("play.py: ", *parts):
            self.assertIn(part, said.getvalue())
        self.assertEqual(said.getvalue().count("\n"), 1, said.getvalue())

    def test_computes_every_kind_of_network(self):
        for network, observation in (("actor tanh 3 8 8 1; critic tanh 3 8 8 1; log_std vector 1", 3),
                                     ("actor relu 4 8 2; critic relu 4 8 1", 4),
                                     ("q relu 4 16 2", 4), ("dueling relu 4 16 3", 4),
                                     ("squashed relu 3 8 8 2", 3), ("squashed normed_silu 3 8 8 2", 3),
                                     ("image nature 2 44 36; q relu 128 32 6", (2, 44, 36)),
                                     ("image nature 1 36 44; dueling relu 128 32 6", (1, 36, 44))):
            tensors = self.save(network)
            seen = random.normal(size=observation).astype(np.float32)
            if "image" in network:
                seen = random.integers(256, size=observation).astype(np.uint8)
            ours, theirs = play.Policy(self.file).outputs(seen), by_definition(tensors, seen)
            self.assertTrue(np.allclose(ours, theirs, 1e-4, 1e-4), network)

    def test_plays_what_suits(self):
        for network, environment in (("actor relu 4 8 2; critic relu 4 8 1", "CartPole-v1"),
                                     ("actor tanh 3 8 1; critic tanh 3 8 1; log_std vector 1", "gym:Pendulum-v1?g=9.0"),
                                     ("dueling relu 4 8 3", "CartPole-v1"), ("squashed relu 3 8 2", "Pendulum-v1"),
                                     ("squashed relu 3 8 1", "tensor:Pendulum-v1")):
            self.save(network)
            self.assertIn("over 2 episodes", self.plays(environment, "2"))
        self.save("image nature 4 84 84; q relu 3136 16 6")
        self.assertEqual(self.plays("Pictures-v0", "1"), "mean return 5.0 over 1 episodes\n")

    def test_refuses_another_environment(self):
        for network, environment, *parts in (
                ("q relu 4 8 2", "Acrobot-v1", "observations of 4 numbers; Acrobot-v1 gives 6:"),
                ("q relu 2 8 2", "MountainCar-v0", "one of 2 actions", "Discrete(3)"),
                ("dueling relu 2 8 3", "MountainCar-v0", "one of 2 actions"),
                ("actor tanh 2 8 3; critic tanh 2 8 1", "MountainCarContinuous-v0", "one of 3 actions", "Box"),
                ("squashed relu 2 8 2", "MountainCar-v0", "continuous actions", "Discrete(3)"),
                ("squashed relu 3 8 6", "Pendulum-v1", "continuous actions"),
                ("q relu 1 8 2", "FrozenLake-v1", "observations of 1 numbers", "Discrete(16)"),
                ("image nature 4 84 84; q relu 3136 8 2", "CartPole-v1", "takes images", "(4, 84, 84)")):
            self.save(network)
            self.refused(*parts, arguments=[self.file, environment])

    def test_refuses_what_it_does_not_know(self):
        for network in ("actor0 tanh 3 8 2; critic0 tanh 6 8 1; actor1 tanh 3 8 2; critic1 tanh 6 8 1",
                        "actor tanh 3 8 2; critic tanh 6 8 1"):
            self.save(network)
            self.refused("several agents (mappo)", arguments=[self.file, "simple_spread"])
        self.save("critic1 normed_silu 4 8 5; critic2 normed_silu 4 8 5")
        self.refused("no policy", "critic1, critic2", arguments=[self.file, "Pendulum-v1"])
        self.save("q relu 4 8 2")
        self.refused("cannot make CartPol-v1", arguments=[self.file, "gym:CartPol-v1"])
        self.refused("cannot make CartPole-v1", "colour", arguments=[self.file, "CartPole-v1?colour=1"])
        self.refused("no_such_module", "missing", arguments=[self.file, "no_such_module:Maze-v0"])
        self.refused("there is no file", arguments=[f"{self.folder.name}/none", "CartPole-v1"])
        save_file({"x": np.zeros(3, np.float32)}, self.file)
        self.refused("no policy of a program", arguments=[self.file, "CartPole-v1"])
        pathlib.Path(self.file).write_bytes(b"torn")
        self.refused("no safetensors file", arguments=[self.file, "CartPole-v1"])
        for arguments in ([], [self.file], [self.file, "a", "x"], [self.file, "a", "0"], [self.file, "a", "1", "2"]):
            self.refused("usage: play.py FILE ENVIRONMENT [EPISODES]", arguments=arguments)

    def test_says_which_package_is_missing(self):
        for package in ("gymnasium", "numpy", "safetensors"):
            without = f"import runpy, sys; sys.modules['{package}'] = None; runpy.run_path('{PLAY}', run_name='__main__')"
            ended = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 2, ended.stderr)
            self.assertRegex(ended.stderr, rf"^play.py: the Python package {package}\S* is missing: .*pip install")
        sys.modules["ale_py"] = None
        self.addCleanup(sys.modules.pop, "ale_py")
        self.save("image nature 4 84 84; q relu 3136 8 6")
        self.refused("ALE/Pong-v5 needs the Python package ale_py", arguments=[self.file, "gym:ALE/Pong-v5"])

    def test_games_are_seen_as_they_were_learned(self):
        class Emulator(gymnasium.Env):
            """Frames whose pixels count the frames, with every other one dark."""
            observation_space = gymnasium.spaces.Box(0, 255, (210, 160), np.uint8)
            action_space = gymnasium.spaces.Discrete(6)

            def reset(self, seed=None, options=None):
                super().reset(seed=seed)
                self.frame = 0
                return np.zeros((210, 160), np.uint8), {}

            def step(self, action):
                self.frame += 1
                bright = self.frame * (self.frame % 2)
                return np.full((210, 160), bright, np.uint8), 1.0, self.frame == 75, False, {}

        game = play.Game(Emulator())
        seen, _ = game.reset(seed=3)
        begun = game.env.frame
        self.assertTrue(1 <= begun <= 30)
        self.assertEqual((seen.shape, seen.dtype), ((4, 84, 84), np.uint8))
        seen, reward, ended, _, _ = game.step(0)
        self.assertEqual(reward, 4)
        last = begun + 4
        self.assertTrue((seen[3] == (last if last % 2 else last - 1)).all())
        self.assertTrue((seen[:3] == begun * (begun % 2)).all())
        while not ended:
            seen, reward, ended, _, _ = game.step(0)
        self.assertEqual(game.env.frame, 75)
        half = np.zeros((210, 160))
        half[:105] = 200
        small = game.small(half)
        self.assertTrue((small[:42] == 200).all() and (small[42:] == 0).all())


if __name__ == "__main__":
    unittest.main()
