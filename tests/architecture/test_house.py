"""The rules of the house, checked by tools: arrows, file sizes, names."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(p for top in ("app", "bncl_core", "pages") for p in (ROOT / top).rglob("*.py"))


def test_arrows_between_the_parts() -> None:
    """The contracts of pyproject.toml, kept by import-linter."""
    lint = [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"]
    done = subprocess.run(lint, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_are_short_and_say_what_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    limit = 150 if path.is_relative_to(ROOT / "pages") else 300
    assert len(text.splitlines()) <= limit, f"{path.name} is longer than {limit} lines: it holds more than one idea"
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{path.name} does not open with what it is"
    assert path.stem not in {"utils", "util", "helpers", "common", "misc"}


PAGE_MAY_IMPORT = {"__future__", "app", "bncl_core", "csv", "io", "numpy", "pandas", "pathlib", "streamlit", "typing"}


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("*.py")), ids=lambda p: p.name)
def test_pages_hold_no_maths(path: Path) -> None:
    """A page arranges; what it shows is computed in bncl_core and drawn in app."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {name.split(".")[0] for name in names} <= PAGE_MAY_IMPORT


@pytest.mark.parametrize(
    "name",
    [
        "bncl_core.studies.study",
        "bncl_core.analysis.index",
        "bncl_core.analysis.gates",
        "bncl_core.metrics",
        "bncl_core.theory",
    ],
)
def test_what_the_viewer_reads_with_needs_no_torch(name: str) -> None:
    code = f"import sys, importlib; importlib.import_module({name!r}); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_no_global_random_state() -> None:
    """Randomness is an argument: only the loop's forked, seeded initialisation may touch torch's own stream."""
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert "np.random.seed" not in text, path
        if "torch.manual_seed" in text:
            assert path.name == "loop.py", path
