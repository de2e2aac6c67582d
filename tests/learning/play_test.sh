#!/usr/bin/env bash
# play_test.sh FDG_RUN PLAN_OF_PPO PLAN_OF_APEX PYTHON PLAY: what short runs save, the last and the best, plays CartPole in
# Gymnasium, far better than chance.
set -euo pipefail
fdg_run=$1 ppo=$2 apex=$3 python=$4 play=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$fdg_run" --quiet --set iterations=40 --out "$folder/ppo" "$ppo"
"$fdg_run" --quiet --set steps=6000 --set eval_every=400 --out "$folder/apex" "$apex"
for file in ppo/model apex/model apex/best; do
  said=$("$python" "$play" "$folder/$file.safetensors" CartPole-v1 5)
  echo "$file: $said"
  # Chance: 22. The last of so few steps may be anything; the best may not.
  [[ $said =~ mean\ return\ ([0-9]+) ]] && { [[ $file == apex/model ]] || ((BASH_REMATCH[1] >= 100)); }
done
