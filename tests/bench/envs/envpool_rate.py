"""Environment steps per second of EnvPool, for bench.py: envpool_rate.py NAME ROWS THREADS SECONDS"""
import argparse
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("rows", type=int)
    parser.add_argument("threads", type=int)
    parser.add_argument("seconds", type=float)
    asked = parser.parse_args()
    name, rows, threads, seconds = asked.name, asked.rows, asked.threads, asked.seconds
    import envpool  # here, so that --help needs no peer
    import numpy as np
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
