"""play_cases_test.py PLAY: play.py computes every kind of network, and says in a sentence what
cannot be played. Files are written as rl::Weights names its tensors."""
import contextlib
import importlib.util
import io
import itertools
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


class Table(gymnasium.Env):
    """Actions in a table, for three steps; or what goes wrong in somebody's environment."""
    observation_space = gymnasium.spaces.Box(-1, 1, (3,), np.float32)

    def __init__(self, shape=(1,), text="a=b", wrong=None):
        assert text == "a=b"
        self.action_space = gymnasium.spaces.Box(-1, 1, shape, np.float32)
        self.wrong = wrong

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.left = 3
        if self.wrong == "reset":
            raise RuntimeError("the table\nis bare")
        return np.full(3, np.nan if self.wrong == "nan" else 0.5, np.float32), {}

    def step(self, action):
        assert self.action_space.contains(action)
        self.left -= 1
        if self.wrong == "step":
            raise KeyError("leg")
        return np.zeros(3, np.float32), 1.0, self.left == 0, False, {}


gymnasium.register("Table-v0", Table, disable_env_checker=True)


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
        self.assertTrue(said.getvalue().startswith("play.py: "), said.getvalue())
        for part in parts:
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
                                     ("squashed relu 3 8 1", "tensor:Pendulum-v1"),
                                     ("actor0 tanh 4 8 2; critic0 tanh 4 8 1", "CartPole-v1"),  # mappo of one agent
                                     ("actor tanh 3 8 6; log_std vector 6", "Table-v0?shape=(2,3)&text=a=b"),
                                     ("actor tanh 3 8 1; critic tanh 3 8 1; log_std vector 1", "Table-v0?shape=()")):
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
        for prefix in ("", "gym:"):
            self.refused("needs the Python package no_such_module, which is missing",
                         arguments=[self.file, f"{prefix}no_such_module:Maze-v0"])
        for part in ("x", "=1", "gravity=1&x"):
            self.refused("KEY=VALUE", part.split("&")[-1], arguments=[self.file, f"CartPole-v1?{part}"])
        self.refused("there is no file", arguments=[f"{self.folder.name}/none", "CartPole-v1"])
        save_file({"x": np.zeros(3, np.float32)}, self.file)
        self.refused("no policy of a program", arguments=[self.file, "CartPole-v1"])
        pathlib.Path(self.file).write_bytes(b"torn")
        self.refused("no safetensors file", arguments=[self.file, "CartPole-v1"])
        for arguments in ([], [self.file], [self.file, "a", "x"], [self.file, "a", "0"], [self.file, "a", "1", "2"],
                          *([self.file, "CartPole-v1", bad] for bad in ("²", "٣", "-1", "1.5", "", "1_0", "9" * 5000))):
            self.refused("usage: play.py FILE ENVIRONMENT [EPISODES]", arguments=arguments)

    def test_refuses_every_byte_of_the_network_that_has_changed(self):
        for network, environment in (("actor tanh 3 8 1; critic tanh 3 8 1; log_std vector 1", "Pendulum-v1"),
                                     ("squashed normed_silu 3 8 2", "Pendulum-v1"),
                                     ("image nature 1 36 36; q relu 64 6", "CartPole-v1")):
            tensors = weights_of(network)
            for at, bit in itertools.product(range(len(network)), range(8)):
                text = bytearray(network.encode())
                text[at] ^= 1 << bit
                save_file({**tensors, "network": np.frombuffer(text, np.uint8)}, self.file)
                self.refused(arguments=[self.file, environment])

    def test_refuses_every_tensor_that_is_not_the_networks(self):
        for network in ("observation_mean vector 3; observation_scale vector 3; "
                        "actor tanh 3 8 1; critic tanh 3 8 1; log_std vector 1",
                        "squashed normed_silu 3 8 2", "image nature 1 36 36; dueling relu 64 8 7"):
            tensors = weights_of(network)
            for name in tensors.keys() - {"network"}:
                right = tensors[name]
                save_file({other: tensors[other] for other in tensors if other != name}, self.file)
                self.refused(f"the tensor {name}, which is missing", arguments=[self.file, "Pendulum-v1"])
                for bad in (right[None], right.ravel()[:-1].copy(), right[:0], np.zeros(()), right.astype(np.int32),
                            right > 0):
                    save_file({**tensors, name: bad}, self.file)
                    self.refused("is damaged", name, str(right.shape), arguments=[self.file, "Pendulum-v1"])
                for number in (np.nan, np.inf, -np.inf):
                    bad = right.copy()
                    bad.flat[-1] = number
                    save_file({**tensors, name: bad}, self.file)
                    self.refused(name, "not finite", arguments=[self.file, "Pendulum-v1"])

    def test_refuses_what_describes_no_network(self):
        tensors = weights_of("actor tanh 3 8 1; critic tanh 3 8 1; log_std vector 1")
        right = tensors["network"]
        texts = [b"", b"actor", b"actor tanh", b"actor gelu 3 8 1", b"actor tanh 3", b"actor tanh 3 0 1",
                 b"actor tanh 3 -8 1", b";",
                 b"actor tanh 3 8 1;", b"actor tanh 3 8.0 1", b"actor tanh 3 1" + b"0" * 5000, "actor tanh 3 8 ²".encode(),
                 b"\xff\xfe", b"actor tanh 3 8 1; actor tanh 3 8 1", b"actor nature 3 8 1", b"actor vector 3 8",
                 b"actor tanh 3 8 1; critic gelu 3 8 1", bytes(right) + b"\xff"]
        for bad in (*(np.frombuffer(text, np.uint8) for text in texts),
                    right.astype(np.float32), right.astype(np.int8), right[None]):
            save_file({**tensors, "network": bad}, self.file)
            self.refused("is damaged", "network", arguments=[self.file, "Pendulum-v1"])

    def test_refuses_parts_that_do_not_fit_each_other(self):
        for network, part in (("actor tanh 3 8 2; log_std vector 1", "log_std"), ("q vector 4", "q"),
                              ("dueling relu 4 1", "dueling"),
                              ("observation_mean vector 3; observation_scale vector 3; q relu 4 2", "observation_mean"),
                              ("observation_mean vector 4; actor relu 4 2", "observation_scale"),
                              ("observation_scale vector 4; actor relu 4 2", "observation_scale"),
                              ("image nature 4 84 84; q relu 3137 2", "image"), ("image vector 4; q relu 4 2", "image")):
            self.save(network)
            self.refused("is damaged", f"the part {part} ", arguments=[self.file, "CartPole-v1"])

    def test_what_goes_wrong_while_it_plays_is_said(self):
        network = "actor tanh 3 8 1; critic tanh 3 8 1; log_std vector 1"
        self.save(network)
        for wrong, *parts in (("reset", "RuntimeError: the table is bare"), ("step", "KeyError", "leg"),
                              ("nan", "finite", "nan")):
            self.refused(*parts, arguments=[self.file, f"Table-v0?wrong={wrong}"])
        tensors = weights_of(network)
        save_file({name: values if name == "network" else np.full_like(values, 3e38) for name, values in tensors.items()},
                  self.file)
        self.refused("gives no finite numbers", arguments=[self.file, "Pendulum-v1"])

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
