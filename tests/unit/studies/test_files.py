import json
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from bncl_core.studies.files import holding, is_held, read_array, read_json, write_array, write_json, write_with


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"old": 1})

    def half(file: BinaryIO) -> None:
        file.write(b"half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_with(path, half)
    assert read_json(path) == {"old": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_nan_is_refused_rather_than_written_as_no_json(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", {"x": float("nan")})
    assert not list(tmp_path.iterdir())


def test_damaged_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"half": ')
    with pytest.raises(ValueError, match=r"a\.json is not valid JSON"):
        read_json(tmp_path / "a.json")
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00{'descr'")
    with pytest.raises(ValueError, match=r"a\.npy is not a readable array"):
        read_array(tmp_path / "a.npy")


def test_pickled_arrays_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"x": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a\.npy is not a readable array"):
        read_array(tmp_path / "a.npy")


def test_arrays_come_back_mapped(tmp_path: Path) -> None:
    write_array(tmp_path / "a.npy", np.arange(6).reshape(2, 3))
    array = read_array(tmp_path / "a.npy")
    assert isinstance(array, np.memmap)
    assert array.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_lock_is_seen_by_others_and_free_after_a_kill(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    code = (
        "import sys, time; from pathlib import Path; from bncl_core.studies.files import holding\n"
        "with holding(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(lock)],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    assert is_held(lock)
    with pytest.raises(RuntimeError, match="another process is working on"), holding(lock):
        pass
    child.kill()
    child.wait()
    assert not is_held(lock)
    with holding(lock):
        pass


def test_json_is_canonical_text(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": 1, "a": [1.5, None]})
    assert json.loads((tmp_path / "a.json").read_text()) == {"a": [1.5, None], "b": 1}
