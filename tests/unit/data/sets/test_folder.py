"""A folder of images: what is found, how it is split and labelled, and what is said about the rest."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bncl_core.data.decode import decode
from bncl_core.data.sets.folder import Folder
from bncl_core.spec import digest

ODD = Path(__file__).parents[5] / "shared" / "data" / "odd_images"


def put(path: Path, value: int = 0, kind: str = "PNG") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (10, 8), (value, 0, 255)).save(path, kind)
    return path


def values(root: Path, split: str, **options: object) -> list[int]:
    return Folder(str(root), size=4, **options).load(split).images[:, 0, 0, 0].tolist()


@pytest.fixture
def split_folders(tmp_path: Path) -> Path:
    """Two classes in train/, of which test/ has one, and one that test/ has alone."""
    for i, name in enumerate(
        ["train/b/1.png", "train/a/2.png", "train/a/deep/er/3.png", "test/b/4.png", "test/c/5.png"]
    ):
        put(tmp_path / name, i + 1)
    return tmp_path


def test_split_folders_share_their_classes(split_folders: Path) -> None:
    train, test = (Folder(str(split_folders)).load(split) for split in ("train", "test"))
    assert train.classes == test.classes == ("a", "b", "c")
    assert train.images[:, 0, 0, 0].tolist() == [2, 3, 1]
    assert train.labels is not None
    assert train.labels.tolist() == [0, 0, 1]
    assert test.images[:, 0, 0, 0].tolist() == [4, 5]
    assert test.labels is not None
    assert test.labels.tolist() == [1, 2]


@pytest.mark.parametrize("name", ["val", "valid", "validation", "Val"])
def test_other_names_of_the_test_split(split_folders: Path, name: str) -> None:
    (split_folders / "test").rename(split_folders / name)
    assert values(split_folders, "test") == [4, 5]


def test_what_lies_outside_the_split_folders_is_said(split_folders: Path) -> None:
    put(split_folders / "val" / "a" / "6.png")
    (split_folders / "readme.txt").write_text("about")
    skipped = Folder(str(split_folders)).load("train").skipped
    assert [entry.path for entry in skipped] == ["readme.txt", "val"]
    assert "outside the split folders train/ and test/ (files: 1)" in skipped[1].reason


def test_train_without_test_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "train" / "a" / "1.png")
    with pytest.raises(ValueError, match=r"train/ but no test/ or val/"):
        Folder(str(tmp_path)).load("train")


def test_flat_folders_have_no_labels(tmp_path: Path) -> None:
    for i in range(40):
        put(tmp_path / f"{i}.png", i)
    train, test = (Folder(str(tmp_path), test_share=0.3).load(split) for split in ("train", "test"))
    assert train.labels is None
    assert test.labels is None
    both = sorted(train.images[:, 0, 0, 0].tolist() + test.images[:, 0, 0, 0].tolist())
    assert both == list(range(40))
    assert 4 <= len(test) <= 20


def test_adding_files_moves_none_to_the_other_split(tmp_path: Path) -> None:
    for i in range(30):
        put(tmp_path / "a" / f"{i}.png", i)
    before = {split: set(values(tmp_path, split, test_share=0.3)) for split in ("train", "test")}
    for i in range(30, 60):
        put(tmp_path / "a" / f"{i}.png", i)
    for split, old in before.items():
        assert {value for value in values(tmp_path, split, test_share=0.3) if value < 30} == old


def test_the_order_is_that_of_the_paths_bytes(tmp_path: Path) -> None:
    names = ["Z.png", "a.png", "a b.png", "é.png", "中.png", "10.png", "9.png"]
    for name in names:
        put(tmp_path / "train" / "x" / name, names.index(name))
    put(tmp_path / "test" / "x" / "1.png")
    wanted = sorted(names, key=lambda name: name.encode())
    assert [names[value] for value in values(tmp_path, "train")] == wanted


def test_files_beside_class_folders_are_unlabelled(split_folders: Path) -> None:
    put(split_folders / "train" / "0.png", 9)
    train = Folder(str(split_folders)).load("train")
    assert train.labels is not None
    assert dict(zip(train.images[:, 0, 0, 0].tolist(), train.labels.tolist(), strict=True)) == {9: -1, 2: 0, 3: 0, 1: 1}


def test_a_folder_without_images_is_no_class(split_folders: Path) -> None:
    (split_folders / "train" / "annotations").mkdir()
    (split_folders / "train" / "annotations" / "a.txt").write_text("about a")
    (split_folders / "train" / "damaged").mkdir()
    (split_folders / "train" / "damaged" / "1.png").write_bytes((split_folders / "test/b/4.png").read_bytes()[:50])
    train = Folder(str(split_folders)).load("train")
    assert train.classes == ("a", "b", "c", "damaged")
    assert train.labels is not None
    assert train.labels.tolist() == [0, 0, 1]
    assert [entry.path for entry in train.skipped] == ["train/annotations/a.txt", "train/damaged/1.png"]


@pytest.mark.parametrize(("share", "holds", "lacks"), [(1.0, "test", "train"), (0.0, "train", "test")])
def test_all_in_one_split(tmp_path: Path, share: float, holds: str, lacks: str) -> None:
    for i in range(9):
        put(tmp_path / f"{i}.png", i)
    assert values(tmp_path, holds, test_share=share) == list(range(9))
    with pytest.raises(ValueError, match=rf"falls into the split '{lacks}'"):
        Folder(str(tmp_path), test_share=share).load(lacks)


def test_content_decides_and_the_rest_is_listed(split_folders: Path) -> None:
    a = split_folders / "train" / "a"
    put(a / "no_extension", 11)
    put(a / "UPPER.TXT", 12, "BMP")
    (a / "text.png").write_text("not an image")
    (a / "empty.png").write_bytes(b"")
    (a / "cut.png").write_bytes((a / "2.png").read_bytes()[:50])
    (a / "nowhere.png").symlink_to(a / "absent")
    os.mkfifo(a / "pipe.png")
    (a / ".hidden.png").write_text("not looked at")
    put(split_folders / "train" / ".git" / "x.png")
    train = Folder(str(split_folders)).load("train")
    assert set(train.images[:, 0, 0, 0].tolist()) == {1, 2, 3, 11, 12}
    reasons = dict(train.skipped)
    assert list(reasons) == [f"train/a/{name}.png" for name in ("cut", "empty", "nowhere", "pipe", "text")]
    for name, reason in [("cut", "damaged"), ("empty", "empty"), ("nowhere", "link"), ("pipe", "not a file")]:
        assert reason in reasons[f"train/a/{name}.png"]
    assert train.labels is not None
    assert train.labels.tolist() == [0, 0, 0, 0, 1]


def test_links_to_folders_are_followed_and_loops_are_not(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere" / "1.png", 1)
    put(tmp_path / "root" / "train" / "a" / "2.png", 2)
    put(tmp_path / "root" / "test" / "a" / "3.png", 3)
    (tmp_path / "root" / "train" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "root" / "train" / "a" / "loop").symlink_to(tmp_path / "root")
    train = Folder(str(tmp_path / "root")).load("train")
    assert train.classes == ("a", "linked")
    assert train.images[:, 0, 0, 0].tolist() == [2, 1]


def test_a_name_of_any_bytes(split_folders: Path) -> None:
    odd = os.fsdecode(b"train/a/\xff.png")
    try:
        (split_folders / odd).write_text("no image")
    except OSError:
        pytest.skip("this file system takes no such name")
    (entry,) = Folder(str(split_folders)).load("train").skipped
    assert entry.path == "train/a/\N{REPLACEMENT CHARACTER}.png"


def test_a_limit_keeps_all_classes_and_grows_by_adding(tmp_path: Path) -> None:
    for i in range(60):
        put(tmp_path / ("abc"[i // 20]) / f"{i}.png", i)
    ten, twenty = (Folder(str(tmp_path), limit=limit).load("train") for limit in (10, 20))
    assert (len(ten), len(twenty)) == (10, 20)
    assert set(ten.images[:, 0, 0, 0].tolist()) < set(twenty.images[:, 0, 0, 0].tolist())
    assert twenty.labels is not None
    assert set(twenty.labels.tolist()) == {0, 1, 2}


def test_mapped_and_resident_are_the_same_set(split_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (split_folders / "train" / "a" / "text.png").write_text("not an image")
    resident = Folder(str(split_folders)).load("train")
    monkeypatch.setenv("GATESCOPE_RESIDENT_GB", "0")
    monkeypatch.setenv("GATESCOPE_CACHE", str(split_folders.parent / "cache"))
    for _ in range(2):
        mapped = Folder(str(split_folders)).load("train")
        assert isinstance(mapped.images, np.memmap)
        assert mapped.fingerprint == resident.fingerprint
        assert mapped.skipped == resident.skipped
    put(split_folders / "train" / "a" / "2.png", 77)
    os.utime(split_folders / "train" / "a" / "2.png", (1, 1))
    assert 77 in Folder(str(split_folders)).load("train").images[:, 0, 0, 0]


def test_size_is_the_side(split_folders: Path) -> None:
    images = Folder(str(split_folders), size=19).load("train").images
    assert images.shape == (3, 19, 19, 3)
    np.testing.assert_array_equal(images[0], decode(split_folders / "train" / "a" / "2.png", 19))


def test_missing_and_empty_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent does not exist"):
        Folder(str(tmp_path / "absent")).load("train")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileNotFoundError, match="file is a file"):
        Folder(str(tmp_path / "file")).load("train")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".hidden").write_text("")
    with pytest.raises(ValueError, match="empty holds no files"):
        Folder(str(tmp_path / "empty")).load("train")
    with pytest.raises(ValueError, match="needs its root"):
        Folder().load("train")


def test_splits_without_images_are_explained(tmp_path: Path) -> None:
    put(tmp_path / "one" / "a.png")
    split = "test" if values(tmp_path / "one", "train") else "train"
    with pytest.raises(ValueError, match=rf"none of the files in .*one \(there are 1\).*{split!r}.*test_share"):
        Folder(str(tmp_path / "one")).load(split)
    put(tmp_path / "two" / "train" / "a.png")
    (tmp_path / "two" / "test").mkdir()
    with pytest.raises(ValueError, match=r"two/test holds no files"):
        Folder(str(tmp_path / "two")).load("test")
    (tmp_path / "two" / "test" / "a.txt").write_text("text")
    with pytest.raises(ValueError, match=r"none of the 1 files .* readable image; the first: test/a\.txt: the content"):
        Folder(str(tmp_path / "two")).load("test")


def test_values_outside_their_range_are_refused() -> None:
    for options, message in [({"size": 0}, "size is 0"), ({"limit": -1}, "limit is -1"), ({"test_share": 1.1}, "1.1")]:
        with pytest.raises(ValueError, match=message):
            Folder(**options)  # type: ignore[arg-type]


def test_where_it_is_does_not_name_it() -> None:
    assert digest(Folder("here")) == digest(Folder("there"))
    assert digest(Folder(size=32)) != digest(Folder(size=64))


@pytest.mark.skipif(not ODD.is_dir(), reason="the collection of odd images is not beside the project")
@pytest.mark.filterwarnings("ignore")
def test_the_collection_of_odd_images() -> None:
    """Every file of it is an image or is named with its reason."""
    sets = [Folder(str(ODD), test_share=0.4).load(split) for split in ("train", "test")]
    files = {path.name for path in ODD.iterdir()}
    skipped = {entry.path for part in sets for entry in part.skipped}
    assert len(skipped) + sum(map(len, sets)) == len(files)
    assert {"MANIFEST.csv", "broken.png", "decompression_bomb.gif", "truncated_jpeg.jpg", "zero_width.gif"} <= skipped
    assert not skipped & {"own_no_extension", "own name with spaces é中.png", "OWN_UPPERCASE.JPEG", "multipage.tiff"}
