"""The package as it lies here, with the program that ``REPORTGEN_BIN`` names or that is built."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import reportgen  # noqa: E402


def pytest_configure(config):
    built = ROOT / "target" / "debug" / "reportgen"
    if "REPORTGEN_BIN" not in os.environ and built.is_file():
        os.environ["REPORTGEN_BIN"] = str(built)
    reportgen.find_program()  # no program, no tests


@pytest.fixture(autouse=True)
def _in_english_and_elsewhere(monkeypatch, tmp_path):
    """Away from the tester's locale, and from settings files of the directory."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def fixtures():
    """The runs that the repository ships."""
    return ROOT / "fixtures"


@pytest.fixture
def base():
    """Sixty answers, two of three right."""
    return [{"id": f"q{at}", "correct": at % 3 > 0} for at in range(60)]


@pytest.fixture
def tuned(base):
    """The same questions, all right."""
    return [{**row, "correct": True} for row in base]
