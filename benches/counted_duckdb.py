"""Times the statement of `reportgen plan` in DuckDB over pairs of Parquet files of several sizes.

    pip install duckdb==2.0.1
    python benches/counted_duckdb.py target/debug/reportgen 100000 1000000 4000000

A record has an id, a prompt of some 300 bytes, a target, a cluster of ten, an outcome, a share of tests passed and a
latency; 1 % are missing in either run, 2 % there twice, and some lack an id or a score, contradict each other, or
have an edited prompt or another question. Files are made by DuckDB and lie in the page cache.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import duckdb

SAMPLES = """
COPY (
  SELECT CASE WHEN hash(i * 29 + {run}) % 200 <> 0 THEN 'q' || i END AS id,
    CASE WHEN other THEN 'other ' || i
      ELSE repeat(md5(CAST(i AS VARCHAR)), 9) || i || CASE WHEN reworded THEN ' Think.' ELSE '' END END AS prompt,
    CASE WHEN other THEN 'none' ELSE CAST(hash(i) % 50 AS VARCHAR) END AS target,
    'p' || (i // 10) AS passage_id,
    CASE WHEN hash(i * 41 + {run}) % 160 <> 0
      THEN hash(i * 7 + {run}) % 1000 < 480 + hash(i * 3) % 40 + 20 * {run} END AS accepted,
    CASE WHEN copy = 2 THEN 0.05 ELSE CAST(hash(i * 11 + {run}) % 11 AS DOUBLE) / 10 END AS pass_ratio,
    CASE WHEN hash(i * 43 + {run}) % 160 <> 0 THEN CAST(hash(i * 13 + {run}) % 1000003 AS DOUBLE) / 1000 END AS latency
  FROM (
    SELECT i, copy, {run} = 1 AND hash(i * 31) % 100 = 0 AS reworded, {run} = 1 AND hash(i * 37) % 250 = 0 AS other
    FROM range({count}) AS all_of(i), range(3) AS copies(copy)
    WHERE i % 2 = {part} AND hash(i * 17 + {run}) % 100 <> 0
      AND (copy = 0 OR copy = 1 AND hash(i * 19 + {run}) % 50 = 0 OR copy = 2 AND hash(i * 23 + {run}) % 300 = 0)
  )
) TO '{path}' (FORMAT {form})
"""


def write(count: int, form: str) -> list[str]:
    """Two directories of two files."""
    for run, name in enumerate("ab"):
        os.makedirs(f"{form}/{name}", exist_ok=True)
        for part in range(2):
            path = f"{form}/{name}/{part}.{form}"
            written = {"parquet": "parquet, COMPRESSION zstd", "jsonl": "json"}[form]
            duckdb.execute(SAMPLES.format(run=run, count=count, part=part, path=path, form=written))
    return [f"{form}/{name}" for name in "ab"]


def seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    program = os.path.abspath(sys.argv[1])
    print("pairs, clusters, bytes of samples, seconds, processor seconds, bytes of counts, seconds of compare --stats")
    for count in map(int, sys.argv[2:]):
        with tempfile.TemporaryDirectory() as directory:
            os.chdir(directory)
            runs = write(count, "parquet")
            size = sum(os.path.getsize(f"{run}/{part}.parquet") for run in runs for part in range(2))
            for cluster in ("none", "passage_id"):
                arguments = ["plan", *runs, "--dialect", "duckdb", "--cluster", cluster]
                statement = subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout
                wall, used = time.monotonic(), seconds()
                duckdb.connect().execute(statement)
                wall, used = time.monotonic() - wall, seconds() - used
                start = time.monotonic()
                subprocess.run([program, "compare", "--stats", "stats.parquet"], capture_output=True, check=True)
                read = time.monotonic() - start
                written = os.path.getsize("stats.parquet")
                print(f"{count}, {cluster}, {size}, {wall:.2f}, {used:.2f}, {written}, {read:.2f}", flush=True)


if __name__ == "__main__":
    main()
