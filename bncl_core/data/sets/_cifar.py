"""What the two CIFAR sets share: where the files are, and how torchvision's arrays become an ImageSet."""

from __future__ import annotations

import http.client
import os
from pathlib import Path
from typing import Any

import numpy as np

from bncl_core.data.images import ImageSet, Triple

PROJECT = Path(__file__).resolve().parents[3]


def data_root(root: str) -> Path:
    """`root`, else the environment variable GATESCOPE_DATA, else `data/` in the project's folder."""
    return Path(root or os.environ.get("GATESCOPE_DATA") or PROJECT / "data").expanduser()


def open_cifar(kind: str, root: str, split: str, download: bool) -> Any:
    """torchvision's dataset object. Its files are checked against their MD5 before they are unpickled.

    Raises FileNotFoundError saying what to put where when the files are absent and cannot be fetched.
    """
    import torchvision.datasets

    cls = getattr(torchvision.datasets, kind)
    folder = data_root(root)
    try:
        return cls(str(folder), train=split == "train", download=False)
    except RuntimeError:
        if not download:
            raise FileNotFoundError(_missing(cls, folder)) from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return cls(str(folder), train=split == "train", download=True)
    except (OSError, RuntimeError, http.client.HTTPException) as error:
        raise FileNotFoundError(f"{_missing(cls, folder)} Downloading failed: {error}.") from error


def _missing(cls: Any, folder: Path) -> str:
    return (
        f"{cls.__name__} is not in {folder}, or its files are not the official ones: put the unpacked folder "
        f"{cls.base_folder} there, or name another place with --data-root or GATESCOPE_DATA."
    )


def image_set(
    name: str, split: str, data: Any, labels: np.ndarray, classes: tuple[str, ...], norm: tuple[Triple, Triple]
) -> ImageSet:
    """The arrays as an ImageSet."""
    return ImageSet(name, split, np.ascontiguousarray(data.data), labels, classes, mean=norm[0], std=norm[1])
