"""Plays a policy that dqn, apex, ppo, a2c or a3c saved, in Gymnasium: play.py FILE ENVIRONMENT [EPISODES]

FILE is the last weights, runs/apex-001/model.safetensors, or the best of all evaluations, best.safetensors beside it."""
import sys

import gymnasium
import numpy as np
from safetensors.numpy import load_file

file, name, episodes = sys.argv[1], sys.argv[2], int((sys.argv[3:] or ["10"])[0])
weights = load_file(file)
layers = {}  # by network: "dueling.0.weight" is the first layer of the network "dueling"
for key in sorted(k for k in weights if k.endswith(".weight")):
    layers.setdefault(key.split(".")[0], []).append((weights[key], weights[key.replace(".weight", ".bias")]))
kind, network = next(iter(layers.items()))
activation = np.tanh if kind == "actor" else lambda x: np.maximum(x, 0)


def act(observation):
    x = observation.astype(np.float32)
    if "observation_mean" in weights:  # ppo.normalise_observations
        x = np.clip((x - weights["observation_mean"]) * weights["observation_scale"], -10, 10)
    for i, (weight, bias) in enumerate(network):
        x = weight @ x + bias
        x = activation(x) if i + 1 < len(network) else x
    return int(np.argmax(x[:-1] if kind == "dueling" else x))  # the dueling net's last output is the state's value


env, returns = gymnasium.make(name), []
for episode in range(episodes):
    observation, _ = env.reset(seed=episode)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, _ = env.step(act(observation))
        total, over = total + float(reward), terminated or truncated
    returns.append(total)
print(f"mean return {np.mean(returns):.1f} over {episodes} episodes")
