#!/usr/bin/env bash
# Counts the instructions of a few commands and holds them against those that are written down.
#
#     cargo build --release --no-default-features
#     benches/instructions.sh target/release [--write]
#
# Times move with the machine, instructions hardly: a command that takes 5 % more fails. After a change that is meant to
# cost more, or that costs less, `--write` writes the new counts down. They hold for one compiler, one C library and one
# set of vector instructions; where any is another, nothing is held. Needs valgrind.
set -euo pipefail
programs=$(cd "$1" && pwd)
mode=${2:-}
cd "$(dirname "$0")/.."

known=benches/instructions.txt
most=105 # percent
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# Ids and prompts are those of both files, outcomes are not.
for seed in 1 2; do
    awk -v seed="$seed" 'BEGIN {
        for (row = 0; row < 10000; row++) {
            draw = (row * 7919 + seed * 104729) % 10007
            printf "{\"id\": \"task/%05d\", \"dataset\": \"tasks\", \"prompt\": \"", row
            for (word = 0; word < 40; word++) printf "word%d \\\"%d\\\" 数 ", (row * 31 + word * 17) % 997, word
            printf "\", \"accepted\": %s, \"pass_ratio\": %.3f, \"error_type\": \"%s\", \"gen_tokens\": %d}\n",
                draw % 5 < 2 ? "true" : "false", draw % 1000 / 1000, draw % 5 < 2 ? "success" : "wrong_answer", draw
        }
    }' >"$place/$seed.jsonl"
done
out=(-o "$place/out" --format "md,html,json" --force)
features=$(grep -m 1 '^flags' /proc/cpuinfo | tr ' ' '\n' | grep -xE 'avx2|bmi2|fma|sse4_2|sha_ni' | sort | tr '\n' ' ' || true)
surroundings="$(rustc --version), $(ldd --version | sed -n 1p), ${features% }"

# One thread, so that none waits for another one in a loop.
count() {
    RAYON_NUM_THREADS=1 valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
        "$programs/reportgen" "$@" 2>&1 >/dev/null | sed -n 's/^==[0-9]*== I *refs: *//p' | tr -d ,
}
counts() {
    echo "help $(count --help)"
    echo "small $(count compare fixtures/kl_beta/kl-0.15 fixtures/kl_beta/kl-0.12 --vary kl_beta "${out[@]}")"
    echo "records $(count compare "$place/1.jsonl" "$place/2.jsonl" "${out[@]}")"
    echo "metrics $(count metrics "$place/1.jsonl" "${out[@]}")"
}

found=$(counts)
if [ "$mode" = --write ]; then
    printf '%s\n%s\n' "$surroundings" "$found" >"$known"
    cat "$known"
    exit
fi
[ "$(head -n 1 "$known")" = "$surroundings" ] || {
    printf 'not held: %s is of %s, and this is %s\n%s\n' "$known" "$(head -n 1 "$known")" "$surroundings" "$found"
    exit 0
}
failed=0
while read -r name instructions; do
    before=$(sed -n "s/^$name //p" "$known")
    percent=$((100 * instructions / before))
    echo "$name: $instructions instructions, $percent % of $before"
    [ "$percent" -le "$most" ] || failed=1
done <<<"$found"
[ "$failed" = 0 ] || {
    echo "more instructions than 5 % above $known: give them back, or say why and write the new ones down (--write)" >&2
    exit 1
}
