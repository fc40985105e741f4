"""Times `reportgen` beside the least programs that read the same files, and prints each as a ratio with its goal.

    cargo build --release --no-default-features --workspace --bins --example generate_samples --example least_compare
    python benches/ratios.py target/release DIRECTORY [--rounds N] [--records N] [--large] [ROW ...]

Inputs are made once, in DIRECTORY. The programs of a row take turns; the least of all rounds counts, because what else
a machine does can only add to it. Processor seconds are those of the process and its threads, memory is the peak. Rows
that need DuckDB (`pip install duckdb`) or a program that is missing are left out, and said to be. `--large` adds ten
and thirty million pairs. ROW names rows by a part of their name.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LANGUAGE = {**os.environ, "LC_ALL": "C", "LANG": "C"}
DUCKDB_JOIN = """
import sys, duckdb
read = {"jsonl": "read_json('%s', format = 'newline_delimited', columns = {id: 'VARCHAR', accepted: 'BOOLEAN',"
        " pass_ratio: 'DOUBLE', gen_tokens: 'BIGINT', gen_time: 'DOUBLE', judge_time: 'DOUBLE'})",
        "csv": "read_csv('%s')", "parquet": "read_parquet('%s')"}[sys.argv[1].rsplit(".", 1)[1]]
scores = ["accepted", "pass_ratio", "gen_tokens", "gen_time", "judge_time"]
sums = ", ".join(f"sum(a.{s}::DOUBLE), sum(b.{s}::DOUBLE)" for s in scores)
a, b = (read % path for path in sys.argv[1:])
print(duckdb.sql(f"SELECT count(*), {sums} FROM {a} a JOIN {b} b USING (id)").fetchall())
"""


class Cost:
    """What one run of a program took: seconds, processor seconds, megabytes."""

    def __init__(self, command):
        # A file: grep stops at the first match where it sees that nobody reads.
        with tempfile.TemporaryFile() as out:
            start = time.perf_counter()
            process = subprocess.Popen(
                [str(part) for part in command], stdout=out, stderr=subprocess.DEVNULL, env=LANGUAGE)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        self.processor = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
        # 1: differences were found, or a document is not as it should be.
        if process.returncode not in (0, 1):
            raise SystemExit(f"{process.returncode} of {' '.join(map(str, command))}")


def least(commands, rounds):
    """The least of each figure of every command, in turn."""
    costs = [[] for _ in commands]
    for _ in range(rounds):
        for command, own in zip(commands, costs):
            own.append(Cost(command))
    return [{name: min(getattr(cost, name) for cost in own) for name in ("seconds", "processor", "megabytes")}
            for own in costs]


class Inputs:
    """Files of the benchmark, made when they are first asked for."""

    def __init__(self, place, programs, records):
        self.place, self.programs, self.records = place, programs, records
        place.mkdir(parents=True, exist_ok=True)

    def made(self, name, write):
        path = self.place / name
        if not path.exists():
            part = path.with_name(path.name + ".part")
            write(part)
            part.rename(path)
        return path

    def samples(self):
        def write(seed):
            command = [self.programs / "examples/generate_samples"]
            return lambda path: subprocess.run([*command, path, str(self.records), str(seed)], check=True)
        return [self.made(f"{name}.jsonl", write(seed)) for name, seed in (("a", 1), ("b", 2))]

    def converted(self, extension, options):
        import duckdb
        def write(source):
            read = f"read_json('{source}', format = 'newline_delimited')"
            return lambda path: duckdb.sql(f"COPY (SELECT * FROM {read}) TO '{path}' ({options})")
        return [self.made(f"{path.stem}.{extension}", write(path)) for path in self.samples()]

    def packed(self, command, extension):
        def write(source):
            def packed(path):
                with open(path, "wb") as out:
                    subprocess.run([*command, source], stdout=out, check=True)
            return packed
        return [self.made(f"{path.name}.{extension}", write(path)) for path in self.samples()]

    def pairs(self, count):
        def write(seed):
            def written(path):
                source = random.Random(seed)
                # A difference, because more is asked where there is one.
                share = .38 + .02 * seed
                with open(path, "w") as out:
                    for start in range(0, count, 100_000):
                        rows = range(start, min(start + 100_000, count))
                        out.writelines(
                            '{"id": "q%08d", "accepted": %s}\n' % (row, "true" if source.random() < share else "false")
                            for row in rows)
            return written
        return [self.made(f"pairs{count}{name}.jsonl", write(seed)) for name, seed in (("a", 1), ("b", 2))]

    def log(self):
        def write(path):
            source = random.Random(0)
            with open(path, "w") as out:
                for step in range(16_000_000 // 50):
                    for line in range(50):
                        if source.random() < .022:
                            out.write(f"ERROR rule {source.randrange(9)} broken by rollout {step}-{line}\n")
                        else:
                            loss, kl, lr = source.random(), source.random() / 9, 1e-6 * step
                            out.write(f"step {step}.{line} loss={loss:.6f} kl={kl:.6f} lr={lr:.3e} tokens per second and "
                                      f"device {source.random() * 9000:.1f}, memory 61.4 GB\n")
        return self.made("train.log", write)

    def many_runs(self, arms, runs, metrics=None):
        """Runs of arms that differ in one setting, with two figures each, or with so many metrics."""
        def write(path):
            source = random.Random(0)
            def figures():
                names = [f"task_{metric:04}/accuracy" for metric in range(metrics or 0)]
                drawn = {name: round(.4 + source.random() / 9, 4) for name in names or ["accuracy"]}
                return drawn if metrics else drawn | {"loss": round(1 + source.random(), 4)}
            for arm in range(arms):
                for run in range(runs):
                    own = path / f"arm{arm}" / f"run{run:05}"
                    own.mkdir(parents=True)
                    (own / "config.yaml").write_text(f"model: tiny\nlr: {arm + 1}e-5\nseed: {run}\n")
                    (own / "metrics.json").write_text(json.dumps(figures()))
        return self.made(f"runs{arms}x{runs}x{metrics or 2}", write)


def rows(inputs, program):
    """Name, command, what it is held against, which figure, the most that is wanted, and how it is told."""
    out = ["-o", inputs.place / "out", "--format", "md,html,json", "--force"]
    def compare(pair, *options):
        return [program, "compare", *pair, *options, *out]
    def duckdb(pair):
        return [sys.executable, "-c", DUCKDB_JOIN, *pair]
    least_program = inputs.programs / "examples/least_compare"
    def plain():
        return inputs.samples()
    yield "JSON lines, processor", lambda: (compare(plain()), [least_program, *plain()]), "processor", 1.2, "least_compare"
    yield "JSON lines, time", lambda: (compare(plain()), duckdb(plain())), "seconds", .5, "DuckDB with its start"
    yield "JSON lines, memory", lambda: (compare(plain()), None), "megabytes", 100, "MB"
    def csv():
        return inputs.converted("csv", "FORMAT csv, HEADER")
    yield "CSV, time", lambda: (compare(csv()), duckdb(csv())), "seconds", .5, "DuckDB with its start"
    def parquet():
        return inputs.converted("parquet", "FORMAT parquet, COMPRESSION zstd")
    yield "Parquet, time", lambda: (compare(parquet()), duckdb(parquet())), "seconds", 1, "DuckDB with its start"
    def gz():
        return inputs.packed(["gzip", "-6", "-c"], "gz")
    yield "gzip, processor", lambda: (compare(gz()), ["gzip", "-dc", *gz()]), "processor", 2, "gzip -dc"
    def zst():
        return inputs.packed(["zstd", "-3", "-q", "-c"], "zst")
    yield "Zstandard, processor", lambda: (compare(zst()), ["zstd", "-dcq", *zst()]), "processor", None, "zstd -dc"
    log = inputs.log
    yield ("log, time", lambda: ([program, "quality", log(), *out], ["grep", "-c", r"ERROR\|Traceback", log()]),
           "seconds", 3, "grep -c")
    yield ("metrics, time", lambda: ([program, "metrics", plain()[0], *out], ["wc", "-l", plain()[0]]),
           "seconds", 4, "wc -l")
    small = ["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"]
    yield ("small, time", lambda: (compare(small, "--vary", "kl_beta"), [program, "--help"]), "seconds", 1.5, "--help")
    for count in (100_000, 1_000_000, 10_000_000, 30_000_000):
        name = f"{count:,} pairs"
        def growing(count=count):
            return compare(inputs.pairs(count), "--limit", "records=100000000"), None
        # The program itself takes some ten megabytes.
        wanted = 120 if count > 100_000 else None
        yield f"{name}, bytes of a pair", growing, ("megabytes", 1e6 / count), wanted, "bytes"
        yield f"{name}, microseconds of a pair", growing, ("seconds", 1e6 / count), None, "µs"
    def arms(count, runs, metrics=None):
        place = inputs.many_runs(count, runs, metrics)
        options = [part for arm in range(count) for part in ("--arm", f"arm{arm}={place}/arm{arm}/run*")]
        return [program, "compare", *options, "--vary", "lr", *out], [program, "inspect", place / "arm0"]
    yield "two arms of 1,000 runs, time", lambda: arms(2, 1000), "seconds", 2, "inspect of one arm"
    yield "two arms of 5,000 runs, time", lambda: (arms(2, 5000)[0], None), ("seconds", 1), None, "s"
    yield "1,000 metrics of 50 arms, time", lambda: (arms(50, 1, 1000)[0], None), ("seconds", 1), None, "s"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("programs", type=Path)
    arguments.add_argument("place", type=Path)
    arguments.add_argument("rows", nargs="*")
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--records", type=int, default=300_000)
    arguments.add_argument("--large", action="store_true")
    asked = arguments.parse_intermixed_args()
    inputs = Inputs(asked.place.resolve(), asked.programs.resolve(), asked.records)
    print("| what | here | beside | ratio | wanted |\n|---|--:|--:|--:|--:|")
    for name, made, figure, wanted, beside in rows(inputs, inputs.programs / "reportgen"):
        if asked.rows and not any(part in name for part in asked.rows):
            continue
        if "0,000,000 pairs" in name and not asked.large:
            continue
        try:
            own, other = made()
        except (ImportError, FileNotFoundError) as error:
            print(f"| {name} | – | {beside} | not measured: {error} | |")
            continue
        figure, scale = figure if isinstance(figure, tuple) else (figure, 1)
        costs = least([own] if other is None else [own, other], asked.rounds)
        mine = costs[0][figure] * scale
        goal = "" if wanted is None else f"≤ {wanted:g}"
        if other is None:
            print(f"| {name} | {mine:.3g} | {beside} | | {goal} |", flush=True)
            continue
        theirs = costs[1][figure]
        print(f"| {name} | {mine:.3f} | {theirs:.3f} ({beside}) | {mine / theirs:.2f} | {goal} |", flush=True)


if __name__ == "__main__":
    main()
