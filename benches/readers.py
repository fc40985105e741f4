"""Times `reportgen inspect` of one large file of each format beside the producer's own Python reader.

    pip install tensorboard tensorboardX wandb mlflow-skinny inspect_ai numpy pandas openpyxl
    python benches/readers.py REPORTGEN DIRECTORY [MEGABYTES] [FORMAT ...]

Files are made once, in DIRECTORY, by the producer or of lines as it writes them. Processor seconds are those of the
process and its threads: of the program the least of three rounds, of Python those of one, without its start and its
imports.
"""

import csv
import importlib
import json
import math
import os
import random
import struct
import subprocess
import sys
import time
from pathlib import Path

PROGRAM, PLACE = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
MEGABYTES = int(sys.argv[3]) if len(sys.argv) > 3 else 200
ROUNDS = 3
os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
RUN = "0123456789abcdef0123456789abcdef"
METRICS = [f"train/loss_{n}" for n in range(8)] + ["actor/kl", "critic/rewards/mean", "lr", "grad_norm"]


def made(path, write):
    """The file, and when it is not there yet, after it is written."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path)
    return path


def full(path):
    return path.exists() and path.stat().st_size >= MEGABYTES << 20


def rows(start=0):
    source, step = random.Random(0), start
    while True:
        step += 1
        yield step, {name: source.random() * 3 for name in METRICS}


def tensorboard():
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    def write(path):
        with open(path, "wb") as out:
            writer = RecordWriter(out)
            writer.write(Event(wall_time=1.7e9, file_version="brain.Event:2").SerializeToString())
            for step, row in rows():
                for name, value in row.items():
                    value = Summary.Value(tag=name, simple_value=value)
                    event = Event(wall_time=1.7e9 + step, step=step, summary=Summary(value=[value]))
                    writer.write(event.SerializeToString())
                if step % 1000 == 0 and full(path):
                    return

    return made(PLACE / "tensorboard" / "events.out.tfevents.1700000000.host.1.0", write)


def read_tensorboard(path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(path), size_guidance={"scalars": 0})
    accumulator.Reload()
    return sum(len(accumulator.Scalars(tag)) for tag in accumulator.Tags()["scalars"])


def wandb():
    from wandb.proto import wandb_internal_pb2 as pb
    from wandb.sdk.internal.datastore import DataStore

    def write(path):
        store = DataStore()
        store.open_for_write(str(path))
        run = pb.Record(num=1, run=pb.RunRecord(run_id="training", project="speed"))
        store.write(run)
        for step, row in rows():
            record = pb.Record(num=step + 1)
            for name, value in {"_step": step, "_timestamp": 1.7e9 + step, **row}.items():
                record.history.item.add(nested_key=[name], value_json=json.dumps(value))
            record.history.step.num = step
            store.write(record)
            if step % 1000 == 0 and full(path):
                break
        store.close()

    return made(PLACE / "wandb" / "run-training.wandb", write)


def read_wandb(path):
    from wandb.proto import wandb_internal_pb2 as pb
    from wandb.sdk.internal.datastore import DataStore

    store, count = DataStore(), 0
    store.open_for_scan(str(path))
    while (data := store.scan_data()) is not None:
        record = pb.Record()
        record.ParseFromString(data)
        count += sum(math.isfinite(json.loads(item.value_json)) for item in record.history.item)
    return count


def mlflow():
    def write(path):
        (path.parent / "metrics" / "train").mkdir(parents=True)
        path.write_text(
            f"artifact_uri: file:///mlruns/0/{RUN}/artifacts\nend_time: 2\nentry_point_name: ''\nexperiment_id: '0'\n"
            f"lifecycle_stage: active\nrun_id: {RUN}\nrun_name: speed\nrun_uuid: {RUN}\nsource_name: ''\nsource_type: 4\n"
            "source_version: ''\nstart_time: 1\nstatus: 3\ntags: []\nuser_id: user\n"
        )
        files = {name: open(path.parent / "metrics" / "train" / name.replace("/", "_"), "w") for name in METRICS}
        written = 0
        for step, row in rows():
            for name, value in row.items():
                written += files[name].write(f"{1_700_000_000_000 + step} {value} {step}\n")
            if written >= MEGABYTES << 20:
                break
        for file in files.values():
            file.close()
        for name in ["params", "tags", "artifacts"]:
            (path.parent / name).mkdir()
        (path.parent.parent / "meta.yaml").write_text(
            "artifact_location: file:///mlruns/0\ncreation_time: 1\nexperiment_id: '0'\nlast_update_time: 1\n"
            "lifecycle_stage: active\nname: Default\n"
        )

    return made(PLACE / "mlflow" / "mlruns" / "0" / RUN / "meta.yaml", write).parent


def read_mlflow(path):
    from mlflow.store.tracking.file_store import FileStore

    store = FileStore(str(path.parent.parent))
    names = [f"train/{name.replace('/', '_')}" for name in METRICS]
    return sum(len(store.get_metric_history(RUN, name)) for name in names)


def verl():
    def write(path):
        with open(path, "w") as out:
            for step, row in rows():
                fields = [f"actor/part_{n}/{name}:{value}" for n in range(3) for name, value in row.items()]
                out.write(f"step:{step} - " + " - ".join(fields) + "\n")
                if step % 100 == 0 and out.tell() >= MEGABYTES << 20:
                    return

    return made(PLACE / "verl" / "train.log", write)


def read_verl(path):
    """verl has no reader of its own; this is the least that would do."""
    count = 0
    with open(path) as lines:
        for line in lines:
            if line.startswith("step:"):
                for field in line.rstrip("\n").split(" - ")[1:]:
                    name, value = field.rsplit(":", 1)
                    count += math.isfinite(float(value)) and bool(name)
    return count


def rllib():
    def write(path):
        with open(path, "w") as out:
            for step, row in rows():
                record = {
                    "training_iteration": step,
                    "timesteps_total": step * 4000,
                    "episode_reward_mean": row["critic/rewards/mean"],
                    "info": {"learner": {"default_policy": {"learner_stats": row}}},
                    "config": {"env": "CartPole-v1", "lr": 5e-5, "num_workers": 2, "gamma": 0.99, "seed": 0},
                    "time_total_s": step * 1.5,
                    "done": False,
                }
                out.write(json.dumps(record) + "\n")
                if step % 1000 == 0 and out.tell() >= MEGABYTES << 20:
                    return

    return made(PLACE / "rllib" / "result.json", write)


def read_rllib(path):
    """As `ray.tune.ResultGrid` makes its frames: JSON line by line, flattened."""
    import pandas

    with open(path) as lines:
        return len(pandas.json_normalize([json.loads(line) for line in lines], sep="/"))


def npz():
    import numpy

    def write(path):
        # As the EvalCallback of Stable-Baselines3 keeps its evaluations.
        count, episodes = (MEGABYTES << 20) // (8 * 21), 10
        source = numpy.random.default_rng(0)
        numpy.savez(
            path,
            timesteps=numpy.arange(1, count + 1) * 1000,
            results=source.normal(size=(count, episodes)),
            ep_lengths=source.integers(1, 500, size=(count, episodes)),
        )

    return made(PLACE / "npz" / "evaluations.npz", write)


def read_npz(path):
    import numpy

    with numpy.load(path) as arrays:
        return len(arrays["timesteps"]), arrays["results"].mean(axis=1).sum(), arrays["ep_lengths"].sum()


def monitor():
    def write(path):
        source = random.Random(0)
        with open(path, "w", newline="") as out:
            out.write('#{"t_start": 1614621211.0683107, "env_id": "Acrobot-v1"}\n')
            writer = csv.writer(out)
            writer.writerow(["r", "l", "t"])
            at = 0.0
            while out.tell() < MEGABYTES << 20:
                for _ in range(10_000):
                    at += source.random()
                    writer.writerow([-float(source.randrange(60, 500)), source.randrange(60, 500), round(at, 6)])

    return made(PLACE / "monitor" / "0.monitor.csv", write)


def read_monitor(path):
    """As `stable_baselines3.common.monitor.load_results` does."""
    import pandas

    with open(path) as lines:
        json.loads(lines.readline()[1:])
        frame = pandas.read_csv(lines, index_col=None)
    return len(frame), frame.r.sum()


def xlsx():
    import openpyxl

    def write(path):
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("samples")
        sheet.append(["id", "question", "correct", "score"])
        source = random.Random(0)
        # Some 20 bytes of a cell are left when it is compressed.
        for number in range(min(1_000_000, MEGABYTES * 5000)):
            words = " ".join(str(source.getrandbits(40)) for _ in range(12))
            sheet.append([number, words, source.randrange(2), source.random()])
        book.save(path)

    return made(PLACE / "xlsx" / "samples.xlsx", write)


def read_xlsx(path):
    import openpyxl

    sheet = openpyxl.load_workbook(path, read_only=True).worksheets[0]
    return sum(row[2] for row in sheet.iter_rows(min_row=2, values_only=True))


def inspect():
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
    from inspect_ai.scorer import Score

    def write(path):
        source = random.Random(0)
        samples = [
            EvalSample(
                id=number, epoch=1, input=" ".join(str(source.getrandbits(40)) for _ in range(1500)), target="1",
                scores={"match": Score(value="C" if source.random() < 0.5 else "I")},
            )
            for number in range(MEGABYTES * 100)
        ]
        spec = EvalSpec(
            created="2026-01-01T00:00:00+00:00", task="speed", model="mock/model",
            dataset=EvalDataset(samples=len(samples)), config=EvalConfig(epochs=1),
        )
        write_eval_log(EvalLog(status="success", eval=spec, samples=samples), str(path))

    return made(PLACE / "inspect" / "speed.eval", write)


def read_inspect(path):
    from inspect_ai.log import read_eval_log

    return sum(sample.scores["match"].value == "C" for sample in read_eval_log(str(path)).samples)


def read_inspect_summaries(path):
    """Scores without texts, of which the log keeps a copy beside its samples."""
    from inspect_ai.log import read_eval_log_sample_summaries

    return len(read_eval_log_sample_summaries(str(path)))


# How the file is made, how Python reads it, and what that imports.
FORMATS = {
    "tensorboard": (
        tensorboard, read_tensorboard, "tensorboard.backend.event_processing.event_accumulator"
    ),
    "wandb": (wandb, read_wandb, "wandb.sdk.internal.datastore"),
    "mlflow": (mlflow, read_mlflow, "mlflow.store.tracking.file_store"),
    "inspect": (inspect, read_inspect, "inspect_ai.log"),
    "inspect-summaries": (inspect, read_inspect_summaries, "inspect_ai.log"),
    "verl": (verl, read_verl, "json"),
    "rllib": (rllib, read_rllib, "pandas"),
    "npz": (npz, read_npz, "numpy"),
    "xlsx": (xlsx, read_xlsx, "openpyxl"),
    "monitor": (monitor, read_monitor, "pandas"),
}


def own_seconds(read, path, module):
    """Processor and wall seconds of a child that imports first and reads then; its peak memory in MB."""
    into, out_of = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(module)
            before, start = time.process_time(), time.perf_counter()
            print("   ", read(path), file=sys.stderr)
            took = struct.pack("dd", time.process_time() - before, time.perf_counter() - start)
            os.write(out_of, took)
        finally:
            os._exit(0)
    os.close(out_of)
    took = struct.unpack("dd", os.read(into, 16))
    _, _, used = os.wait4(child, 0)
    return took[0], took[1], used.ru_maxrss // 1024


def program_seconds(path):
    start = time.perf_counter()
    child = subprocess.Popen([PROGRAM, "inspect", path], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, status
    return used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss // 1024


def size(path):
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def main():
    chosen = sys.argv[4:] or list(FORMATS)
    print("| format | MB | reportgen: processor s, s, peak MB | Python: processor s, s, peak MB | times | MB/s |")
    for name in chosen:
        make, read, module = FORMATS[name]
        path = make()
        ours = min(program_seconds(path) for _ in range(ROUNDS))
        theirs = own_seconds(read, path, module)
        shown = [f"{one[0]:.2f}, {one[1]:.2f}, {one[2]}" for one in (ours, theirs)]
        speed = size(path) / ours[1]
        print(f"| {name} | {size(path):.0f} | {shown[0]} | {shown[1]} | {theirs[0] / ours[0]:.1f} | {speed:.0f} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
