"""The scenes: what is drawn, what is known about it, and on what it depends."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from bncl_core.data.sets import ImageSource, image_sets
from bncl_core.data.sets import _scenery as scenery
from bncl_core.data.sets.scenes import Scenes
from bncl_core.spec import digest, field_help, from_json, to_json

SKY = Scenes.backgrounds.index("sky")
BIRD, AEROPLANE = Scenes.objects.index("bird"), Scenes.objects.index("aeroplane")
TABLES = [
    Scenes(),
    Scenes(sharing=("all",), shared=0.7),
    Scenes(sharing=("car", "cat", "fish"), shared_background="indoor", shared=0.9, background_frequency=0.2),
    Scenes(weights=(9.0, 1.0, 2.0, 3.0, 0.0, 1.0, 1.0, 0.0), background_frequency=0.1),
    Scenes(sharing=(), background_frequency=1.0),
]


def same(first: Any, second: Any) -> None:
    np.testing.assert_array_equal(first.images, second.images)
    assert first.factors.keys() == second.factors.keys()
    for name, values in first.factors.items():
        np.testing.assert_array_equal(values, second.factors[name], err_msg=name)


def test_it_is_registered_and_big_enough_to_measure_with() -> None:
    assert image_sets["scenes"] is Scenes
    assert len(Scenes.objects) >= 8
    assert len(Scenes.backgrounds) >= 6
    assert {"bird", "aeroplane"} <= set(Scenes.objects)


def test_load_gives_uint8_images_labels_and_classes() -> None:
    source = Scenes(n_train=30, n_test=20)
    train, test = source.load("train"), source.load("test")
    assert train.images.shape == (30, 32, 32, 3)
    assert test.images.shape == (20, 32, 32, 3)
    assert train.images.dtype == np.uint8
    assert train.classes == Scenes.objects
    assert train.labels is not None
    np.testing.assert_array_equal(train.labels, train.factors["object"])


def test_loading_twice_gives_the_same_bytes() -> None:
    assert Scenes(n_train=64).load("train").fingerprint == Scenes(n_train=64).load("train").fingerprint


def test_the_bytes_are_the_same_on_every_machine() -> None:
    # a new number here means that every stored index of this set is about other images
    assert Scenes(n_train=256).load("train").fingerprint == "2046dc73c90eee05"


def test_a_longer_set_begins_with_the_shorter_one() -> None:
    same(Scenes(n_train=100).load("train"), Scenes(n_train=2100).draw("train", 0, 100))
    long = Scenes(n_train=2100).load("train")
    np.testing.assert_array_equal(Scenes(n_train=100).load("train").images, long.images[:100])


def test_an_image_does_not_depend_on_its_company() -> None:
    source = Scenes()
    whole = source.draw("train", 10, 60)
    for start, stop in ((10, 11), (11, 35), (35, 60)):
        part = source.draw("train", start, stop)
        np.testing.assert_array_equal(part.images, whole.images[start - 10 : stop - 10])


def test_the_edge_of_a_block_of_random_numbers_is_not_seen() -> None:
    edge = scenery.BLOCK
    whole = Scenes().draw("train", edge - 3, edge + 3)
    before, after = Scenes().draw("train", edge - 3, edge), Scenes().draw("train", edge, edge + 3)
    np.testing.assert_array_equal(whole.images, np.concatenate([before.images, after.images]))
    assert len(np.unique(whole.factors["x"])) == 6


def test_splits_and_seeds_hold_different_images() -> None:
    train, test, other = Scenes().draw("train", 0, 500), Scenes().draw("test", 0, 500), Scenes(seed=1)
    seen = {image.tobytes() for image in train.images}
    assert len(seen) == 500
    assert not seen & {image.tobytes() for image in test.images}
    assert not seen & {image.tobytes() for image in other.draw("train", 0, 500).images}


@pytest.mark.parametrize("source", TABLES)
def test_rows_of_the_table_sum_to_one(source: Scenes) -> None:
    table = source.table()
    assert table.shape == (len(Scenes.objects), len(Scenes.backgrounds))
    assert table.dtype == np.float64
    assert (table >= 0).all()
    np.testing.assert_allclose(table.sum(1), 1.0, atol=1e-12)


def test_the_default_table_is_bird_and_aeroplane_share_the_sky() -> None:
    table = Scenes().table()
    np.testing.assert_allclose(table[[BIRD, AEROPLANE], SKY], 0.5)
    np.testing.assert_array_equal(np.delete(table[:, SKY], [BIRD, AEROPLANE]), 0.0)


@pytest.mark.parametrize("source", TABLES)
def test_backgrounds_occur_as_often_as_the_table_says(source: Scenes) -> None:
    truth = source.truth("train", 0, 40_000)
    kinds, backgrounds = truth["object"], truth["background"]
    table = source.table()
    for kind in range(len(Scenes.objects)):
        mine = backgrounds[kinds == kind]
        assert abs(len(mine) - 4000) < 4 * np.sqrt(40_000 * 0.1 * 0.9)
        share = np.bincount(mine, minlength=len(Scenes.backgrounds)) / len(mine)
        error = np.sqrt(table[kind] * (1 - table[kind]) / len(mine))
        assert (np.abs(share - table[kind]) <= 4 * error + 1e-12).all(), Scenes.objects[kind]


@pytest.mark.parametrize("frequency", [0.1, 0.5, 0.9])
def test_all_objects_may_share_a_background_of_chosen_frequency(frequency: float) -> None:
    source = Scenes(sharing=("all",), shared=frequency)
    np.testing.assert_allclose(source.table()[:, SKY], frequency)
    share = (source.truth("test", 0, 20_000)["background"] == SKY).mean()
    assert abs(share - frequency) < 4 * np.sqrt(frequency * (1 - frequency) / 20_000)


def test_raising_the_frequency_only_moves_images_onto_the_shared_background() -> None:
    rare = Scenes(sharing=("all",), shared=0.2).draw("train", 0, 300)
    common = Scenes(sharing=("all",), shared=0.6).draw("train", 0, 300)
    moved = rare.factors["background"] != common.factors["background"]
    assert 0.25 < moved.mean() < 0.55
    assert (common.factors["background"][moved] == SKY).all()
    np.testing.assert_array_equal(rare.images[~moved], common.images[~moved])


def test_factors_are_complete_and_in_range() -> None:
    drawn = Scenes().draw("train", 0, 2000)
    ranges = {
        "x": (0, 1), "y": (0, 1), "size": (0.5, 0.9), "rotation": (-30, 30), "pose": (0, 1), "hue": (0, 1),
        "brightness": (0.75, 1.1), "horizon": (0.25, 0.65),
    }  # fmt: skip
    assert set(drawn.factors) == set(ranges) | {"object", "background", "flipped"}
    for name, (low, high) in ranges.items():
        values = drawn.factors[name]
        assert np.issubdtype(values.dtype, np.floating), name
        assert low <= values.min() < values.max() <= high, name
    for name, names in drawn.values.items():
        values = drawn.factors[name]
        assert np.issubdtype(values.dtype, np.integer), name
        assert set(values.tolist()) == set(range(len(names))), name
    assert drawn.values.keys() == {"object", "background", "flipped"}


def test_hue_says_nothing_about_the_kind_of_object() -> None:
    truth = Scenes().truth("train", 0, 40_000)
    for kind in range(len(Scenes.objects)):
        share = np.histogram(truth["hue"][truth["object"] == kind], 6, (0, 1))[0] / (truth["object"] == kind).sum()
        assert (np.abs(share - 1 / 6) < 4 * np.sqrt(1 / 6 * 5 / 6 / 3800)).all()


def test_the_object_stands_where_the_factors_say() -> None:
    source = Scenes(size=64)
    cover = source.silhouettes("train", 0, 300).astype(float)
    truth = source.truth("train", 0, 300)
    at = (np.arange(64) + 0.5) / 64
    mass = cover.sum((1, 2))
    assert (mass > 0).all()
    assert (np.abs((cover * at).sum((1, 2)) / mass - truth["x"]) < 0.2 * truth["size"]).all()
    assert (np.abs((cover * at[:, None]).sum((1, 2)) / mass - truth["y"]) < 0.2 * truth["size"]).all()


def test_outside_its_rim_an_object_leaves_the_background_alone() -> None:
    here = Scenes(sharing=("all",), shared=1.0)
    there = dataclasses.replace(here, shared_background="night")
    cover = here.silhouettes("train", 0, 50) == 255
    np.testing.assert_array_equal(cover, there.silhouettes("train", 0, 50) == 255)
    first, second = here.draw("train", 0, 50).images, there.draw("train", 0, 50).images
    differs = np.abs(first.astype(int) - second).max(3) > 3
    assert not differs[cover].any()
    assert differs[~cover].mean() > 0.9


def test_a_larger_size_shows_the_same_scenes() -> None:
    small, large = Scenes().draw("train", 0, 100), Scenes(size=64).draw("train", 0, 100)
    assert large.images.shape == (100, 64, 64, 3)
    for name in small.factors:
        np.testing.assert_array_equal(small.factors[name], large.factors[name])
    shrunk = large.images.reshape(100, 32, 2, 32, 2, 3).mean((2, 4))
    a = small.images.reshape(100, -1) - small.images.reshape(100, -1).mean(1, keepdims=True)
    b = shrunk.reshape(100, -1) - shrunk.reshape(100, -1).mean(1, keepdims=True)
    correlation = (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))
    assert correlation.min() > 0.9


@pytest.mark.parametrize("size", [16, 33])
def test_any_size_in_the_range_is_drawn(size: int) -> None:
    assert Scenes(size=size).draw("test", 0, 80).images.shape == (80, size, size, 3)


def test_every_kind_of_object_and_background_has_structure() -> None:
    drawn = Scenes().draw("train", 0, 600)
    grey = drawn.images.astype(float).mean(3)
    for name, names in (("object", Scenes.objects), ("background", Scenes.backgrounds)):
        for kind in range(len(names)):
            mine = grey[drawn.factors[name] == kind]
            assert mine.std((1, 2)).min() > 8, names[kind]


def test_mean_and_std_describe_the_default_set() -> None:
    drawn = Scenes().draw("train", 0, 2000)
    pixels = drawn.images.reshape(-1, 3) / 255
    np.testing.assert_allclose(pixels.mean(0), drawn.mean, atol=0.015)
    np.testing.assert_allclose(pixels.std(0), drawn.std, atol=0.015)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"size": 8}, "size is 8; an image's side has 16 to 256 pixels"),
        ({"n_train": 0}, "n_train is 0; a split holds at least one image"),
        ({"n_test": -1}, "n_test is -1"),
        ({"shared": 1.5}, "shared is 1.5; a probability lies in 0…1"),
        ({"shared": float("nan")}, "shared is nan"),
        ({"background_frequency": -0.1}, "background_frequency is -0.1"),
        ({"sharing": ("bird", "airplane")}, "no object called 'airplane'; sharing may name: all, bird"),
        ({"shared_background": "moon"}, "no background called 'moon'; there are: sky"),
        ({"weights": (1.0, 2.0)}, "weights holds 2 numbers; give one for each of the 8"),
        ({"weights": (1.0, -1.0) + (1.0,) * 6}, "each must be zero or a positive number"),
        ({"weights": (1.0,) + (0.0,) * 7}, "a background besides sky must be positive"),
    ],
)
def test_bad_parameters_are_refused_with_a_sentence(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        Scenes(**parameters)
    assert sentence in str(error.value)


def test_unknown_splits_and_empty_ranges_are_refused() -> None:
    with pytest.raises(ValueError, match="no split called 'validation'"):
        Scenes().load("validation")
    with pytest.raises(ValueError, match="give 0 ≤ start < stop"):
        Scenes().draw("train", 5, 5)
    with pytest.raises(ValueError, match="give 0 ≤ start < stop"):
        Scenes().draw("train", -1, 5)


@pytest.mark.parametrize("source", TABLES)
def test_json_round_trip(source: Scenes) -> None:
    data = json.loads(json.dumps(to_json(source)))
    again = from_json(ImageSource, data)
    assert again == source
    assert digest(again) == digest(source)


def test_every_field_has_help() -> None:
    assert set(field_help(Scenes)) == {field.name for field in dataclasses.fields(Scenes)}
