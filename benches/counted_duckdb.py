"""Times the statement of `reportgen plan` in DuckDB over pairs of Parquet files of several sizes.

    pip install duckdb==2.0.1
    python benches/counted_duckdb.py target/debug/reportgen 100000 1000000 4000000

A record has an id, a prompt of some 300 bytes, a target, a cluster of ten, an outcome, a share of tests passed and a
latency; 1 % are missing in either run. Files are made by DuckDB and lie in the page cache.
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
  SELECT 'q' || i AS id,
    repeat(md5(CAST(i AS VARCHAR)), 9) || CAST(i AS VARCHAR) AS prompt,
    CAST(hash(i) % 50 AS VARCHAR) AS target,
    'p' || (i // 10) AS passage_id,
    hash(i * 7 + {run}) % 1000 < 480 + hash(i * 3) % 40 + 20 * {run} AS accepted,
    CAST(hash(i * 11 + {run}) % 11 AS DOUBLE) / 10 AS pass_ratio,
    CAST(hash(i * 13 + {run}) % 1000003 AS DOUBLE) / 1000 AS latency
  FROM range({count}) AS all_of(i)
  WHERE hash(i * 17 + {run}) % 100 <> 0
) TO '{path}' (FORMAT parquet, COMPRESSION zstd)
"""


def seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    program = os.path.abspath(sys.argv[1])
    print("pairs, clusters, bytes of samples, seconds, processor seconds, bytes of counts, seconds of compare --stats")
    for count in map(int, sys.argv[2:]):
        with tempfile.TemporaryDirectory() as directory:
            os.chdir(directory)
            for run, name in enumerate("ab"):
                duckdb.connect().execute(SAMPLES.format(run=run, count=count, path=f"{name}.parquet"))
            size = sum(os.path.getsize(f"{name}.parquet") for name in "ab")
            for cluster in ("none", "passage_id"):
                arguments = ["plan", "a.parquet", "b.parquet", "--dialect", "duckdb", "--cluster", cluster]
                statement = subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout
                wall, used = time.monotonic(), seconds()
                duckdb.connect().execute(statement)
                wall, used = time.monotonic() - wall, seconds() - used
                start = time.monotonic()
                subprocess.run([program, "compare", "--stats", "stats.parquet"], capture_output=True, check=True)
                read = time.monotonic() - start
                written = os.path.getsize("stats.parquet")
                print(f"{count}, {cluster}, {size}, {wall:.2f}, {used:.2f}, {written}, {read:.2f}", flush=True)


main()
