"""Joins two files of samples on id and sums their scores with DuckDB and with polars.

    python benches/compare_duckdb_polars.py BASELINE.jsonl CANDIDATE.jsonl

Prints the seconds and the peak memory of each engine, one process an engine so that the peaks do
not mix. Needs the packages `duckdb` and `polars`.
"""

import resource
import subprocess
import sys
import time

SCORES = ["accepted", "pass_ratio", "gen_tokens", "gen_time", "judge_time"]


def with_duckdb(baseline: str, candidate: str) -> tuple:
    import duckdb

    columns = "{id: 'VARCHAR', accepted: 'BOOLEAN', pass_ratio: 'DOUBLE', gen_tokens: 'BIGINT', " \
              "gen_time: 'DOUBLE', judge_time: 'DOUBLE'}"

    def source(path: str) -> str:
        return f"read_json('{path}', format = 'newline_delimited', columns = {columns})"

    sums = ", ".join(f"sum(a.{score}::DOUBLE), sum(b.{score}::DOUBLE)" for score in SCORES)
    query = f"SELECT count(*), {sums} FROM {source(baseline)} a JOIN {source(candidate)} b USING (id)"
    return duckdb.sql(query).fetchall()[0]


def with_polars(baseline: str, candidate: str) -> tuple:
    import polars

    def scan(path: str):
        return polars.scan_ndjson(path).select(["id", *SCORES])

    joined = scan(baseline).join(scan(candidate), on="id", suffix="_b")
    sums = [polars.col(score + end).sum() for score in SCORES for end in ("", "_b")]
    return joined.select(polars.len(), *sums).collect(engine="streaming").row(0)


ENGINES = {"duckdb": with_duckdb, "polars": with_polars}


def main() -> None:
    if len(sys.argv) == 4:
        engine, baseline, candidate = sys.argv[1:]
        start = time.perf_counter()
        row = ENGINES[engine](baseline, candidate)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{engine}: {seconds:.2f} s, {peak:.0f} MiB, {row[0]} pairs, first sum {row[1]:.0f}")
        return
    for engine in ENGINES:
        subprocess.run([sys.executable, __file__, engine, *sys.argv[1:]], check=True)


if __name__ == "__main__":
    main()
