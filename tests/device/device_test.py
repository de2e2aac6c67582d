"""GPUs in policies: refused where there are none, laid out on described clusters, and, with one, used.

usage: device_test.py FDGC FDG_RUN
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FDGC, FDG_RUN = sys.argv[1:3]
PROGRAM = pathlib.Path(__file__).with_name("on_device.cpp")
HAS_GPU = pathlib.Path("/dev/nvidia0").exists()
MIXED = """
groups:
  learner: {fragments: learner, device: gpu}
  rest: {fragments: rest, device: cpu}
"""


class Devices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.plan = cls.folder / "on_device.plan"
        subprocess.run([FDGC, PROGRAM, "-o", cls.plan], check=True)
        cls.mixed = cls.folder / "mixed.yaml"
        cls.mixed.write_text(MIXED)

    def call(self, *options, **environment):
        return subprocess.run([FDG_RUN, *options, self.plan], cwd=self.folder, capture_output=True, text=True,
                              timeout=240, check=False, env={**os.environ, **environment})

    def logged(self, name, *options):
        done = self.call("--quiet", "--out", self.folder / name, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line)["value"] for line in (self.folder / name / "log.jsonl").read_text().splitlines()]

    def test_a_described_cluster_shows_who_gets_which(self):
        cluster = self.folder / "cluster.yaml"
        cluster.write_text("nodes:\n  - {count: 2, cores: 4, gpus: 2}\nbetween: {latency: 20us, bandwidth: 10Gbit/s}\n")
        said = self.call("--dry-run", "--cluster", cluster, "--policy", "dp-d").stdout
        self.assertEqual([word for word in said.split() if word.startswith("cuda:")],
                         ["cuda:0", "cuda:1", "cuda:0", "cuda:1"], said)

    @unittest.skipIf(HAS_GPU, "there is a GPU")
    def test_without_a_gpu_it_is_refused(self):
        for policy in ("dp-d", self.mixed):
            done = self.call("--policy", policy)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"yaml:\d+:3: group \w+ asks for a GPU and there is none here")

    @unittest.skipIf(HAS_GPU, "there is a GPU")
    def test_a_gpu_that_cannot_be_used_ends_the_run_with_a_sentence(self):
        done = self.call("--policy", "dp-d", CUDA_VISIBLE_DEVICES="0")  # as if it were there
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"CUDA part cannot be loaded.*pip install torch|NVIDIA driver|CUDA")

    @unittest.skipUnless(HAS_GPU, "no GPU here")
    def test_on_a_gpu_the_result_is_that_of_the_cpu_to_rounding(self):
        wanted = self.logged("cpu")
        for policy, ranks in (("dp-d", "1"), (self.mixed, "1"), (self.mixed, "2")):
            with self.subTest(policy=policy, ranks=ranks):
                got = self.logged(f"gpu-{pathlib.Path(policy).stem}-{ranks}", "--policy", policy, "-n", ranks)
                self.assertEqual(len(got), len(wanted))
                for a, b in zip(got, wanted):
                    self.assertAlmostEqual(a, b, delta=1e-4)

    @unittest.skipUnless(HAS_GPU, "no GPU here")
    def test_what_needs_the_cpu_is_refused(self):
        for options, sentence in ((("--verify", "5"), "verify with device: cpu"),
                                  (("--checkpoint", "kept"), "checkpoints keep tensors of the CPU only")):
            done = self.call("--policy", self.mixed, *options)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
