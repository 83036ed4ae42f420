"""What every image set plug-in promises."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bncl_core.data.images import ImageSet
from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.spec import digest, field_help, from_json, to_json

ROOT = Path(__file__).parents[2]


def tiny_folder(place: Path) -> dict[str, object]:
    for i in range(24):
        path = place / "ab"[i % 2] / f"{i}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (9, 12), (10 * i, 0, 0)).save(path)
    return {"root": str(place), "test_share": 0.4}


def tiny_arrays(place: Path) -> dict[str, object]:
    np.savez(place / "tiny.npz", images=np.arange(20 * 16, dtype=np.uint16).reshape(20, 4, 4), labels=np.arange(20) % 3)
    return {"images": str(place / "tiny.npz")}


def official_cifar(folder: str) -> Callable[[Path], dict[str, object]]:
    def fields(place: Path) -> dict[str, object]:
        root = os.environ.get("GATESCOPE_DATA")
        if not root or not (Path(root) / folder).is_dir():
            pytest.skip(f"GATESCOPE_DATA names no folder that holds {folder}")
        return {"root": root, "download": False}

    return fields


# what a set needs to be small, or to be there at all; a set that is not named here must load as it stands
NEEDS: dict[str, Callable[[Path], dict[str, object]]] = {
    "scenes": lambda place: {"n_train": 60, "n_test": 40, "size": 16},
    "digits": lambda place: {"size": 8},
    "folder": tiny_folder,
    "arrays": tiny_arrays,
    "cifar10": official_cifar("cifar-10-batches-py"),
    "cifar100": official_cifar("cifar-100-python"),
}


@pytest.fixture(params=image_sets.names())
def source(request: pytest.FixtureRequest, tmp_path: Path) -> ImageSource:
    return image_sets[request.param](**NEEDS.get(request.param, lambda place: {})(tmp_path))


def test_every_split_is_images_and_what_is_known_of_them(source: ImageSource) -> None:
    assert {"train", "test"} <= set(source.splits)
    for split in source.splits:
        part = source.load(split)
        assert isinstance(part, ImageSet)
        assert (part.name, part.split) == (image_sets.name_of(source), split)
        assert part.images.dtype == np.uint8
        assert part.images.ndim == 4
        assert part.images.shape[3] == 3
        assert len(part) > 0
        if part.labels is not None:
            assert part.labels.dtype == np.int64
            assert part.labels.shape == (len(part),)
            assert part.labels.min() >= -1
            assert part.labels.max() < len(part.classes)
            assert len(set(part.classes)) == len(part.classes)
        for name, values in part.factors.items():
            assert values.shape == (len(part),)
            if name in part.values:
                assert 0 <= values.min() <= values.max() < len(part.values[name])
        assert all(0 < value < 1 for value in (*part.mean, *part.std))


def test_splits_speak_of_the_same_classes(source: ImageSource) -> None:
    train, test = source.load("train"), source.load("test")
    assert train.classes == test.classes
    assert train.images.shape[1:] == test.images.shape[1:]
    assert (train.mean, train.std) == (test.mean, test.std)
    assert train.fingerprint != test.fingerprint


def test_loading_twice_gives_the_same(source: ImageSource) -> None:
    first, second = source.load("test"), from_json(ImageSource, to_json(source)).load("test")  # type: ignore[type-abstract]
    np.testing.assert_array_equal(first.images, second.images)
    np.testing.assert_array_equal(first.labels, second.labels)  # type: ignore[arg-type]
    assert first.fingerprint == second.fingerprint
    assert len(first.fingerprint) == 16


def test_an_unknown_split_is_refused(source: ImageSource) -> None:
    for split in ("holdout", "", "Train"):
        with pytest.raises(ValueError, match=f"no split called '{split}'.*train, test"):
            source.load(split)


@pytest.mark.parametrize("name", image_sets.names())
def test_it_is_its_json_and_says_what_its_fields_mean(name: str) -> None:
    cls = image_sets[name]
    thing = cls()
    text = json.dumps(to_json(thing), allow_nan=False)
    again = from_json(ImageSource, json.loads(text))  # type: ignore[type-abstract]
    assert again == thing
    assert digest(again) == digest(thing)
    assert set(field_help(cls)) == {field.name for field in dataclasses.fields(cls)}
    with pytest.raises(ValueError, match="unknown key"):
        from_json(ImageSource, {"name": name, "colour": 1})  # type: ignore[type-abstract]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(thing, next(field.name for field in dataclasses.fields(cls)), None)


@pytest.mark.parametrize("name", image_sets.names())
def test_paths_do_not_name_it(name: str) -> None:
    """The same images in another place are the same set."""
    cls = image_sets[name]
    kept = {field.name for field in dataclasses.fields(cls) if field.metadata.get("identity", True)}
    named = {word for word in kept if any(part in word for part in ("root", "path", "file", "download"))}
    assert not named


def test_listing_the_sets_needs_neither_torch_nor_scikit_learn() -> None:
    code = "import sys; from bncl_core.data.sets import image_sets; image_sets.names(); "
    code += "sys.exit(any(name in sys.modules for name in ('torch', 'torchvision', 'sklearn')))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
