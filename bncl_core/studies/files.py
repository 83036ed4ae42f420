"""Atomic files: write to a temporary name in the same folder, fsync, rename.

A reader therefore sees the old file or the new one, never half of one, whenever the writer is killed.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

try:
    import fcntl
except ImportError:  # not a POSIX system: a run is then never known to be alive, only resumable
    fcntl = None  # type: ignore[assignment]


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A binary file that takes the name `path` when the block ends without an exception."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, where the system lets a folder be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # not offered on this system: the rename is still atomic, only not yet durable
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, data: Any) -> None:
    """Write `data` as indented JSON. NaN is refused (ValueError): say None and why instead."""
    text = json.dumps(data, indent=1, sort_keys=True, allow_nan=False)
    with replacing(path) as file:
        file.write(text.encode() + b"\n")


def read_json(path: Path) -> Any:
    """The JSON in `path`; FileNotFoundError when absent, ValueError naming the file when it is not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not valid JSON ({error})") from error


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in `path`; ValueError naming the file when it holds anything else."""
    data = read_json(path)
    if not isinstance(data, dict):
        raise ValueError(f"{path} holds no JSON object but a {type(data).__name__}")
    return data


def write_array(path: Path, array: np.ndarray) -> None:
    """Write an .npy file."""
    with replacing(path) as file:
        np.save(file, array, allow_pickle=False)


def read_array(path: Path) -> np.ndarray:
    """Memory-map an .npy file, read-only, without pickles. ValueError naming the file when it is damaged."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise ValueError(f"{path} is not a readable array ({error})") from error


def write_with(path: Path, writer: Callable[[BinaryIO], None]) -> None:
    """Let `writer` fill the file that will take the name `path`."""
    with replacing(path) as file:
        writer(file)


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Hold the lock file `path` while the block runs; RuntimeError when another process holds it.

    The system releases the lock when the process ends, however it ends.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RuntimeError(f"another process is working on {path.parent}. Wait for it or stop it.") from error
        yield


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock file `path`."""
    if fcntl is None or not path.exists():
        return False
    with open(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno in (errno.EACCES, errno.EAGAIN)
    return False
