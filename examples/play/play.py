"""Plays a policy that a program of algorithms/ saved, in Gymnasium: play.py FILE ENVIRONMENT [EPISODES]

FILE is the last weights, runs/apex-001/model.safetensors, or the best of all evaluations, best.safetensors beside it.
Networks for images (image.0.weight and so on, as a torch.nn.Conv2d has them) are not played here."""
import sys

import gymnasium
import numpy as np
from safetensors.numpy import load_file

file, name, episodes = sys.argv[1], sys.argv[2], int((sys.argv[3:] or ["10"])[0])
weights = load_file(file)
kind = next(k for k in ("dueling", "q", "actor", "squashed") if f"{k}.0.weight" in weights)
layers = sum(key.startswith(f"{kind}.") and key.endswith(".weight") and ".norm" not in key for key in weights)
env = gymnasium.make(name)


def hidden(x, layer):
    """What a hidden layer makes of its sums: tanh for actors, layer norm and SiLU where it is normed, else ReLU."""
    if f"{layer}.norm.weight" in weights:
        x = (x - x.mean()) / np.sqrt(x.var() + 1e-5) * weights[f"{layer}.norm.weight"] + weights[f"{layer}.norm.bias"]
        return x / (1 + np.exp(-x))
    return np.tanh(x) if kind == "actor" else np.maximum(x, 0)


def act(observation):
    x = observation.astype(np.float32)
    if "observation_mean" in weights:  # ppo.normalise_observations
        x = np.clip((x - weights["observation_mean"]) * weights["observation_scale"], -10, 10)
    for i in range(layers):
        x = weights[f"{kind}.{i}.weight"] @ x + weights[f"{kind}.{i}.bias"]
        x = hidden(x, f"{kind}.{i}") if i + 1 < layers else x
    if isinstance(env.action_space, gymnasium.spaces.Discrete):
        return int(np.argmax(x[:-1] if kind == "dueling" else x))  # the dueling net's last output is the state's value
    low, high = env.action_space.low, env.action_space.high
    x = x[:len(low)]  # behind the means a squashed Gaussian has its deviations
    x = np.tanh(x) if kind == "squashed" else np.clip(x, -1, 1)
    return (low + high) / 2 + x * (high - low) / 2


returns = []
for episode in range(episodes):
    observation, _ = env.reset(seed=episode)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, _ = env.step(act(observation))
        total, over = total + float(reward), terminated or truncated
    returns.append(total)
print(f"mean return {np.mean(returns):.1f} over {episodes} episodes")
