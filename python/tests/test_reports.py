"""What a report gives to people, notebooks and programs."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import reportgen


@pytest.fixture
def phases(fixtures):
    """Two shipped runs, the second worse in three metrics."""
    return fixtures / "phases" / "phase1", fixtures / "phases" / "phase0"


def test_a_report_says_what_the_program_says(phases):
    report = reportgen.compare(*phases)

    def said(form):
        command = [reportgen.find_program(), "compare", *phases, "--format", form]
        ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        return ended.stdout.replace(f" --format {form}", "")

    assert report.to_markdown() == said("md")
    assert report.to_html() == said("html")
    assert report.json == json.loads(said("json"))
    assert report.rows == [json.loads(line) for line in said("jsonl").splitlines()]
    assert report.kind == "compare"


def test_the_answer_is_a_sentence_and_a_word(phases):
    report = reportgen.compare(*phases)
    assert report.headline.startswith("❌ 3 worse, 1 identical, 4 not assessable")
    assert "\n" not in report.headline
    assert (report.result, report.grade, report.status) == ("worse", "confounded", 0)
    assert "verdict" in str(report)
    assert "wrote" not in str(report)
    assert repr(report) == f"<reportgen.Comparison: {report.headline}>"


def test_a_report_in_chinese(phases):
    report = reportgen.compare(*phases, lang="zh")
    assert "变差" in report.headline
    assert report.result == "worse"
    assert "report.md" not in str(report)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_verdicts_are_a_frame_of_the_library_in_use(library, phases, monkeypatch):
    frames = pytest.importorskip(library)
    other = {"pandas": "polars", "polars": "pandas"}[library]
    monkeypatch.delitem(sys.modules, other, raising=False)
    report = reportgen.compare(*phases)
    assert isinstance(report.verdicts, frames.DataFrame)
    assert list(report.verdicts["verdict"])[:2] == ["worse", "worse"]
    assert list(report.verdicts.columns)[:4] == ["metric", "dataset", "baseline", "candidate"]
    assert list(getattr(report, f"to_{library}")().columns) == list(report.rows[0])


def test_verdicts_are_dicts_where_no_library_of_frames_is(phases, monkeypatch):
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    (first, *_) = reportgen.compare(*phases).verdicts
    # 40 of 200 flipped, 3 the other way: 8.0% - 25.0%
    assert (first["metric"], first["verdict"], first["delta"]) == ("accepted_at_1", "worse", -17)
    with pytest.raises(ImportError):
        reportgen.compare(*phases).to_pandas()


def test_coordinates_of_a_grid_are_columns(fixtures):
    grid = fixtures / "kl_beta"
    report = reportgen.compare(grid / "kl-0.15", grid / "kl-0.12", vary="kl_beta")
    assert {"dim.epoch", "dim.shot"} <= set(report.rows[0])
    second = [row for row in report.rows if row["dim.epoch"] == 2]
    assert {row["dim.shot"] for row in second} == {1, 2, 3, 4}


def test_findings_have_code_place_and_help(phases):
    first, second = (one for one in reportgen.compare(*phases).findings if one.code == "R201")
    assert (first.code, first.severity, first.subject["key"]) == ("R201", "warning", "phase")
    assert str(second).endswith(
        "config.yaml:3: warning[R201]: different model or base checkpoint: model_path is "
        "checkpoints/sft_7b_coder/global_step_3000/huggingface vs. models/base_7b_coder"
    )
    assert first.help
    assert first.accepted is None


def test_saving_writes_what_was_asked_for_and_keeps_words(base, tuned):
    report = reportgen.compare(base, tuned)
    place = report.save("out", formats=["md", "csv"])
    assert place == Path.cwd() / "out"
    names = {path.name for path in place.iterdir()}
    assert names == {"report.md", "report.csv", "report.manifest.json"}
    drawn = (place / "report.md").read_text(encoding="utf-8")
    assert drawn.splitlines()[:3] == report.to_markdown().splitlines()[:3]
    end = "<!-- reportgen:end -->"
    (place / "report.md").write_text(drawn.replace(end, f"Take it.\n{end}", 1), encoding="utf-8")
    report.save("out")
    assert "Take it." in (place / "report.md").read_text(encoding="utf-8")
    assert json.loads((place / "report.json").read_text(encoding="utf-8")) == report.json


def test_saving_replaces_nothing_of_somebody_else(base, tuned):
    report = reportgen.compare(base, tuned)
    Path("out").mkdir()
    Path("out/report.md").write_text("my notes", encoding="utf-8")
    with pytest.raises(reportgen.UsageError, match=r"report\.md"):
        report.save("out")
    assert Path("out/report.md").read_text(encoding="utf-8") == "my notes"
    report.save("out", force=True)
    assert "my notes" not in Path("out/report.md").read_text(encoding="utf-8")


def test_saving_says_when_the_runs_changed(base, tuned, monkeypatch):
    def store(name, rows):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    store("a.jsonl", base)
    store("b.jsonl", tuned)
    report = reportgen.compare("a.jsonl", "b.jsonl")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    report.save("out")  # relative paths still mean the same
    store("../b.jsonl", base)
    with pytest.warns(reportgen.RunsChanged, match="the runs changed"):
        report.save("out")


def test_a_notebook_shows_the_answer_and_folds_the_report(base, tuned):
    hostile = [{**row, "correct": row["correct"], "<img src=x>": 1} for row in base]
    report = reportgen.compare(hostile, tuned)
    shown = report._repr_html_()
    answer, _, folded = shown.partition("<details>")
    assert "<strong>Better</strong>" in answer
    assert "<td>correct</td>" in answer
    assert answer.count("<table>") == answer.count("</table>") == 1
    for absent in ("<style", "<script", "<h1", "<header", "<img"):
        assert absent not in answer
    assert folded.startswith(
        "<summary>Comparison report: b vs a (baseline)</summary><iframe srcdoc="
    )
    assert folded.count('"') == 6  # nothing of the page ends an attribute
    assert report._repr_markdown_() == report.to_markdown()


def test_a_page_without_header_is_shown_whole(base, tuned):
    report = reportgen.compare(base, tuned)
    report._files["html"] = "<p>a template of your own</p>"
    assert report._repr_html_().startswith('<iframe srcdoc="&lt;p&gt;a template')


def test_the_document_runs(fixtures, capsys):
    shutil.copytree(fixtures / "best" / "run", "runs/sft")
    Path("eval").mkdir()
    shutil.copy(fixtures / "outcomes" / "valid.jsonl", "eval/answers.jsonl")
    pytest.importorskip("pandas")
    document = (fixtures.parent / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(python|text)\n(.*?)```", document, re.DOTALL)
    names = {}
    for kind, text in blocks:
        if kind == "python":
            exec(compile(text, "docs/python.md", "exec"), names)
        else:
            print(names["report"])
            assert capsys.readouterr().out.startswith(text)
    assert len(blocks) > 5
    assert Path("outputs/eval_step_500/qa_logs/codecontests_valid_qa.jsonl").is_file()
