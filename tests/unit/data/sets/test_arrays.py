"""Arrays as people store them: the shapes, kinds and labels that are taken, and the sentences for the others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bncl_core.data.sets.arrays import Arrays
from bncl_core.spec import digest


@pytest.fixture
def byte() -> np.ndarray:
    """Ten grey images; the first pixel tells them apart."""
    images = np.random.default_rng(0).integers(0, 256, (10, 6, 5), np.uint8)
    images[:, 0, 0] = np.arange(10) * 25
    return images


def save(path: Path, array: np.ndarray) -> str:
    np.save(path, array, allow_pickle=True)
    return str(path)


def joined(source: Arrays) -> np.ndarray:
    """The images of both splits, in the order of their first pixels."""
    both = np.concatenate([source.load(split).images for split in source.splits])
    return both[np.lexsort(both.reshape(len(both), -1).T)]


def in_order(images: np.ndarray) -> np.ndarray:
    return images[np.lexsort(images.reshape(len(images), -1).T)]


def test_grey_shapes(byte: np.ndarray, tmp_path: Path) -> None:
    wanted = in_order(np.repeat(byte[..., None], 3, axis=3))
    for number, array in enumerate([byte, byte[..., None], byte[:, None]]):
        np.testing.assert_array_equal(joined(Arrays(save(tmp_path / f"{number}.npy", array))), wanted)


def test_colour_shapes(byte: np.ndarray, tmp_path: Path) -> None:
    colour = np.stack([byte, byte[::-1], 255 - byte], axis=3)
    last, first = save(tmp_path / "last.npy", colour), save(tmp_path / "first.npy", colour.transpose(0, 3, 1, 2))
    for path in (last, first):
        np.testing.assert_array_equal(joined(Arrays(path)), in_order(colour))


def test_alpha_is_on_white(byte: np.ndarray, tmp_path: Path) -> None:
    colour = np.repeat(byte[..., None], 4, axis=3)
    colour[..., 3] = 0
    assert (joined(Arrays(save(tmp_path / "clear.npy", colour))) == 255).all()
    colour[..., 3] = 255
    solid = joined(Arrays(save(tmp_path / "solid.npy", colour)))
    np.testing.assert_array_equal(solid, in_order(colour[..., :3].copy()))


def test_kinds(byte: np.ndarray, tmp_path: Path) -> None:
    """The same picture in every kind of number is the same set."""
    wanted = in_order(np.repeat(byte[..., None], 3, axis=3))
    kinds = [byte.astype(np.uint16) * 257, byte.astype(np.float32) / 255, byte / 255.0, byte.astype(np.int64)]
    for number, array in enumerate(kinds):
        np.testing.assert_array_equal(joined(Arrays(save(tmp_path / f"{number}.npy", array))), wanted)
    half = joined(Arrays(save(tmp_path / "half.npy", (byte / 255).astype(np.float16))))
    assert len(half) == 10
    assert set(np.unique(joined(Arrays(save(tmp_path / "bool.npy", byte > 99))))) == {0, 255}


def test_labels_of_any_kind_are_counted_and_named(byte: np.ndarray, tmp_path: Path) -> None:
    images = save(tmp_path / "x.npy", byte)
    kinds = {
        "gapped": (np.array([-7, 3, 900] * 3 + [3]), ("-7", "3", "900")),
        "text": (np.array(["owl", "cat", "ape"] * 3 + ["cat"]), ("ape", "cat", "owl")),
        "bytes": (np.array([b"owl", b"cat", b"ape"] * 3 + [b"cat"]), ("ape", "cat", "owl")),
        "whole": (np.array([1.0, 0.0] * 5), ("0", "1")),
        "column": (np.array([[1], [0]] * 5), ("0", "1")),
        "bool": (np.array([True, False] * 5), ("0", "1")),
    }
    for name, (labels, classes) in kinds.items():
        source = Arrays(images, save(tmp_path / f"{name}.npy", labels))
        spelt = {spelling: str(np.asarray(labels).ravel()[i]) for i, spelling in enumerate(byte[:, 0, 0])}
        for split in source.splits:
            part = source.load(split)
            assert part.classes == classes
            assert part.labels is not None
            if name in ("gapped", "text"):
                firsts = part.images[:, 0, 0, 0]
                assert [classes[label] for label in part.labels] == [spelt[first] for first in firsts]


def test_sixteen_bits_are_scaled_by_what_both_splits_use(tmp_path: Path) -> None:
    """12-bit values are not black, and the dark split is not brightened beside the bright one."""
    dark, bright = np.full((3, 4, 4), 200, np.uint16), np.full((3, 4, 4), 4095, np.uint16)
    source = Arrays(save(tmp_path / "a.npy", dark), test_images=save(tmp_path / "b.npy", bright))
    assert set(np.unique(source.load("train").images)) == {round(200 * 255 / 4095)}
    assert set(np.unique(source.load("test").images)) == {255}
    assert set(np.unique(joined(Arrays(save(tmp_path / "c.npy", dark))))) == {200}


@pytest.mark.parametrize(
    ("labels", "told"), [(np.array([-1, 4, 9, 4, -1] * 2), "-1"), (np.array(["?", "a", "b", "a", "?"] * 2), "?")]
)
def test_unlabelled_only_when_told(labels: np.ndarray, told: str, byte: np.ndarray, tmp_path: Path) -> None:
    images, path = save(tmp_path / "x.npy", byte), save(tmp_path / "y.npy", labels)
    assert told in Arrays(images, path).load("train").classes
    part = Arrays(images, path, test_share=0, unlabelled=told).load("train")
    assert part.classes == tuple(sorted({str(label) for label in labels} - {told}))
    assert part.labels is not None
    assert part.labels.tolist() == [-1, 0, 1, 0, -1] * 2
    nothing = save(tmp_path / "z.npy", np.full(10, labels[0]))
    assert Arrays(images, nothing, unlabelled=told).load("train").labels is None


def test_an_npz_brings_its_labels(byte: np.ndarray, tmp_path: Path) -> None:
    np.savez(tmp_path / "both.npz", x=byte, y=np.arange(10) % 2, note=np.array([{}], object))
    part = Arrays(str(tmp_path / "both.npz")).load("train")
    assert part.classes == ("0", "1")
    np.savez(tmp_path / "alone.npz", byte)
    assert Arrays(str(tmp_path / "alone.npz")).load("train").labels is None


def test_splits_of_their_own_share_their_classes(byte: np.ndarray, tmp_path: Path) -> None:
    train, test = save(tmp_path / "a.npy", byte), save(tmp_path / "b.npy", byte[:4])
    labels = save(tmp_path / "c.npy", np.array(["x", "z"] * 5)), save(tmp_path / "d.npy", np.array(["y", "z"] * 2))
    source = Arrays(train, labels[0], test, labels[1])
    first, second = source.load("train"), source.load("test")
    assert (len(first), len(second)) == (10, 4)
    assert first.classes == second.classes == ("x", "y", "z")
    assert second.labels is not None
    assert second.labels.tolist() == [1, 2, 1, 2]
    np.testing.assert_array_equal(second.images[..., 1], byte[:4])
    unlabelled = Arrays(train, labels[0], test)
    assert unlabelled.load("test").labels is None
    assert unlabelled.load("train").classes == ("x", "z")
    mixed = Arrays(train, labels[0], test, save(tmp_path / "e.npy", np.arange(4)))
    with pytest.raises(ValueError, match="numbers and those of the other are text"):
        mixed.load("train")


def test_a_random_share_is_the_test_split(byte: np.ndarray, tmp_path: Path) -> None:
    path = save(tmp_path / "x.npy", byte)
    assert len(Arrays(path, test_share=0.3).load("test")) == 3
    prints = {seed: Arrays(path, test_share=0.5, seed=seed).load("test").fingerprint for seed in range(4)}
    assert len(set(prints.values())) > 1
    assert Arrays(path, test_share=0.5, seed=2).load("test").fingerprint == prints[2]
    assert len(Arrays(path, test_share=1).load("test")) == len(Arrays(path, test_share=0).load("train")) == 10
    with pytest.raises(ValueError, match="with test_share 1 the split 'train' holds no images"):
        Arrays(path, test_share=1).load("train")
    with pytest.raises(ValueError, match="holds 1 image; at least 2"):
        Arrays(save(tmp_path / "one.npy", byte[:1])).load("train")


def test_mapped_and_resident_are_the_same(byte: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Arrays(save(tmp_path / "x.npy", byte / 255), save(tmp_path / "y.npy", np.arange(10)))
    resident = {split: source.load(split).fingerprint for split in source.splits}
    monkeypatch.setenv("GATESCOPE_RESIDENT_GB", "0")
    monkeypatch.setenv("GATESCOPE_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        for split, fingerprint in resident.items():
            part = source.load(split)
            assert isinstance(part.images, np.memmap)
            assert part.fingerprint == fingerprint


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((4, 5)), r"images have shape \[4, 5\]; allowed: \[n h w\]"),
        (np.zeros((4, 784)), r"28×28 pixels, save images\.reshape\(4, 28, 28\)"),
        (np.zeros((4, 3072)), r"32×32 pixels, save images\.reshape\(4, 3, 32, 32\)"),
        (np.zeros((4, 5, 5, 2), np.uint8), r"shape \[4, 5, 5, 2\]"),
        (np.zeros((4, 0, 5), np.uint8), r"no side may be 0"),
        (np.linspace(-1, 1, 36).reshape(4, 3, 3), r"float64 from -1 to 1; allowed: .*floats in 0…1"),
        (np.full((4, 3, 3), 255.0), r"float64 from 255 to 255"),
        (np.full((4, 3, 3), np.nan), r"float64 from nan to nan"),
        (np.full((4, 3, 3), 256), r"int64 from 256 to 256"),
        (np.full((4, 3, 3), 1j), r"images are complex128"),
        (np.full((4, 3, 3), None), r"cannot be read as plain .*not Python objects"),
    ],
)
def test_images_that_are_refused(array: np.ndarray, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"x\.npy.*{message}"):
        Arrays(save(tmp_path / "x.npy", array)).load("train")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.arange(9), r"shape \[9\] for 10 images"),
        (np.zeros((10, 2), int), r"shape \[10, 2\] for 10 images"),
        (np.linspace(0, 1, 10), "fractions"),
        (np.full(10, np.nan), "NaN"),
        (np.array([None] * 10), "not Python objects"),
        (np.full(10, 1j), "complex128; allowed: whole numbers or text"),
    ],
)
def test_labels_that_are_refused(labels: np.ndarray, message: str, byte: np.ndarray, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"y\.npy.*{message}"):
        Arrays(save(tmp_path / "x.npy", byte), save(tmp_path / "y.npy", labels)).load("train")


def test_files_that_are_refused(byte: np.ndarray, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs images: the path"):
        Arrays().load("train")
    with pytest.raises(FileNotFoundError, match=r"no file .*absent\.npy"):
        Arrays(str(tmp_path / "absent.npy")).load("train")
    (tmp_path / "text.npy").write_text("hello")
    (tmp_path / "cut.npz").write_bytes(b"PK\x03\x04 and no more")
    for name in ("text.npy", "cut.npz"):
        with pytest.raises(ValueError, match=f"{name} cannot be read") as caught:
            Arrays(str(tmp_path / name)).load("train")
        assert "unsafely" not in str(caught.value)
    np.savez(tmp_path / "other.npz", pictures=byte)
    with pytest.raises(ValueError, match="holds pictures; the images must be called images or x"):
        Arrays(str(tmp_path / "other.npz")).load("train")
    np.savez(tmp_path / "two.npz", x=byte, data=byte)
    with pytest.raises(ValueError, match="could be x or data; keep one"):
        Arrays(str(tmp_path / "two.npz")).load("train")


def test_values_outside_their_range_are_refused() -> None:
    with pytest.raises(ValueError, match=r"test_share is 1\.5"):
        Arrays("x.npy", test_share=1.5)
    with pytest.raises(ValueError, match="test_images is empty"):
        Arrays("x.npy", test_labels="y.npy")


def test_where_it_is_does_not_name_it() -> None:
    assert digest(Arrays("here.npy")) == digest(Arrays("there.npy", "labels.npy"))
    assert digest(Arrays(seed=1)) != digest(Arrays(seed=2))
