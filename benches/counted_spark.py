"""Has a Spark cluster of one master and two workers run the statement of `reportgen plan`, and holds the report of
its counts against that of the samples, field by field, and the counts against those of DuckDB, row by row. At the
last size each statement runs once more, and a worker is killed with its executor in the midst of it.

    pip install pyspark==4.3.0 duckdb==2.0.1 pyarrow        # and Java 17 or 21
    python benches/counted_spark.py target/release/reportgen 100000 1000000 3000000

Records are those of `counted_duckdb.py`. All processes run here and listen on the loopback alone. The exit status is
1 if a figure differs, or if a count that is changed on purpose does not make one differ.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.compute
import pyarrow.parquet
import pyspark
from counted_duckdb import seconds, write

os.environ.update(REPORTGEN_BIN=os.path.abspath(sys.argv[1]), SPARK_LOCAL_IP="127.0.0.1", SPARK_DAEMON_MEMORY="256m")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "fixtures"))
import make_counted  # noqa: E402

# What a statement is made for: the form of the files, and the column of clusters.
CASES = [("parquet", "none"), ("parquet", "passage_id"), ("jsonl", "none")]
OPTIONS = {
    "spark.executor.memory": "1g",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Several tasks for small files too.
    "spark.sql.files.maxPartitionBytes": "16m",
}


class Cluster:
    """A master, two workers of one core and 1.5 GB, and the session that they work for."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        self.address = f"spark://127.0.0.1:{port}"
        self.workers: list[subprocess.Popen] = []
        self.master = self.start("master.Master", "--port", port)

    def start(self, name: str, *arguments: str) -> subprocess.Popen:
        command = [f"{pyspark.__path__[0]}/bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1"]
        # A group of its own, so that executors end with their worker.
        return subprocess.Popen([*command, *arguments], stderr=subprocess.DEVNULL, start_new_session=True)

    def connect(self) -> None:
        self.session = pyspark.sql.SparkSession.builder.master(self.address).config(map=OPTIONS).getOrCreate()
        self.context = self.session.sparkContext
        self.context.setLogLevel("OFF")
        self.fill()

    def fill(self) -> None:
        """Starts the workers that are lacking, and waits for their executors."""
        while len(self.workers) < 2:
            self.workers.append(self.start("worker.Worker", "--cores", "1", "--memory", "1536m", self.address))
        until = time.monotonic() + 600
        while sum(executor.isActive() for executor in self.executors()) < 2:
            time.sleep(0.1)
            if time.monotonic() > until:
                sys.exit("two executors did not start in ten minutes")

    def executors(self) -> list:
        every = self.context._jsc.sc().statusStore().executorList(False)
        return [own for own in map(every.apply, range(every.size())) if own.id() != "driver"]

    def processor_seconds(self) -> float:
        """Of the workers that run, their executors and the driver."""
        groups, driver = {worker.pid for worker in self.workers}, self.context._gateway.proc.pid
        ticks = 0
        for process in Path("/proc").glob("[0-9]*"):
            try:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) in groups or int(process.name) == driver:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def run(self, statement: str) -> None:
        self.session.sql(statement)

    def run_with_a_worker_killed(self, statement: str) -> None:
        """Kills when half of the tasks of a stage are done, so that results are lost with the worker."""
        tracker, ended = self.context.statusTracker(), []
        running = threading.Thread(target=lambda: (self.run(statement), ended.append("well")))
        running.start()
        stages = []
        while not any(stage.numTasks > 3 and 2 * stage.numCompletedTasks >= stage.numTasks for stage in stages):
            if not running.is_alive():
                sys.exit("the statement was over before a worker could be killed: take more samples")
            stages = list(filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds())))
        os.killpg(self.workers.pop(0).pid, signal.SIGKILL)
        running.join()
        dead = [executor for executor in self.executors() if not executor.isActive()]
        if not ended or not dead or dead[-1].completedTasks() == 0:
            sys.exit("the statement failed, or no work was lost with the worker")
        done = ", ".join(f"{stage.numCompletedTasks} of {stage.numTasks}" for stage in stages)
        print(f"    killed a worker after {done} tasks; {dead[-1].completedTasks()} of its executor since it started")

    def stop(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for own in [*self.workers, self.master]:
            os.killpg(own.pid, signal.SIGKILL)
            own.wait()


def rows_of(counts: str) -> list[str]:
    """The counts in an order of their own, without the plan, which names the engine."""
    table = pyarrow.parquet.read_table(counts)
    rows = table.filter(pyarrow.compute.is_null(table["plan"])).drop(["plan", "plan_hash"])
    return sorted(map(repr, rows.to_pylist()))


def spoil(counts: str, spoilt: str) -> None:
    """Counts a pair among others with other scores, which is as many in all."""
    table = pyarrow.parquet.read_table(counts)
    rows = table.to_pylist()
    one, other, *_ = (row for row in rows if row["metric"] == 1 and row["status"] == "pair" and row["x"] != row["y"])
    one["n"], other["n"] = one["n"] - 1, other["n"] + 1
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=table.schema), spoilt)


def measured(cluster: Cluster, form: str, field: str, is_last: bool) -> tuple[list[float], list[str]]:
    """Seconds and processor seconds of Spark and of DuckDB, and what differs."""
    runs, chosen = [f"{form}/a", f"{form}/b"], ["--cluster", field]
    of_samples = make_counted.report(Path(), *runs, *chosen)
    figures, found = [], []

    def counted(engine: str, output: str, run: Callable[[str], object], used: Callable[[], float]) -> None:
        statement = make_counted.program(Path(), "plan", *runs, *chosen, "--dialect", engine, "--output", output)
        start, before = time.monotonic(), used()
        run(statement)
        figures.extend([time.monotonic() - start, used() - before])
        apart = make_counted.differences(of_samples, make_counted.report(Path(), "--stats", output, *chosen))
        found.extend(f"{output}: {one}" for one in apart)
        if rows_of(output) != rows_of("spark.parquet"):
            found.append(f"{output}: its rows are not those of spark.parquet")

    counted("spark", "spark.parquet", cluster.run, cluster.processor_seconds)
    counted("duckdb", "duckdb.parquet", duckdb.execute, seconds)
    if is_last:
        counted("spark", "killed.parquet", cluster.run_with_a_worker_killed, seconds)
        cluster.fill()
    spoil("duckdb.parquet", "spoilt.parquet")
    if not make_counted.differences(of_samples, make_counted.report(Path(), "--stats", "spoilt.parquet", *chosen)):
        found.append("spoilt.parquet: no field tells that a count was changed")
    return figures[:4], found


def measure(cluster: Cluster, sizes: list[int]) -> None:
    cluster.connect()
    print("samples a run, form, clusters: seconds and processor seconds of Spark, the same of DuckDB")
    of_cases: dict[tuple[str, str], list[list[float]]] = {case: [] for case in CASES}
    failed = 0
    # The first size twice: at first a Java machine is slow.
    for place, size in enumerate([sizes[0], *sizes]):
        for case in CASES:
            write(size, case[0])
            figures, found = measured(cluster, *case, is_last=place == len(sizes))
            of_cases[case].append(figures)
            failed += len(found)
            figures = " ".join(f"{one:.2f}" for one in figures)
            print(f"{size}, {', '.join(case)}: {figures}", *(found or ["no figure differs"]), sep="\n    ", flush=True)
    for case, figures in of_cases.items():
        slopes = [(last - first) / (sizes[-1] - sizes[0]) for first, last in zip(figures[1], figures[-1])]
        hours = ", ".join(f"{slope * 1e9 / 3600:.2f}" for slope in slopes)
        print(f"extrapolated to 10^9 samples a run, {', '.join(case)}: hours {hours}")
    sys.exit(1 if failed else 0)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        os.environ.update(SPARK_LOCAL_DIRS=directory, SPARK_WORKER_DIR=directory)
        cluster = Cluster()
        try:
            measure(cluster, [int(size) for size in sys.argv[2:]])
        finally:
            cluster.stop()


main()
