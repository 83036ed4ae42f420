"""Every vectorised class metric against the float64 loop of its equation, on whatever arrays hypothesis finds."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bncl_core.metrics import measure, measure_arrays
from bncl_core.metrics.information import mutual_information


def _loops() -> ModuleType:
    path = Path(__file__).parents[2] / "reference" / "metrics_loops.py"
    spec = importlib.util.spec_from_file_location("metrics_loops", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["metrics_loops"] = module
    spec.loader.exec_module(module)
    return module


loops = _loops()
Case = tuple[np.ndarray, np.ndarray]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Sparse or dense, signed or not codes `[n k]` with at least two classes and one live dimension."""
    n, k = draw(st.integers(4, 24)), draw(st.integers(2, 7))
    classes = draw(st.integers(2, 5))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = generator.normal(size=(n, k)) * (generator.random((n, k)) < draw(st.sampled_from([0.1, 0.4, 1.0])))
    if draw(st.booleans()):
        codes = np.maximum(codes, 0)
    labels = generator.integers(0, classes, n)
    assume(codes.any())
    assume(len(np.unique(labels)) > 1)
    return codes, labels


CHECKS: dict[str, Callable[[list[list[float]], list[int]], float]] = {
    "act_dim": lambda codes, _: len(loops.live_columns(codes)),
    "sparsity": lambda codes, _: loops.sparsity_loop(codes),
    "activation_rate": lambda codes, _: 1 - loops.sparsity_loop(codes),
    "non_neg": lambda codes, _: loops.non_neg_loop(codes),
    "semantic_consistency": loops.consistency_loop,
    "consistency": loops.consistency_loop,
    "consistency_weighted": loops.weighted_consistency_loop,
    "entropy_sum_activation": lambda codes, labels: loops.semantic_entropy_loop(codes, labels, "sum"),
    "entropy_mean_activation": lambda codes, labels: loops.semantic_entropy_loop(codes, labels, "mean"),
    "entropy_frequency": lambda codes, labels: loops.semantic_entropy_loop(codes, labels, "frequency"),
}


@pytest.mark.parametrize("name", CHECKS)
@given(case=cases())
def test_equals_the_loop(name: str, case: Case) -> None:
    codes, labels = case
    found = measure(codes, labels, [name])[name]
    assert found == pytest.approx(CHECKS[name](codes.tolist(), labels.tolist()), abs=1e-9)


@given(case=cases())
def test_orthogonality_equals_the_loop(case: Case) -> None:
    codes = case[0]
    assume(int((codes != 0).any(axis=0).sum()) > 1)
    found = measure(codes, None, ["orthogonality", "orthogonality_mean", "orthogonality_median"])
    mean, median = loops.published_orthogonality_loop(codes.tolist())
    assert found["orthogonality"] == pytest.approx(loops.orthogonality_loop(codes.tolist()), abs=1e-9)
    assert found["orthogonality_mean"] == pytest.approx(mean, abs=1e-9)
    assert found["orthogonality_median"] == pytest.approx(median, abs=1e-9)


@given(case=cases())
def test_effective_rank_is_that_of_numpys_singular_values(case: Case) -> None:
    rows = np.array(loops.unit_rows(case[0].tolist()))
    p = np.linalg.svd(rows, compute_uv=False)
    p = p / p.sum()
    found = measure(case[0], None, ["effective_rank", "effective_rank_entropy"])
    assert found["effective_rank"] == pytest.approx(np.exp(-(p[p > 1e-9] * np.log(p[p > 1e-9])).sum()), abs=1e-4)
    assert found["effective_rank_entropy"] == pytest.approx(-(p * np.log(p + 1e-6)).sum(), abs=1e-4)


@given(case=cases())
def test_mutual_information_equals_the_loop(case: Case) -> None:
    codes, labels = case
    numbers = np.unique(labels, return_inverse=True)[1]
    rows = np.abs(np.array(loops.unit_rows(codes.tolist()))) > 1e-5
    counts = np.stack([rows[numbers == c].sum(axis=0) for c in range(numbers.max() + 1)], axis=1)
    found = mutual_information(counts, np.bincount(numbers))
    assert found == pytest.approx(loops.mutual_information_loop(codes.tolist(), labels.tolist()), abs=1e-9)


@pytest.mark.parametrize("density", [0.02, 0.3])
def test_retrieval_equals_the_loop(density: float) -> None:
    generator = np.random.default_rng(5)
    codes = np.abs(generator.normal(size=(60, 40))) * (generator.random((60, 40)) < density)
    labels = generator.integers(0, 4, 60)
    table = measure_arrays(codes, labels, names=["retrieval"])["corrected"]["retrieval"]
    assert [row[0] for row in table] == [32]
    for column, depth in enumerate((1, 3, 5, 10), start=1):
        expected = loops.retrieval_loop(codes.tolist(), labels.tolist(), 32, depth)
        assert table[0][column] == pytest.approx(expected, abs=1e-6)
