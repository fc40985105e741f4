"""Commands as functions: options, gates and errors."""

import importlib.metadata
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import reportgen
from reportgen import Run
from reportgen._program import ERRORS, arguments_of

# What stands for a program here is a script for a shell.
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


def test_keywords_are_options_of_the_command_line():
    given = {
        "vary": ["lr", "seed"],
        "margin": {"accuracy": "1pp", "loss": 0.01},
        "fail_on": ("regression", "mismatch"),
        "where": {"bf16": True},
        "max_tokens": 2048,
        "strict": True,
        "anytime": False,
        "metric": None,
        "cluster": "-odd",
        "accept": [],
        "by": [],
    }
    assert arguments_of(given) == [
        "--vary=lr",
        "--vary=seed",
        "--margin=accuracy=1pp",
        "--margin=loss=0.01",
        "--fail-on=regression,mismatch",
        "--where=bf16=true",
        "--max-tokens=2048",
        "--strict",
        "--cluster=-odd",
    ]
    paths = arguments_of({"config": Path("x.toml"), "data_root": ["a", "b"]})
    here = Path.cwd()
    assert paths == [
        f"--config={here / 'x.toml'}",
        f"--data-root={here / 'a'}",
        f"--data-root={here / 'b'}",
    ]


@pytest.mark.parametrize("option", ["format", "output", "help"])
def test_options_that_the_module_sets_are_refused(option, base):
    with pytest.raises(TypeError, match=f"{option}= is not for this function"):
        reportgen.compare(base, base, **{option: "x"})


REFUSED = [
    ({"bogus": True}, reportgen.UsageError, 2, "unexpected argument '--bogus'"),
    ({"fail_on": "x"}, reportgen.UsageError, 2, "invalid value 'x' for '--fail-on"),
    ({"cluster": "nowhere"}, reportgen.UsageError, 2, "nowhere"),
    ({"config": "none.toml"}, reportgen.InputError, 4, "none.toml"),
]


@pytest.mark.parametrize(("options", "kind", "status", "message"), REFUSED)
def test_an_error_of_the_program_is_an_exception_with_the_message_of_the_program(
    options, kind, status, message, base, tuned
):
    with pytest.raises(kind) as caught:
        reportgen.compare(base, tuned, **options)
    assert caught.value.status == status
    assert message in str(caught.value)
    assert not str(caught.value).startswith("error:")
    assert "--help" not in str(caught.value)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_errors_are_told_without_their_label_in_every_language(lang, fixtures, base):
    catalogue = fixtures.parent / "report_templates" / "text" / f"{lang}.toml"
    label = re.search(r'^error = "(.*)\{message\}"', catalogue.read_text(encoding="utf-8"), re.M)
    with pytest.raises(reportgen.UsageError) as caught:
        reportgen.compare(base, base, cluster="nowhere", lang=lang)
    assert label[1] in ERRORS
    assert not str(caught.value).startswith(label[1].strip())
    assert "nowhere" in str(caught.value)


def test_a_run_that_holds_nothing_leaves_the_report_of_the_others(base, tuned):
    with pytest.raises(reportgen.InputError, match=r"R109.*contains nothing") as caught:
        reportgen.compare(base, tuned, [])
    assert [row["verdict"] for row in caught.value.report.rows] == ["better"]


def test_a_run_that_is_not_there_is_an_input_error():
    with pytest.raises(reportgen.InputError, match="no such file or directory `nope`") as caught:
        reportgen.compare("nope", "nope2")
    assert caught.value.status == 4
    assert caught.value.report is None


def test_a_gate_that_passes_gives_the_report(base, tuned):
    report = reportgen.gate(base, tuned)
    assert [gate.outcome for gate in report.gates] == ["pass"]


def test_a_gate_that_fails_is_raised_with_the_report(base, tuned):
    with pytest.raises(reportgen.GateFailed, match="gate regression: fail") as caught:
        reportgen.gate(tuned, base)
    assert caught.value.status == 1
    assert caught.value.report.result == "failed"
    assert caught.value.report.to_markdown()


def test_runs_that_are_not_comparable_cannot_be_gated(base, tuned):
    with pytest.raises(reportgen.NotGateable) as caught:
        reportgen.gate(base, tuned[:30])
    assert caught.value.status == 3
    assert caught.value.report.grade == "not-comparable"
    assert not isinstance(caught.value, reportgen.GateFailed)


def test_an_undecided_gate_passes_unless_strict(base):
    other = [{**row, "correct": row["correct"] != (at < 3)} for at, row in enumerate(base)]
    assert reportgen.gate(base, other).gates[0].outcome == "inconclusive"
    with pytest.raises(reportgen.GateFailed, match="gate regression: inconclusive"):
        reportgen.gate(base, other, strict=True)


def test_comparing_tells_of_a_failed_gate_and_raises_nothing(base, tuned):
    report = reportgen.compare(tuned, base, fail_on="regression")
    assert (report.status, report.gates[0].outcome) == (1, "fail")


def test_settings_alone_can_be_checked():
    same = reportgen.check(Run(config={"lr": 1e-5}), Run(config={"lr": 3e-5}), vary="lr")
    assert same.comparable
    other = reportgen.check(
        Run(config={"judge": "a", "lr": 1e-5}), Run(config={"judge": "b", "lr": 3e-5}), vary="lr"
    )
    assert (other.comparable, other.grade, other.status) == (False, "confounded", 3)
    assert other.findings[0].subject["key"] == "judge"
    with pytest.raises(reportgen.UsageError):
        reportgen.check(Run(config={}), Run(config={}), margin={"accuracy": 1})


def test_metrics_of_shipped_answers(fixtures):
    report = reportgen.metrics(
        fixtures / "outcomes" / "valid.jsonl", wall_clock={"codecontests_valid": 58.5}
    )
    valid = report.summary["datasets"]["codecontests_valid"]
    # grep -c '"accepted": *true' says 29 of 117 lines
    assert (valid["n"], valid["accepted_at_1"]) == (117, 29 / 117)
    assert valid["throughput"] == 2.0
    assert "exec_success_rate" in [row["metric"] for row in report.rows]
    place = report.save("out")
    assert {"metrics.json", "summary.json", "qa_logs"} <= {path.name for path in place.iterdir()}


def test_metrics_of_tables_by_dataset():
    rows = [{"id": 1, "accepted": True}, {"id": 2, "accepted": False}]
    Path("more.jsonl").write_text('{"id":1,"accepted":true}\n', encoding="utf-8")
    summary = reportgen.metrics({"HumanEval": rows, "MBPP": "more.jsonl"}).summary
    rates = {name: one["accepted_at_1"] for name, one in summary["datasets"].items()}
    assert rates == {"HumanEval": 0.5, "MBPP": 1.0}


def test_metrics_of_nothing_is_an_input_error():
    with pytest.raises(reportgen.InputError):
        reportgen.metrics([{"id": 1, "colour": "red"}])


def test_the_best_checkpoint(fixtures):
    place = fixtures / "best"
    report = reportgen.best(place / "run", config=place / "reportgen.toml")
    assert report.step == 1500
    assert report.not_separable == [500, 1000, 2000, 2500]
    assert len(report.checkpoints) == len(list((place / "run").glob("eval_step_*")))
    assert (report.save("out") / "best_checkpoint.json").is_file()


def test_the_best_checkpoint_of_a_table():
    rows = [
        {"id": at, "step": step, "correct": at < right}
        for step, right in ((100, 10), (200, 90), (300, 40))
        for at in range(100)
    ]
    report = reportgen.best(rows, metric="correct")
    assert (report.step, report.not_separable) == (200, [])


@posix
def test_the_program_is_found_by_variable_then_beside_the_package_then_on_the_path(
    monkeypatch, tmp_path
):
    def program(name):
        path = tmp_path / name / "reportgen"
        path.parent.mkdir()
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    named, beside, found = (program(name) for name in ("named", "beside", "found"))
    monkeypatch.setenv("REPORTGEN_BIN", str(named))
    monkeypatch.setenv("PATH", f"{found.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("reportgen._program._script_directories", lambda: [beside.parent])
    assert reportgen.find_program() == str(named)
    monkeypatch.delenv("REPORTGEN_BIN")
    assert reportgen.find_program() == str(beside)
    beside.unlink()
    assert reportgen.find_program() == str(found)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(reportgen.ProgramNotFound, match="install the wheel"):
        reportgen.find_program()
    monkeypatch.setenv("REPORTGEN_BIN", str(tmp_path / "gone"))
    with pytest.raises(reportgen.ProgramNotFound, match="REPORTGEN_BIN names no file"):
        reportgen.compare([], [])


@posix
def test_a_program_that_dies_is_an_exception(monkeypatch, tmp_path, base):
    path = tmp_path / "dies"
    path.write_text("#!/bin/sh\nkill -9 $$\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("REPORTGEN_BIN", str(path))
    with pytest.raises(reportgen.ReportgenError, match="status -9") as caught:
        reportgen.compare(base, base)
    assert caught.value.status == -9


def test_importing_takes_the_standard_library_alone():
    code = (
        "import sys; before = set(sys.modules); import reportgen; "
        "print({name.split('.')[0] for name in set(sys.modules) - before} "
        "- set(sys.stdlib_module_names))"
    )
    paths = {**os.environ, "PYTHONPATH": str(Path(reportgen.__file__).parents[1])}
    said = subprocess.run(
        [sys.executable, "-c", code], env=paths, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "{'reportgen'}"


def test_the_module_runs_as_the_command():
    paths = {**os.environ, "PYTHONPATH": str(Path(reportgen.__file__).parents[1])}
    command = [sys.executable, "-m", "reportgen"]
    said = subprocess.run([*command, "--version"], env=paths, capture_output=True, text=True)
    assert (said.returncode, said.stdout.split()[0]) == (0, "reportgen")
    wrong = subprocess.run([*command, "compare", "nope", "b"], env=paths, capture_output=True)
    assert wrong.returncode == 4


def test_the_version_is_that_of_the_program():
    try:
        version = reportgen.__version__
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed here")
    said = subprocess.run(
        [reportgen.find_program(), "--version"], capture_output=True, text=True, check=True
    )
    assert said.stdout.split()[1] == version
