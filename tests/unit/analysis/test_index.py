"""What the index holds is what a fresh encode gives; every count is what a loop over the stored rows counts."""

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from bncl_core.analysis.build import build_index, encode, keep_side
from bncl_core.analysis.factors import best_factor, closes_background, factor_auroc
from bncl_core.analysis.gates import active_rate_by, auroc, before_and_after, open_rate_by, veto_rate_by
from bncl_core.analysis.headline import clearest, differences, headline
from bncl_core.analysis.index import ACTIVE, Index
from bncl_core.analysis.origin import gate_origin
from bncl_core.data.sets.scenes import Scenes
from bncl_core.models.backbones.small_conv import SmallConv
from bncl_core.models.encoder import EncoderConfig
from bncl_core.models.gate import Gate
from bncl_core.objectives.bayes_ncl import BayesNCL
from bncl_core.objectives.ncl import NCL
from bncl_core.objectives.ncl_topk import NCLTopK
from bncl_core.objectives.simclr import SimCLR
from bncl_core.studies.checkpoint import Checkpoint, load_checkpoint
from bncl_core.studies.record import create_run, record
from bncl_core.studies.run import Run
from bncl_core.studies.study import create_study
from bncl_core.training.config import RunConfig
from bncl_core.training.loop import TrainState

SCENES = Scenes(n_train=192, n_test=90)
KINDS = {
    "ste": (BayesNCL(), "rep_relu", Gate(kind="ste")),
    "soft": (BayesNCL(), "rep_relu", Gate(kind="soft")),
    "softplus": (BayesNCL(), "softplus", Gate(kind="concrete", threshold=0.52)),
    "topk": (NCLTopK(), "relu", Gate(kind="topk", topk=3)),
    "ncl": (NCL(), "rep_relu", Gate()),
    "signed": (SimCLR(), "none", Gate()),
}
Made = tuple[Run, Checkpoint, Index]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    study = create_study(tmp_path_factory.mktemp("store"), "s")
    out = {}
    for name, (objective, map_, gate) in KINDS.items():
        encoder = EncoderConfig(SmallConv(width=2), hidden=16, dimensions=10, non_negative=map_, gate=gate)
        run = record(
            create_run(study.path, RunConfig(SCENES, objective, encoder, epochs=1, batch=64), name),
            SCENES.load("train"),
        )
        checkpoint = load_checkpoint(run)
        out[name] = (run, checkpoint, build_index(run, checkpoint, SCENES.load("test")))
    return out


@pytest.fixture(params=KINDS)
def one(request: pytest.FixtureRequest, made: dict[str, Made]) -> Made:
    return made[request.param]


def test_stored_is_what_a_fresh_encode_gives_within_float16(one: Made) -> None:
    _, checkpoint, index = one
    images = SCENES.load("test").images
    whole = [codes for _, codes in encode(checkpoint.encoder, images, batch=37)]
    z = torch.cat([c.z for c in whole]).numpy()
    alpha = torch.cat([c.alpha for c in whole]).numpy()
    gated = torch.cat([c.gated for c in whole]).numpy()
    np.testing.assert_allclose(index.codes("ungated"), z, atol=1e-3)
    np.testing.assert_allclose(np.asarray(index.gates, np.float32).T, alpha, atol=1e-3)
    np.testing.assert_allclose(index.codes("gated"), gated, atol=1e-3)
    for dimension in range(index.k):
        np.testing.assert_allclose(index.gated_of(dimension), gated[:, dimension], atol=1e-3)
        if not index.is_soft:
            mask = torch.cat([c.m for c in whole]).numpy()[:, dimension] > 0.5
            assert (index.mask_of(dimension) == mask).mean() == 1, "rounding must not move a gate over its threshold"
    values, gates, after = index.image(11)
    np.testing.assert_allclose(values, z[11], atol=1e-3)
    np.testing.assert_allclose(gates, alpha[11], atol=1e-3)
    np.testing.assert_allclose(after, gated[11], atol=1e-3)


def test_table_is_what_loops_over_the_images_count(one: Made) -> None:
    *_, index = one
    table = index.dimensions
    assert list(table["dimension"]) == list(range(index.k))
    for dimension in range(index.k):
        values, mask = index.values_of(dimension), index.mask_of(dimension)
        row = table.iloc[dimension]
        active = [i for i in range(index.n) if abs(values[i]) > ACTIVE]
        used = [i for i in active if mask[i]]
        assert row["active"] == len(active)
        assert row["open"] == sum(bool(m) for m in mask)
        assert row["active_open"] == row["labelled"] == len(used)
        assert row["vetoed"] == len(active) - len(used)
        if used:
            counts = np.bincount([index.labels[i] for i in used], minlength=len(index.classes))
            assert row["top_class_count"] == counts.max()
            assert row["consistency"] == pytest.approx(counts.max() / len(used))
            assert row["consistency_null_mean"] <= row["consistency_null_95"]
        else:
            assert np.isnan(row["consistency"])
            assert row["top_class"] == -1


@pytest.mark.parametrize("by", ["gated", "value", "vetoed"])
def test_top_is_the_full_sort(one: Made, by: str) -> None:
    *_, index = one
    for dimension in range(index.k):
        ids = index.top(dimension, index.n, by)
        values, mask = index.values_of(dimension), index.mask_of(dimension)
        strength = index.gated_of(dimension) if by == "gated" else values
        allowed = {i for i in range(index.n) if abs(values[i]) > ACTIVE}
        allowed &= {"gated": set(np.flatnonzero(mask)), "value": allowed, "vetoed": set(np.flatnonzero(~mask))}[by]
        assert set(ids.tolist()) == allowed
        assert (np.diff(strength[ids]) <= 0).all()
        assert ids[:3].tolist() == index.top(dimension, 3, by).tolist()


def test_rates_by_class_and_factor_are_the_loops(made: dict[str, Made]) -> None:
    *_, index = made["ste"]
    opened, active, vetoed = (rate(index, "background") for rate in (open_rate_by, active_rate_by, veto_rate_by))
    groups = index.factors["background"].to_numpy()
    for dimension in (0, 3, 9):
        mask, values = index.mask_of(dimension), np.abs(index.values_of(dimension)) > ACTIVE
        for number, name in enumerate(index.factor_values["background"]):
            inside = groups == number
            if not inside.any():
                assert np.isnan(opened.loc[dimension, name])
                continue
            assert opened.loc[dimension, name] == pytest.approx(mask[inside].mean())
            assert active.loc[dimension, name] == pytest.approx(values[inside].mean())
            assert vetoed.loc[dimension, name] == pytest.approx((values & ~mask)[inside].mean())
    with pytest.raises(
        ValueError, match="no categorical factor called 'colour'; known: class, background, flipped, object"
    ):
        open_rate_by(index, "colour")


def test_before_and_after_adds_up(made: dict[str, Made]) -> None:
    *_, index = made["ste"]
    for image in range(10):
        table = before_and_after(index, image)
        values, _, gated = index.image(image)
        assert len(table) == int((np.abs(values) > ACTIVE).sum())
        assert (table["value"].abs().diff().dropna() <= 0).all()
        assert (table.loc[~table["open"], "gated"] == 0).all()
        assert np.linalg.norm(gated) == pytest.approx(1, abs=2e-3) or np.linalg.norm(gated) == 0


def test_factor_areas_are_scikit_learns(made: dict[str, Made]) -> None:
    *_, index = made["softplus"]
    areas = factor_auroc(index)
    for dimension in (0, 4):
        for factor, names in index.factor_values.items():
            for number, name in enumerate(names):
                truth = (index.factors[factor] == number).to_numpy()
                if 0 < truth.sum() < index.n:
                    expected = roc_auc_score(truth, index.values_of(dimension))
                    assert areas.loc[dimension, (factor, name)] == pytest.approx(expected)
    best = best_factor(index)
    assert best["auroc"].to_numpy() == pytest.approx(areas.max(axis=1).to_numpy())


@given(st.lists(st.tuples(st.floats(-1, 1), st.booleans()), min_size=2, max_size=30))
def test_auroc_counts_pairs(pairs: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    wins = [1.0 if a > b else 0.5 if a == b else 0.0 for a in scores[truth] for b in scores[~truth]]
    if wins:
        assert auroc(scores, truth) == pytest.approx(np.mean(wins))
    else:
        assert np.isnan(auroc(scores, truth))


def test_without_a_gate_nothing_is_closed_and_the_question_is_undefined(made: dict[str, Made]) -> None:
    run, _, index = made["ncl"]
    assert (index.dimensions["open"] == index.n).all()
    assert (index.dimensions["vetoed"] == 0).all()
    assert np.isnan(closes_background(index)["closed_auroc"])
    assert headline(run, index)["open_rate"] == 1


def test_planted_gate_on_background_is_found(made: dict[str, Made], tmp_path: Path) -> None:
    """Dimensions that are exactly one background or object; the gate closes the background ones."""
    *_, index = made["ste"]
    truth = [("background", 0), ("background", 1), ("object", 0), ("object", 2), ("background", 3), ("object", 5)]
    values = np.stack([(index.factors[f] == v).to_numpy() for f, v in truth]).astype(np.float16)
    gates = np.stack([np.full(index.n, 0.2 if f == "background" else 0.9) for f, _ in truth]).astype(np.float16)
    from bncl_core.analysis.dimensions import dimension_table

    class Planted(Index):
        pass

    planted = Planted(index.path, index.manifest | {"k": len(truth)})
    planted.__dict__ |= {"values": values, "gates": gates, "norms": np.ones(index.n, np.float32)}
    planted.__dict__["dimensions"] = dimension_table(planted)
    found = closes_background(planted)
    assert (found["background"], found["other"], found["closed_auroc"]) == (3, 3, 1.0)
    assert list(best_factor(planted)["factor"]) == [f for f, _ in truth]


@given(st.floats(0, 1, width=32), st.sampled_from([1e-5, 0.3, 0.5]), st.booleans())
def test_keep_side_stays_on_its_side_and_near(number: float, line: float, negative: bool) -> None:
    exact = np.array([[-number if negative else number]], np.float32)
    half = keep_side(exact, line)
    assert half.dtype == np.float16
    assert (abs(float(half[0, 0])) > line) == (abs(float(exact[0, 0])) > line)
    assert abs(float(half[0, 0]) - float(exact[0, 0])) <= 1e-3


def test_codes_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="1 codes are not finite"):
        keep_side(np.array([[np.nan, 0.5]], np.float32), 0.5)


def test_building_again_replaces_and_leaves_no_rubbish(made: dict[str, Made]) -> None:
    run, checkpoint, index = made["ncl"]
    again = build_index(run, checkpoint, SCENES.load("test"))
    assert [p.name for p in (run.path / "index").iterdir()] == ["scenes-test"]
    pd.testing.assert_frame_equal(again.dimensions, index.dimensions)
    assert len(list((run.path.parent / "images").iterdir())) == 1, "one copy of the pictures for all runs"


def test_differences_lists_only_what_differs(made: dict[str, Made]) -> None:
    table = differences([made["ste"][0], made["ncl"][0]])
    assert table.loc["objective.name"].tolist() == ["bayes_ncl", "ncl"]
    assert table.loc["objective.prior"].tolist() == ["0.8", "—"]
    assert "seed" not in table.index
    assert "encoder.hidden" not in table.index


def test_gate_origin_sees_the_untrained_encoder_as_its_first_step_does(made: dict[str, Made]) -> None:
    """One batch of all images, normalised by its own statistics; counted here dimension by dimension."""
    from bncl_core.data.augment import to_float
    from bncl_core.studies.record import read_config

    run, _, index = made["ste"]
    images = SCENES.load("test")
    config = dataclasses.replace(read_config(run.path), batch=len(images))
    encoder = TrainState.fresh(config, images).encoder.train()
    with torch.no_grad():
        alpha = encoder(to_float(torch.from_numpy(images.images))).alpha.numpy()
    start = [float((alpha[:, dimension] > 0.5).mean()) for dimension in range(index.k)]
    found = gate_origin(index, config, images)
    assert found["start_open_rate"] == pytest.approx(np.mean(start))
    never = [d for d in range(index.k) if index.dimensions["open"][d] == 0]
    assert found["never_open"] == len(never)
    assert found["never_open_at_start"] == sum(start[d] < 0.5 for d in never)


def test_clearest_is_furthest_above_chance_not_rarest(made: dict[str, Made]) -> None:
    *_, index = made["softplus"]
    found = clearest(index, index.k, least=1)
    above = (found["consistency"] - found["consistency_null_95"]).to_numpy()
    assert len(found) == int((index.dimensions["active_open"] >= 1).sum())
    assert (np.diff(above) <= 0).all()
    assert len(clearest(index, 2, least=1)) == 2
    assert clearest(index, 5, least=index.n + 1).empty
