"""The six reference cases: what the published code returns for them, to 1e-5, under its own names."""

import json
from pathlib import Path

import numpy as np
import pytest

from bncl_core.metrics import measure, measure_arrays

DATA = Path(__file__).parents[2] / "reference" / "data"
ARRAYS = np.load(DATA / "arrays.npz")
EXPECTED = json.loads((DATA / "expected.json").read_text())["metrics"]
VALUES = [(case, name) for case, values in EXPECTED.items() for name in values]


@pytest.mark.parametrize(("case", "name"), VALUES)
def test_equals_the_published_code(case: str, name: str) -> None:
    found = measure(ARRAYS[f"{case}/codes"], ARRAYS[f"{case}/labels"], [name])[name]
    np.testing.assert_allclose(np.array(found), np.array(EXPECTED[case][name]), rtol=0, atol=1e-5)


@pytest.mark.parametrize(("case", "name"), [v for v in VALUES if v[1].startswith("orthogonality")])
def test_tiny_published_values_agree_relatively(case: str, name: str) -> None:
    """The published orthogonality is divided by d² twice, so 1e-5 alone would accept anything."""
    found = measure(ARRAYS[f"{case}/codes"], ARRAYS[f"{case}/labels"], [name])[name]
    assert found == pytest.approx(EXPECTED[case][name], rel=1e-5)


@pytest.mark.parametrize("case", EXPECTED)
def test_the_report_holds_every_published_name_and_is_json(case: str) -> None:
    report = measure_arrays(ARRAYS[f"{case}/codes"], ARRAYS[f"{case}/labels"])
    assert set(EXPECTED[case]) <= set(report["published"])
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    n, k = ARRAYS[f"{case}/codes"].shape
    assert (report["n"], report["k"]) == (n, k)
    assert report["classes"] == len(np.unique(ARRAYS[f"{case}/labels"]))


def test_the_published_retrieval_counts_the_query_itself_where_images_tie() -> None:
    """114 of these codes are zero rows: under the published rule they find themselves, which chance never would."""
    codes, labels = ARRAYS["sparse_c100/codes"], ARRAYS["sparse_c100/labels"]
    found = measure(codes, labels, ["retrieval_k_p1_p3_p5_p10", "retrieval", "retrieval_chance"])
    assert found["retrieval_k_p1_p3_p5_p10"][0][1] > 3 * found["retrieval"][0][1]
    assert found["retrieval"][0][1] == pytest.approx(found["retrieval_chance"], abs=0.01)
