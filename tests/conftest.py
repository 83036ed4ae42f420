"""What every test shares: no time limits inside hypothesis, one torch thread, and a store of its own."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("shared", deadline=None, max_examples=25)
settings.load_profile("shared")


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing a test trains lands in the user's store."""
    store = tmp_path / "store"
    monkeypatch.setenv("GATESCOPE_STORE", str(store))
    return store


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    """Small tensors are slower on many threads, and two test processes must not fight for the cores."""
    import torch

    torch.set_num_threads(1)
