"""What cannot be measured is refused with a sentence, and what has no meaning is None with a reason."""

from typing import Any

import numpy as np
import pytest

from bncl_core.metrics import class_counts, measure_arrays

CODES = np.abs(np.random.default_rng(0).normal(size=(20, 34)))
LABELS = np.arange(20) % 4


def broken(*values: float) -> np.ndarray:
    codes = CODES.copy()
    codes[3, : len(values)] = values
    return codes


@pytest.mark.parametrize(
    ("codes", "labels", "says"),
    [
        (CODES[0], LABELS, r"codes has shape \[34\]; give two axes"),
        (CODES[None], LABELS, r"shape \[1, 20, 34\]"),
        (np.zeros((0, 4)), None, "at least one image"),
        (np.zeros((4, 0)), None, "at least one image and one dimension"),
        (CODES, LABELS[:-1], "19 labels for 20 images"),
        (
            broken(np.nan, np.nan, np.inf),
            LABELS,
            "2 NaN and 1 infinite values, in 1 of 20 images .*image 3, dimension 0",
        ),
        (CODES.astype(object), LABELS, "dtype object"),
        (CODES.astype(complex), LABELS, "dtype complex128"),
        (CODES.astype(str), LABELS, "give real numbers"),
        (CODES, LABELS + 0.5, "20 values that are not whole numbers"),
        (CODES, np.where(LABELS == 3, np.nan, LABELS), "5 values that are not whole numbers"),
        (CODES, LABELS.astype(object), "labels has dtype object"),
        (CODES, LABELS.astype(str), "class ids, not names"),
        (CODES, LABELS[:, None], r"labels has shape \[20, 1\]"),
    ],
)
def test_refused_with_a_sentence(codes: Any, labels: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        measure_arrays(codes, labels)


def test_training_codes_are_checked_too() -> None:
    with pytest.raises(ValueError, match="training codes have 30 dimensions, the codes 34"):
        measure_arrays(CODES, LABELS, train_codes=CODES[:, :30], train_labels=LABELS)
    with pytest.raises(ValueError, match="train_labels without train_codes"):
        measure_arrays(CODES, LABELS, train_labels=LABELS)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.uint8, bool])
def test_every_real_dtype_is_measured(dtype: type) -> None:
    result = measure_arrays((CODES > 0.5).astype(dtype), LABELS, names=["consistency", "sparsity"])
    exact = measure_arrays((CODES > 0.5) * 1.0, LABELS, names=["consistency", "sparsity"])
    assert result == exact


def test_whole_floats_and_gapped_and_negative_ids_are_classes() -> None:
    ids = np.array([-7, -1, 0, 900])
    result = measure_arrays(CODES, ids[LABELS].astype(float), names=["consistency"])
    assert result["class_ids"] == [-7, -1, 0, 900]
    assert result["labelled"] == 20


def test_minus_one_is_unlabelled_only_when_said() -> None:
    labels = np.where(LABELS == 0, -1, LABELS)
    assert measure_arrays(CODES, labels, names=[])["classes"] == 4
    told = measure_arrays(CODES, labels, names=[], unlabelled=-1)
    assert (told["classes"], told["labelled"], told["class_ids"]) == (3, 15, [1, 2, 3])


def test_no_image_labelled_is_a_reason() -> None:
    result = measure_arrays(CODES, np.full(20, -1), unlabelled=-1, names=["consistency"])
    assert result["corrected"]["consistency"] is None
    assert "none of the 20 images is labelled" in result["undefined"]["consistency"]


def test_all_dead_is_undefined_not_the_best_score() -> None:
    """The published entropy of a dead code is 0, its best: the number is kept, with the reason it means nothing."""
    result = measure_arrays(np.zeros((20, 34)), LABELS)
    assert result["published"]["entropy_sum_activation"] == 0
    assert result["published"]["semantic_consistency"] is None
    assert result["corrected"]["consistency"] is result["corrected"]["entropy_sum"] is None
    assert result["chance"]["consistency_chance"] is None
    for name in ("entropy_sum_activation", "semantic_consistency", "consistency", "entropy_sum", "effective_rank"):
        assert "0 of 34 dimensions are live" in result["undefined"][name]
    assert (result["live"], result["zero_rows"]) == (0, 20)


def test_one_class_is_undefined_not_perfect() -> None:
    result = measure_arrays(CODES, np.zeros(20, int))
    assert result["published"]["semantic_consistency"] == 1
    assert result["corrected"]["consistency"] is None
    for name in ("semantic_consistency", "consistency", "entropy_sum", "consistency_chance"):
        assert "one class" in result["undefined"][name]


def test_values_below_eps_are_live_but_never_active() -> None:
    codes = np.zeros((20, 34))
    codes[:, 0], codes[:, 1] = 1, 1e-9
    result = measure_arrays(codes, LABELS, names=["act_dim", "sparsity"])
    assert result["published"] == {"act_dim": 2, "sparsity": pytest.approx(1 - 1 / 34)}


def test_class_counts_keeps_empty_classes_when_told_how_many() -> None:
    mask = CODES > 0.5
    counts = class_counts(mask, LABELS * 2, classes=8)
    assert counts.shape == (34, 8)
    assert (counts[:, 1::2] == 0).all()
    np.testing.assert_array_equal(counts.sum(axis=1), mask.sum(axis=0))
    with pytest.raises(ValueError, match="with 3 classes allowed: 0 … 2"):
        class_counts(mask, LABELS, classes=3)
