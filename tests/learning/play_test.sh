#!/usr/bin/env bash
# play_test.sh FDG_RUN PLAN_OF_PPO PYTHON PLAY: what a short run saves plays CartPole in Gymnasium, far better than chance.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --quiet --set iterations=40 --out "$folder/run" "$2"
said=$("$3" "$4" "$folder/run/model.safetensors" CartPole-v1 5)
echo "$said"
[[ $said =~ mean\ return\ ([0-9]+) ]] && ((BASH_REMATCH[1] >= 150)) # chance: 22
