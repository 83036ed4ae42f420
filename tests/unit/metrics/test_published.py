"""Published metrics against what the published code returned for stored random inputs."""

import json
from pathlib import Path

import numpy as np
import pytest

from bncl_core.metrics import measure_arrays

DATA = Path(__file__).parents[2] / "reference" / "data"
EXPECTED = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))["metrics"]


@pytest.mark.parametrize(("case", "name"), [(case, name) for case, values in EXPECTED.items() for name in values])
def test_matches_the_published_code(case: str, name: str) -> None:
    with np.load(DATA / "arrays.npz") as arrays:
        codes, labels = arrays[f"{case}/codes"], arrays[f"{case}/labels"]
    measured = measure_arrays(codes, labels, names=[name])["published"][name]
    np.testing.assert_allclose(measured, EXPECTED[case][name], rtol=1e-5, atol=1e-5)


def test_orthogonality_is_compared_relatively() -> None:
    """Its values are about 1e-5, where an absolute tolerance would pass anything."""
    for case, values in EXPECTED.items():
        with np.load(DATA / "arrays.npz") as arrays:
            codes, labels = arrays[f"{case}/codes"], arrays[f"{case}/labels"]
        for name in ("orthogonality_mean", "orthogonality_median"):
            measured = measure_arrays(codes, labels, names=[name])["published"][name]
            np.testing.assert_allclose(measured, values[name], rtol=1e-4, err_msg=f"{case} {name}")


def test_all_six_cases_and_eleven_metrics_are_there() -> None:
    assert set(EXPECTED) == {"sparse_c10", "sparse_c100", "dead_and_rare", "imbalanced", "signed", "one_class"}
    assert len(set().union(*EXPECTED.values())) == 11
