"""Answers collected one by one, and what is written of them."""

import json

import pytest

import reportgen
from reportgen import EvalResult, MetricsCollector


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def collector():
    """Five answers to five problems, in two datasets."""
    collector = MetricsCollector(step=500, checkpoint="global_step_500")
    collector.add_result(
        dataset="valid",
        result=EvalResult(
            problem_id="1575/G",
            accepted=False,
            pass_ratio=0.8,
            error_type="wrong_answer",
            judge_time=2.5,
            gen_tokens=350,
            gen_time=1.2,
            prompt="solve",
            response="print(1)",
        ),
    )
    collector.add_results(
        "valid",
        [
            EvalResult("a", accepted=True, pass_ratio=1.0, error_type="success", gen_tokens=50),
            EvalResult("b", accepted=False, pass_ratio=0.0, error_type="SyntaxError: bad"),
            {
                "problem_id": "c",
                "accepted": False,
                "pass_ratio": 0.0,
                "error_type": "timeout",
                "worker": 3,
            },
        ],
    )
    collector.add_result("HumanEval", EvalResult("h", accepted=True, error_type="success"))
    return collector


def test_the_summary_adds_up_what_was_added(collector):
    collector.set_wall_clock_time("valid", 8.0)
    summary = collector.get_summary()
    assert (summary["step"], set(summary["datasets"])) == (500, {"valid", "HumanEval"})
    valid = summary["datasets"]["valid"]
    assert (len(collector), valid["n"]) == (5, 4)
    assert valid["exec_success_rate"] == 2 / 4
    assert valid["accepted_at_1"] == 1 / 4
    assert valid["pass_ratio_mean"] == pytest.approx(1.8 / 4)
    assert valid["syntax_error_rate"] == valid["timeout_rate"] == 1 / 4
    assert valid["avg_gen_tokens"] == 200
    assert valid["throughput"] == 4 / 8
    assert summary["datasets"]["HumanEval"]["throughput"] is None


def test_what_is_added_later_counts(collector):
    before = collector.get_summary()["datasets"]["HumanEval"]
    collector.add_result("HumanEval", EvalResult("i", accepted=False, error_type="timeout"))
    after = collector.get_summary()["datasets"]["HumanEval"]
    assert (before["accepted_at_1"], after["accepted_at_1"]) == (1.0, 0.5)


def test_saving_writes_what_the_program_writes(collector, tmp_path):
    place = collector.save(tmp_path / "eval_step_500")
    metrics = read(place / "metrics.json")
    assert metrics["eval/valid/accepted_at_1"] == 0.25
    assert read(place / "summary.json") == collector.get_summary()
    drawn = [
        json.loads(line) for line in (place / "qa_logs" / "valid_qa.jsonl").read_text().splitlines()
    ]
    by_id = {record["problem_id"]: record for record in drawn}
    assert set(by_id) == {"1575/G", "a", "b", "c"}
    first = by_id["1575/G"]
    assert (first["prompt"], first["response"], first["judge_time"]) == ("solve", "print(1)", 2.5)
    assert first["extra"]["checkpoint"] == "global_step_500"
    assert by_id["c"]["extra"]["worker"] == 3
    assert read(place / "qa_logs" / "qa_summary.json")["datasets"]["valid"]["taken"] == 4
    best = reportgen.best(tmp_path, metric="accepted_at_1", dataset="valid")
    assert best.step == 500


def test_times_of_datasets_without_answers_wait(collector):
    collector.set_wall_clock_time("MBPP", 3.0)
    assert "MBPP" not in collector.get_summary()["datasets"]


def test_the_limit_of_tokens_tells_which_answers_were_cut():
    collector = MetricsCollector(max_tokens=100)
    collector.add_results("d", [EvalResult(at, True, gen_tokens=50 * at) for at in (1, 2)])
    assert collector.get_summary()["datasets"]["d"]["truncation_rate"] == 0.5


def test_an_empty_collector_has_no_summary():
    with pytest.raises(reportgen.InputError):
        MetricsCollector().get_summary()


@pytest.mark.parametrize(
    ("result", "kind"), [({"accepted": True}, ValueError), ("success", TypeError)]
)
def test_what_is_no_result_is_refused(result, kind):
    collector = MetricsCollector()
    with pytest.raises(kind):
        collector.add_result("d", result)
    assert len(collector) == 0
