"""The digits: real, always there, split the same way every time."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

from bncl_core.data.sets import image_sets
from bncl_core.data.sets.digits import Digits


def test_it_is_registered() -> None:
    assert image_sets["digits"] is Digits


def test_the_split_keeps_every_digit_and_every_share() -> None:
    train, test = Digits().load("train"), Digits().load("test")
    assert train.labels is not None
    assert test.labels is not None
    assert len(train) + len(test) == 1797
    total = np.bincount(load_digits().target)
    np.testing.assert_array_equal(np.bincount(train.labels) + np.bincount(test.labels), total)
    assert np.abs(np.bincount(test.labels) - 0.2 * total).max() <= 0.5
    assert train.classes == tuple("0123456789")


def test_at_its_own_size_it_is_the_original() -> None:
    """No digit is lost, doubled or changed by the split: 16 levels become 0…255."""
    parts = [Digits(size=8).load(split).images for split in ("train", "test")]
    got = np.concatenate(parts)[..., 0].reshape(1797, 64)
    original = np.rint(load_digits().data * (255 / 16)).astype(np.uint8)
    np.testing.assert_array_equal(got[np.lexsort(got.T)], original[np.lexsort(original.T)])
    assert (parts[0][..., 0] == parts[0][..., 2]).all()


def test_its_normalisation_is_the_one_of_its_images() -> None:
    images = Digits().load("train")
    np.testing.assert_allclose(images.mean, (images.images / 255).mean((0, 1, 2)), atol=0.005)
    np.testing.assert_allclose(images.std, (images.images / 255).std((0, 1, 2)), atol=0.005)


def test_the_seed_chooses_the_split() -> None:
    first, again, other = (Digits(size=8, seed=seed).load("test").fingerprint for seed in (1, 1, 2))
    assert first == again != other


def test_values_outside_their_range_are_refused() -> None:
    with pytest.raises(ValueError, match="size is 7"):
        Digits(size=7)
    for share in (0.0, 1.0):
        with pytest.raises(ValueError, match=f"test_share is {share}"):
            Digits(test_share=share)
