"""What runs may be, and what the program gets to read of them."""

import datetime
import decimal
import enum
import json
import math
from pathlib import Path

import pytest

import reportgen
from reportgen import Run
from reportgen._rows import write


def written(data, tmp_path):
    """The lines that are written for a table, read back."""
    write(data, tmp_path / "rows.jsonl")
    text = (tmp_path / "rows.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def flips(report):
    """Of the only comparison: verdict, pairs, gained and lost."""
    (row,) = report.rows
    return row["verdict"], row["paired"], row["gained"], row["lost"]


def as_pandas(rows):
    return pytest.importorskip("pandas").DataFrame(rows)


def as_indexed_pandas(rows):
    return as_pandas(rows).set_index("id")


def as_polars(rows):
    return pytest.importorskip("polars").DataFrame(rows)


def as_lazy_polars(rows):
    return as_polars(rows).lazy()


def as_arrow(rows):
    return pytest.importorskip("pyarrow").Table.from_pylist(rows)


def as_batch(rows):
    return pytest.importorskip("pyarrow").RecordBatch.from_pylist(rows)


def as_stream(rows):
    pytest.importorskip("pyarrow")

    class Result:
        """What a query engine hands out."""

        def __arrow_c_stream__(self, requested_schema=None):
            return as_arrow(rows).__arrow_c_stream__(requested_schema)

    return Result()


def as_generator(rows):
    return (row for row in rows)


def as_path(rows):
    path = Path(f"rows-{sum(row['correct'] for row in rows)}.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


TABLES = [
    list,
    as_generator,
    as_pandas,
    as_indexed_pandas,
    as_polars,
    as_lazy_polars,
    as_arrow,
    as_batch,
    as_stream,
    as_path,
]


@pytest.mark.parametrize("table", TABLES)
def test_every_kind_of_table_is_the_same_run(table, base, tuned):
    report = reportgen.compare(table(base), table(tuned))
    assert flips(report) == ("better", 60, 20, 0)


def test_kinds_of_tables_can_be_mixed(base, tuned):
    report = reportgen.compare(str(as_path(base)), tuned)
    assert flips(report) == ("better", 60, 20, 0)


def test_missing_values_of_pandas_are_null_and_nan_elsewhere_stays_nan(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "id": [1, 2, 3],
            "score": [0.5, math.nan, 1.0],
            "count": pandas.array([1, None, 3], dtype="Int64"),
            "when": pandas.to_datetime(["2026-01-02", None, "2026-01-03"]),
            "word": ["a", None, pandas.NA],
        }
    )
    assert written(frame, tmp_path) == [
        {"id": 1, "score": 0.5, "count": 1, "when": "2026-01-02T00:00:00", "word": "a"},
        {"id": 2, "score": None, "count": None, "when": None, "word": None},
        {"id": 3, "score": 1.0, "count": 3, "when": "2026-01-03T00:00:00", "word": None},
    ]
    (row,) = written([{"score": math.nan, "loss": math.inf}], tmp_path)
    assert math.isnan(row["score"])
    assert row["loss"] == math.inf


def test_an_index_without_names_is_no_column(tmp_path):
    frame = as_pandas([{"problem_id": "a", "x": 1}, {"problem_id": "b", "x": 0}])
    assert written(frame[frame["x"] == 0], tmp_path) == [{"problem_id": "b", "x": 0}]


def test_numpy_values_are_the_numbers_that_they_are(tmp_path):
    numpy = pytest.importorskip("numpy")
    row = {
        "id": numpy.int64(2**60 + 1),
        "correct": numpy.bool_(True),
        "score": numpy.float32(0.1),
        "all": numpy.array([[1, 2], [3, 4]], dtype="int8"),
        "by": {numpy.int64(3): numpy.float64(0.25)},
    }
    assert written([row], tmp_path) == [
        {
            "id": 2**60 + 1,
            "correct": True,
            "score": 0.10000000149011612,  # the nearest float32 to 0.1, IEEE 754
            "all": [[1, 2], [3, 4]],
            "by": {"3": 0.25},
        }
    ]


class Colour(enum.Enum):
    RED = "red"


VALUES = [
    (decimal.Decimal("0.5"), 0.5),
    (datetime.date(2026, 1, 2), "2026-01-02"),
    (datetime.timedelta(minutes=2), 120.0),
    (Colour.RED, "red"),
    ({"b", "a"}, ["a", "b"]),
    (("a", 1), ["a", 1]),
    (Path("a/b"), str(Path("a/b"))),
    # sha256sum of coreutils says so of a file of these three bytes
    (b"abc", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ({"image": {"bytes": b"", "deep": [None]}}, None),
    ("half of a pair: \ud83d", "half of a pair: \ud83d"),
    ("两行\n\u2028\x00", "两行\n\u2028\x00"),
]


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_values_that_json_does_not_know_are_written(value, expected, tmp_path):
    (row,) = written([{"id": 1, "value": value}], tmp_path)
    if isinstance(value, dict):
        assert row["value"]["image"]["deep"] == [None]
        assert row["value"]["image"]["bytes"].startswith("sha256:e3b0c442")
    else:
        assert row["value"] == expected


@pytest.mark.parametrize("table", [as_polars, as_arrow, as_pandas])
def test_nested_columns_stay_nested(table, tmp_path):
    rows = [{"id": 1, "doc": {"page": 3, "words": ["a", "b"]}, "many": [0.5, 1.0]}]
    assert written(table(rows), tmp_path) == rows


def test_a_value_that_cannot_be_written_names_its_row():
    with pytest.raises(TypeError, match=r"row 1: a value of type builtins\.object"):
        reportgen.compare([{"id": 1}, {"id": 2, "x": object()}], [{"id": 1}])


def test_columns_that_share_a_name_are_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, 0, 1]], columns=["id", "x", "x"])
    with pytest.raises(ValueError, match="columns share a name: x"):
        reportgen.compare(frame, frame)


@pytest.mark.parametrize("run", [5, None, {"accuracy": 0.5}])
def test_what_is_no_run_is_refused(run, base):
    with pytest.raises(TypeError, match="a run is a path, a frame"):
        reportgen.compare(base, run)


@pytest.mark.parametrize("name", ["", "../up", "a/b", "-o", "x=1", "a::b"])
def test_a_name_that_is_no_name_of_a_run_is_refused(name, base):
    with pytest.raises(ValueError, match=r"an? (arm|run) cannot be called"):
        reportgen.compare({name: base, "b": base})


def test_settings_beside_a_table_are_compared(base, tuned):
    settings = {"lr": 1e-5, "data": {"path": "a.jsonl"}}
    runs = Run(base, "plain", settings), Run(tuned, "warm", {**settings, "lr": 3e-5})
    undeclared = reportgen.compare(*runs, vary="seed", accept=["R233"])
    assert [row["key"] for row in undeclared.json["comparability"]["residue"]] == ["lr"]
    declared = reportgen.compare(*runs, vary="lr")
    assert (declared.grade, declared.json["comparability"]["factors"]) == ("as-declared", ["lr"])
    assert "Better (warm vs baseline plain)" in declared.headline


def test_a_list_of_runs_is_an_arm_of_seeds(base, tuned):
    def seeds(rows, lost):
        return [
            [{**row, "correct": row["correct"] and at != seed} for at, row in enumerate(rows)]
            for seed in lost
        ]

    report = reportgen.compare({"old": seeds(base, [1, 2, 4]), "new": seeds(tuned, [0, 3, 6])})
    (row,) = report.rows
    assert (row["baseline_run"], row["candidate_run"]) == ("old", "new")
    assert row["pairing_unit"] == "seed"
    assert len(row["baseline_seeds"].split()) == 3
    assert row["baseline"] == pytest.approx(39 / 60)
    assert row["candidate"] == pytest.approx(59 / 60)


def test_runs_that_repeat_the_baseline_may_be_tables(base, tuned):
    again = [
        [{**row, "correct": at % 3 > 0 and at != seed} for at, row in enumerate(base)]
        for seed in (1, 2)
    ]
    report = reportgen.compare(base, tuned, noise=again)
    assert [run["role"] for run in report.json["runs"]].count("noise") == 2


def test_reports_do_not_tell_where_tables_lay(base, tuned):
    first, second = (reportgen.compare(base, tuned) for _ in range(2))
    assert first.to_markdown() == second.to_markdown()
    assert first.json == second.json
    assert first.json["runs"][0]["path"] == "a"
    assert "reportgen-" not in first.to_html()


def test_settings_of_the_directory_hold_for_tables_too(base, tuned):
    score = [
        [{"id": row["id"], "judged": row["correct"]} for row in rows] for rows in (base, tuned)
    ]
    assert reportgen.compare(*score).rows[0]["verdict"] == "not-assessable"
    Path("reportgen.toml").write_text('[[metric]]\nnames = ["judged"]\ndirection = "higher"\n')
    assert reportgen.compare(*score).rows[0]["verdict"] == "better"


def test_what_was_written_for_a_report_goes_with_it(base, tuned):
    report = reportgen.compare(base, tuned)
    place = Path(report._workplace.directory)
    assert (place / "b" / "samples.jsonl").is_file()
    del report
    assert not place.exists()
