#!/usr/bin/env bash
# play_test.sh FDG_RUN PLANS PYTHON PLAY: what short runs save, the last and the best, plays in Gymnasium far better than
# chance (CartPole 22, Pendulum −1,200), by every kind of policy.
set -euo pipefail
fdg_run=$1 plans=$2 python=$3 play=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
configs=$(dirname "$play")/../../algorithms/configs

train() {  # NAME PROGRAM OPTIONS…
  "$fdg_run" --quiet --out "$folder/$1" "${@:3}" "$plans/$2.plan"
}
plays() {  # FILE ENVIRONMENT LEAST
  local said
  said=$("$python" "$play" "$folder/$1.safetensors" "$2" 5)
  echo "$1: $said"
  [[ $said =~ mean\ return\ (-?[0-9]+) ]] && ((BASH_REMATCH[1] >= $3))
}

train ppo ppo --set iterations=40
plays ppo/model CartPole-v1 100
train relu ppo --set iterations=40 --set ppo.activation=relu
plays relu/model CartPole-v1 100
train apex apex --set steps=6000 --set eval_every=400
plays apex/model CartPole-v1 0  # the last of so few steps may be anything; the best may not
plays apex/best CartPole-v1 100
train scaled ppo --config "$configs/ppo-Pendulum-v1.yaml" --set ppo.normalise_observations=true
plays scaled/model Pendulum-v1 -500
train sac sac --set steps=1500
plays sac/model Pendulum-v1 -500
train fastsac fastsac --config "$configs/fastsac-Pendulum-v1.yaml"
plays fastsac/model Pendulum-v1 -500
