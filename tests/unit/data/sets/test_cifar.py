"""The CIFAR sets: the official files or a sentence, and the official files are what is delivered."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torchvision.datasets

from bncl_core.data.sets import _cifar
from bncl_core.data.sets._cifar import PROJECT, data_root
from bncl_core.data.sets._superclasses import SUPERCLASSES
from bncl_core.data.sets.cifar10 import CIFAR10
from bncl_core.data.sets.cifar100 import CIFAR100, coarse
from bncl_core.spec import digest, to_json

SETS = [(CIFAR10, "cifar-10-batches-py"), (CIFAR100, "cifar-100-python")]


class Pretended:
    """What torchvision would hand out: 100 classes, one image each."""

    base_folder = "cifar-100-python"

    def __init__(self, root: str, train: bool, download: bool) -> None:
        self.data = np.arange(100 * 32 * 32 * 3, dtype=np.int64).astype(np.uint8).reshape(100, 32, 32, 3)
        self.targets = list(range(100))
        self.classes = sorted(name for members in SUPERCLASSES.values() for name in members)


@pytest.mark.parametrize(("cls", "folder"), SETS)
def test_absent_files_are_a_sentence(cls: type[Any], folder: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=rf"{tmp_path}.*put the unpacked folder {folder} there") as caught:
        cls(root=str(tmp_path), download=False).load("train")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(("cls", "folder"), SETS)
def test_a_download_that_fails_is_the_same_sentence(
    cls: type[Any], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(self: object) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(torchvision.datasets.CIFAR10, "download", offline)
    with pytest.raises(FileNotFoundError, match=rf"put the unpacked folder {folder} there.*no route to host"):
        cls(root=str(tmp_path)).load("train")


@pytest.mark.parametrize(("cls", "folder"), SETS)
def test_files_that_are_not_the_official_ones_are_never_unpickled(
    cls: type[Any], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / folder).mkdir()
    for name in [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch", "batches.meta", "train", "test", "meta"]:
        (tmp_path / folder / name).write_bytes(b"cos\nsystem\n(S'exit'\ntR.")

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a file was unpickled")

    monkeypatch.setattr("pickle.load", forbidden)
    with pytest.raises(FileNotFoundError, match="not the official ones"):
        cls(root=str(tmp_path), download=False).load("test")


def test_where_the_files_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GATESCOPE_DATA", raising=False)
    assert data_root("") == PROJECT / "data"
    assert (PROJECT / "pyproject.toml").is_file()
    monkeypatch.setenv("GATESCOPE_DATA", "/some/where")
    assert data_root("") == Path("/some/where")
    assert data_root("here") == Path("here")


def test_where_they_are_does_not_name_them() -> None:
    assert digest(CIFAR10("a", download=False)) == digest(CIFAR10("b"))
    assert digest(CIFAR100(root="a")) == digest(CIFAR100())
    assert digest(CIFAR100()) != digest(CIFAR100("coarse"))
    assert to_json(CIFAR100("coarse"), identity_only=True) == {"name": "cifar100", "labels": "coarse"}


def test_other_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="labels is 'medium'; allowed: fine, coarse"):
        CIFAR100("medium")  # type: ignore[arg-type]


def test_every_class_has_one_superclass() -> None:
    members = [name for names in SUPERCLASSES.values() for name in names]
    assert len(SUPERCLASSES) == 20
    assert {len(names) for names in SUPERCLASSES.values()} == {5}
    assert len(set(members)) == 100
    assert list(SUPERCLASSES) == sorted(SUPERCLASSES)  # the official numbers follow the alphabet
    assert coarse(("maple_tree", "beaver")).tolist() == [17, 0]
    with pytest.raises(ValueError, match="unicorn"):
        coarse(("beaver", "unicorn"))


def test_coarse_labels_are_those_of_the_fine_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torchvision.datasets, "CIFAR100", Pretended)
    fine, kinds = CIFAR100().load("train"), CIFAR100("coarse").load("train")
    np.testing.assert_array_equal(fine.images, kinds.images)
    assert fine.labels is not None
    assert kinds.labels is not None
    assert np.bincount(kinds.labels).tolist() == [5] * 20
    for small, large in zip(fine.labels, kinds.labels, strict=True):
        assert fine.classes[small] in SUPERCLASSES[kinds.classes[large]]


def test_nothing_is_imported_before_it_is_needed() -> None:
    assert not hasattr(_cifar, "torchvision")


@pytest.mark.slow
@pytest.mark.parametrize(("cls", "folder"), SETS)
def test_the_official_files(cls: type[Any], folder: str) -> None:
    root = os.environ.get("GATESCOPE_DATA")
    if not root or not (Path(root) / folder).is_dir():
        pytest.skip(f"GATESCOPE_DATA names no folder that holds {folder}")
    train, test = (cls(root=root, download=False).load(split) for split in ("train", "test"))
    per_class = 50000 // len(train.classes)
    assert np.bincount(train.labels).tolist() == [per_class] * len(train.classes)
    assert np.bincount(test.labels).tolist() == [per_class // 5] * len(train.classes)
    assert train.images.shape == (50000, 32, 32, 3)
    np.testing.assert_allclose(train.mean, train.images.mean((0, 1, 2)) / 255, atol=2e-4)
    np.testing.assert_allclose(train.std, train.images.std((0, 1, 2)) / 255, atol=2e-4)
