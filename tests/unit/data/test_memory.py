"""Pixels are the same in memory and mapped, and a cache is whole or absent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bncl_core.data.memory import cache_folder, gather, resident_limit

SHAPE = (2, 3, 3)


def rows() -> Iterator[np.ndarray | str]:
    """Seven images with one that cannot be had in their midst."""
    for i in range(8):
        yield "broken" if i == 4 else np.full(SHAPE, i, np.uint8)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache, and no memory at all."""
    monkeypatch.setenv("GATESCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GATESCOPE_RESIDENT_GB", "0")
    return tmp_path / "cache"


def test_resident(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GATESCOPE_CACHE", str(tmp_path / "cache"))
    images, refused = gather(rows(), 8, SHAPE, "key")
    assert images[:, 0, 0, 0].tolist() == [0, 1, 2, 3, 5, 6, 7]
    assert refused == {4: "broken"}
    assert not isinstance(images, np.memmap)
    assert not (tmp_path / "cache").exists()


def test_mapped_is_the_same_and_written_once(small: Path) -> None:
    images, refused = gather(rows(), 8, SHAPE, "key")
    assert isinstance(images, np.memmap)
    assert not images.flags.writeable
    assert images[:, 0, 0, 0].tolist() == [0, 1, 2, 3, 5, 6, 7]
    assert refused == {4: "broken"}

    def never() -> Iterator[np.ndarray | str]:
        raise AssertionError("read again")
        yield ""

    again, refused_again = gather(never(), 8, SHAPE, "key")
    np.testing.assert_array_equal(again, images)
    assert refused_again == refused
    assert [path.name for path in small.iterdir()] == ["key"]


def test_a_thousand_images_fit_the_header_of_none(small: Path) -> None:
    images, _ = gather((np.full(SHAPE, i % 251, np.uint8) for i in range(1234)), 5000, SHAPE, "many")
    np.testing.assert_array_equal(images[:, 1, 2, 2], np.arange(1234) % 251)


def test_nothing_but_reasons(small: Path) -> None:
    for _ in range(2):
        images, refused = gather(iter(["a", "b"]), 2, SHAPE, "none")
        assert images.shape == (0, *SHAPE)
        assert refused == {0: "a", 1: "b"}


def test_an_interrupted_write_leaves_nothing(small: Path) -> None:
    def stops() -> Iterator[np.ndarray | str]:
        yield np.zeros(SHAPE, np.uint8)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather(stops(), 8, SHAPE, "key")
    assert list(small.iterdir()) == []
    assert len(gather(rows(), 8, SHAPE, "key")[0]) == 7


def test_another_process_may_be_first(small: Path) -> None:
    def overtaken() -> Iterator[np.ndarray | str]:
        gather(rows(), 8, SHAPE, "key")
        yield from rows()

    images, refused = gather(overtaken(), 8, SHAPE, "key")
    assert len(images) == 7
    assert refused == {4: "broken"}
    assert [path.name for path in small.iterdir()] == ["key"]


@pytest.mark.parametrize("limit", ["0", "1"])
def test_wrong_rows_are_refused(limit: str, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATESCOPE_RESIDENT_GB", limit)
    with pytest.raises(ValueError, match=r"image 0 is uint8 \[3, 2, 3\]; expected uint8 \[2, 3, 3\]"):
        gather(iter([np.zeros((3, 2, 3), np.uint8)]), 1, SHAPE, "shape")
    with pytest.raises(ValueError, match="more than the 3"):
        gather(rows(), 3, SHAPE, "count")


def test_the_limit_and_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GATESCOPE_RESIDENT_GB", raising=False)
    monkeypatch.delenv("GATESCOPE_CACHE", raising=False)
    assert resident_limit() == 4 * 1024**3
    assert cache_folder() == Path.home() / ".cache" / "gatescope"
    monkeypatch.setenv("GATESCOPE_RESIDENT_GB", "0.5")
    assert resident_limit() == 1024**3 // 2
    for wrong in ("much", "-1", "nan", "inf"):
        monkeypatch.setenv("GATESCOPE_RESIDENT_GB", wrong)
        with pytest.raises(ValueError, match=wrong):
            resident_limit()
