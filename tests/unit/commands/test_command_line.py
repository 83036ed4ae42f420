"""The commands of the README, and what they say when something is wrong."""

import json
from pathlib import Path

import numpy as np
import pytest

from bncl_core.__main__ import commands, main
from bncl_core.studies.study import find_run, list_studies

REFERENCE = Path(__file__).parents[2] / "reference" / "data"
SMALL = "--data-n-train 192 --data-n-test 60 --width 2 --hidden 16 --dimensions 12 --epochs 1 --batch 64"
TINY = [*SMALL.split(), "--threads", "1", "--device", "cpu"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_train_index_measure_list(capsys: pytest.CaptureFixture[str], own_store: Path) -> None:
    status, out, err = run(capsys, "train", "--dataset", "scenes", "--objective", "bayes_ncl", "--name", "one", *TINY)
    assert status == 0
    assert out.strip() == str(own_store / "first" / "one")
    for shown in ("epoch 1.00/1", "nt_xent", "kl", "open", "images/s"):
        assert shown in err
    status, out, err = run(capsys, "index", "first/one", "--threads", "1")
    assert status == 0
    assert "60 images, 12 dimensions" in err
    status, out, _ = run(capsys, "measure", "one", "--json", "--threads", "1")
    assert status == 0
    found = json.loads(out)["scenes-test"]
    assert set(found["probes"]) == {"h", "z", "gated", "chance"}
    assert found["provenance"]["checkpoint"] == 3
    assert find_run("one").evaluations()["scenes-test"] == found
    status, out, _ = run(capsys, "list", "--json")
    (row,) = [row for row in json.loads(out) if row["study"] == "first"]
    assert (row["name"], row["status"], row["objective"], row["indexes"]) == (
        "one",
        "complete",
        "bayes_ncl",
        ["scenes-test"],
    )
    status, out, _ = run(capsys, "gates", "one", "--json")
    gates = json.loads(out)
    assert status == 0
    assert 0 <= gates["open_rate"] <= 1
    assert gates["background"] + gates["other"] <= 12
    assert run(capsys, "measure", "one", "--no-probes", "--threads", "1")[1].startswith("scenes-test\ngated n 60  k 12")


@pytest.mark.parametrize("case", ["sparse_c10", "dead_and_rare", "one_class", "signed"])
def test_measure_prints_the_published_names_for_anyones_arrays(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays = np.load(REFERENCE / "arrays.npz")
    expected = json.loads((REFERENCE / "expected.json").read_text())["metrics"][case]
    name = next(key for key in arrays.files if key.endswith(f"{case}/codes"))
    np.save(tmp_path / "F.npy", arrays[name])
    np.save(tmp_path / "y.npy", arrays[name.replace("codes", "labels")])
    files = ("--codes", str(tmp_path / "F.npy"), "--labels", str(tmp_path / "y.npy"))
    status, out, _ = run(capsys, "measure", *files, "--json")
    assert status == 0
    published = json.loads(out)["published"]
    for key, value in expected.items():
        if not key.startswith("retrieval"):
            assert published[key] == pytest.approx(value, abs=1e-5), key
    assert run(capsys, "measure", *files[:2])[0] == 0, "labels are optional"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("train --objective bayes_nlc", "Did you mean 'bayes_ncl'?"),
        ("train --epohs 3", "--epohs 3 is not understood. Did you mean --epochs? See --help"),
        ("train --prior 1", "prior is 1.0; it is a probability strictly between 0 and 1"),
        ("train --temperature 0", "temperature is 0.0; similarities are divided by it"),
        ("train --gate-temperature 0", "gate temperature is 0.0"),
        ("train --gate topk", "objective bayes_ncl with gate 'topk'; it goes with: ste"),
        ("train --epochs two", "RunConfig.epochs is 'two'; expected int"),
        ("train --data-n-train 100 --batch 512", "the set has 100 images, fewer than one batch of 512: use --batch 50"),
        ("train --device cuda:7", "torch finds no CUDA device here"),
        ("train --device tpu", "device 'tpu'; allowed: auto, cpu, cuda, cuda:N"),
        ("train --resume nothing", "no run 'nothing'. Known:"),
        ("train --name ../up", "run '../up': use letters, digits"),
        ("train --study images", "study 'images': use letters, digits"),
        ("index nothing", "no run 'nothing'"),
        ("measure", "give a RUN, or --codes FILE"),
        ("measure --codes absent.npy", "there is no file absent.npy"),
        ("theory channel --q 2", "q is 2.0; it is a flip probability"),
        ("theory chanel", "Did you mean 'channel'?"),
    ],
)
def test_a_mistake_is_one_sentence_and_status_2(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(
        capsys, *words.split(), *([] if "device" in words or "train" not in words else ["--device", "cpu"])
    )
    assert status == 2
    assert out == ""
    assert said in err
    assert "Traceback" not in err
    assert not [run for study in list_studies() for run in study.runs() if study.path.parent.name == "store"], (
        "nothing is left behind"
    )


def test_a_study_gets_its_title_and_keeps_what_is_not_said_again(
    capsys: pytest.CaptureFixture[str], own_store: Path
) -> None:
    assert run(capsys, "study", "sky", "--title", "The sky", "--question", "Why?")[1].strip() == str(own_store / "sky")
    run(capsys, "study", "sky", "--question", "Why not?")
    (study,) = [study for study in list_studies() if study.name == "sky"]
    assert (study.title, study.question) == ("The sky", "Why not?")


def test_a_store_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("GATESCOPE_STORE", str(tmp_path / "file"))
    status, _, err = run(capsys, "train", "--dataset", "scenes", *TINY)
    assert status == 2
    assert f"{tmp_path / 'file'}" in err
    assert "Errno" not in err


def test_damaged_arrays_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "F.npy").write_bytes(b"not an array")
    status, _, err = run(capsys, "measure", "--codes", str(tmp_path / "F.npy"))
    assert status == 2
    assert "F.npy is not a readable array" in err


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_with_every_flag_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [name, *(["channel"] if name == "theory" else []), "--help"]
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert f"python -m bncl_core {name}" in out
    lines = out.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("  --"):
            explained = len(line.split("  ")) > 2 or following.startswith("      ")
            assert explained, line


def test_dry_run_prints_the_whole_config_and_trains_nothing(
    capsys: pytest.CaptureFixture[str], own_store: Path
) -> None:
    status, out, err = run(
        capsys, "train", "--dry-run", "--optimiser", "lars", "--scale", "linear", "--batch", "512", "--gate-rate", "0.1"
    )
    assert status == 0
    assert json.loads(out)["encoder"]["gate"]["kind"] == "ste"
    assert "learning rate 0.8, of the gate head 0.1" in err
    assert not own_store.exists()
