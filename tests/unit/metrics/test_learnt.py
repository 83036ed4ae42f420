"""kNN and the linear probe: separable toys, meaningless labels, ties, refusals."""

import math

import numpy as np
import pytest

from bncl_core.metrics import measure, measure_arrays
from bncl_core.metrics.knn import knn_accuracy
from bncl_core.metrics.probe import linear_probe

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def blobs(classes: int = 8, k: int = 12, spread: float = 0.2, seed: int = 0) -> Split:
    """Train codes and labels, test codes and labels; one direction a class."""
    generator = np.random.default_rng(seed)
    means = generator.normal(size=(classes, k))
    labels = np.arange(classes * 40) % classes
    codes = means[labels] + spread * generator.normal(size=(len(labels), k))
    half = len(labels) // 2
    return codes[:half], labels[:half], codes[half:], labels[half:]


def test_separable_classes_are_read_perfectly() -> None:
    train, train_labels, test, test_labels = blobs()
    found = linear_probe(train, train_labels, test, test_labels)
    assert (found.top1, found.top5, found.deep, found.classes, found.unseen) == (1, 1, 5, 8, 0)
    assert (found.train, found.test) == (160, 160)
    assert knn_accuracy(test, test_labels, train, train_labels) == pytest.approx(1)
    assert knn_accuracy(test, test_labels, neighbours=5) == pytest.approx(1)


def test_meaningless_labels_are_read_at_chance() -> None:
    train, _, test, _ = blobs()
    generator = np.random.default_rng(1)
    labels, asked = generator.integers(0, 8, len(train)), generator.integers(0, 8, len(test))
    found, error = linear_probe(train, labels, test, asked), math.sqrt(1 / 8 * 7 / 8 / len(test))
    assert found.top1 == pytest.approx(1 / 8, abs=4 * error)
    assert found.top5 == pytest.approx(5 / 8, abs=4 * math.sqrt(5 / 8 * 3 / 8 / len(test)))
    assert knn_accuracy(test, asked, train, labels) == pytest.approx(1 / 8, abs=4 * error)


@pytest.mark.parametrize("classes", [2, 3, 5, 6])
def test_top_five_is_at_most_the_number_of_classes(classes: int) -> None:
    found = linear_probe(*blobs(classes, spread=3.0))
    assert found.deep == min(5, classes)
    assert found.top1 <= found.top5 <= 1
    assert classes > 5 or found.top5 == 1


def test_the_probe_is_converged_and_the_same_each_time() -> None:
    arrays = blobs(spread=1.5)
    first, second = linear_probe(*arrays, l2=1e-2, seed=3), linear_probe(*arrays, l2=1e-2, seed=3)
    assert first == second
    assert first.gradient < 1e-4
    assert first.iterations < 200


def test_the_probe_is_that_of_scikit_learn() -> None:
    """Same loss: scikit-learn sums over images and halves the penalty's inverse, so C = 1 / (n · l2)."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    train, train_labels, test, test_labels = blobs(spread=1.5)
    mean, deviation = train.mean(axis=0), train.std(axis=0)
    judge = linear_model.LogisticRegression(C=1 / (len(train) * 1e-2), max_iter=2000, tol=1e-8)
    judge.fit((train - mean) / deviation, train_labels)
    expected = judge.score((test - mean) / deviation, test_labels)
    assert linear_probe(train, train_labels, test, test_labels, l2=1e-2).top1 == pytest.approx(expected, abs=0.01)


def test_scale_and_shift_of_a_dimension_do_not_matter_to_the_probe() -> None:
    train, train_labels, test, test_labels = blobs(spread=1.5)
    scale, shift = np.logspace(-3, 3, train.shape[1]), np.linspace(-5, 5, train.shape[1])
    plain = linear_probe(train, train_labels, test, test_labels, l2=1e-2)
    moved = linear_probe(train * scale + shift, train_labels, test * scale + shift, test_labels, l2=1e-2)
    assert moved.top1 == pytest.approx(plain.top1, abs=0.015)


def test_a_dimension_that_never_varies_is_no_danger() -> None:
    train, train_labels, test, test_labels = blobs()
    train[:, 0], test[:, 0] = 7.0, 1e6
    assert linear_probe(train, train_labels, test, test_labels).top1 == 1


def test_images_of_a_class_never_trained_are_wrong() -> None:
    train, train_labels, test, test_labels = blobs()
    kept = train_labels != 3
    found = linear_probe(train[kept], train_labels[kept], test, test_labels)
    assert found.unseen == (test_labels == 3).sum() == 20
    assert found.top1 == pytest.approx(140 / 160)
    assert knn_accuracy(test, test_labels, train[kept], train_labels[kept]) == pytest.approx(140 / 160)


def test_names_of_classes_mean_nothing() -> None:
    train, train_labels, test, test_labels = blobs(spread=1.5)
    names = np.array([90, -4, 3, 7, 1000, -1, 0, 12])
    arrays = (test, test_labels, train, train_labels)
    renamed = (test, names[test_labels], train, names[train_labels])
    assert knn_accuracy(*renamed) == pytest.approx(knn_accuracy(*arrays), abs=1e-9)


def test_equal_codes_share_the_hit() -> None:
    """Every image ties with every other: the vote is the class frequencies, whatever the order of the images."""
    codes, labels = np.ones((40, 3)), np.repeat([0, 1], 20)
    value = knn_accuracy(codes[:2], [0, 1], codes, labels, neighbours=3)
    assert value == pytest.approx(0.5)
    assert knn_accuracy(codes[:2], [0, 1], codes, labels[::-1], neighbours=3) == pytest.approx(value)


@pytest.mark.parametrize("neighbours", [0, -1, 161])
def test_an_impossible_number_of_neighbours_is_refused(neighbours: int) -> None:
    train, train_labels, test, test_labels = blobs()
    with pytest.raises(ValueError, match=f"{neighbours} neighbours asked for; allowed: 1 … 160"):
        knn_accuracy(test, test_labels, train, train_labels, neighbours=neighbours)


@pytest.mark.parametrize("learn", ["probe", "knn"])
def test_one_class_no_labels_and_other_dimensions_are_refused(learn: str) -> None:
    train, train_labels, test, test_labels = blobs()

    def ask(codes: np.ndarray, labels: np.ndarray | None) -> object:
        if learn == "knn":
            return knn_accuracy(test, test_labels, codes, labels)
        return linear_probe(codes, labels, test, test_labels)

    with pytest.raises(ValueError, match="class"):
        ask(train, np.zeros_like(train_labels))
    with pytest.raises(ValueError, match="no labels"):
        ask(train, None)
    with pytest.raises(ValueError, match="training codes have 11 dimensions, the codes 12"):
        ask(train[:, :11], train_labels)
    with pytest.raises(ValueError, match="159 training labels for 160 images"):
        ask(train, train_labels[:-1])


def test_the_report_says_what_the_probe_lacks() -> None:
    _, _, test, test_labels = blobs()
    result = measure_arrays(test, test_labels, names=["linear_probe_top1", "knn"])
    assert result["probe"]["linear_probe_top1"] is None
    assert "train_codes" in result["undefined"]["linear_probe_top1"]
    assert result["probe"]["knn"] is not None


def test_lift_is_consistency_over_chance() -> None:
    train, train_labels, *_ = blobs()
    found = measure(np.maximum(train, 0), train_labels, ["consistency", "consistency_chance", "consistency_lift"])
    assert found["consistency_lift"] == pytest.approx(found["consistency"] / found["consistency_chance"])
    shuffled = np.random.default_rng(0).permutation(train_labels)
    assert measure(np.maximum(train, 0), shuffled, ["consistency_lift"])["consistency_lift"] == pytest.approx(
        1, abs=0.1
    )
