"""Environment steps per second of EnvPool, for bench.py: envpool_rate.py NAME ROWS THREADS SECONDS"""
import sys
import time

import envpool
import numpy as np


def main():
    name, rows, threads, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    envs = envpool.make_gymnasium(name, num_envs=rows, num_threads=threads, seed=1)
    envs.action_space.seed(2)
    actions = [np.array([envs.action_space.sample() for _ in range(rows)]) for _ in range(64)]
    envs.reset()
    steps, episodes, begin, cpu, taken = 0, 0, time.perf_counter(), time.process_time(), 0.0
    while taken < seconds:
        for action in actions:
            _, _, terminated, truncated, _ = envs.step(action)
            episodes += int((terminated | truncated).sum())
        steps += len(actions) * rows
        taken = time.perf_counter() - begin
    print(steps / taken, steps / (time.process_time() - cpu), "steps/s,", episodes, "episodes")


main()
