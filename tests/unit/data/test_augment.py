"""The parts of a view, one by one: pixels, colour operations, resize and blur matrices."""

import colorsys

import numpy as np
import pytest
import torch
import torchvision.transforms.functional as reference

from bncl_core.data import colour
from bncl_core.data.augment import to_float
from bncl_core.data.draws import ViewParameters
from bncl_core.data.separable import along_columns, along_rows, blur_matrix, resize_matrix
from bncl_core.data.sets.scenes import Scenes
from bncl_core.data.views import Views
from bncl_core.seeds import rng

IMAGES = torch.from_numpy(Scenes(n_train=64, n_test=1).load("train").images)
PICTURES = to_float(IMAGES)


def test_pixels_become_floats_channel_first() -> None:
    expected = IMAGES.numpy().transpose(0, 3, 1, 2) / np.float32(255)
    assert np.array_equal(PICTURES.numpy(), expected)
    assert PICTURES.is_contiguous()


@pytest.mark.parametrize("wrong", [torch.zeros(1, 4, 4, 3), torch.zeros(1, 3, 4, 4, dtype=torch.uint8), IMAGES[0]])
def test_only_uint8_pictures_are_taken(wrong: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="images must be uint8"):
        to_float(wrong)


PAIRS = [
    (colour.brightness, reference.adjust_brightness, 1.5),
    (colour.brightness, reference.adjust_brightness, 0.3),
    (colour.contrast, reference.adjust_contrast, 1.7),
    (colour.contrast, reference.adjust_contrast, 0.2),
    (colour.saturation, reference.adjust_saturation, 1.8),
    (colour.saturation, reference.adjust_saturation, 0.0),
    (colour.hue, reference.adjust_hue, 0.17),
    (colour.hue, reference.adjust_hue, -0.2),
    (colour.hue, reference.adjust_hue, 0.5),
]


@pytest.mark.parametrize(("ours", "theirs", "factor"), PAIRS)
def test_each_colour_operation_is_torchvisions(ours, theirs, factor: float) -> None:
    out = ours(PICTURES, torch.full((64,), factor))
    expected = torch.stack([theirs(picture, factor) for picture in PICTURES])
    torch.testing.assert_close(out, expected, atol=2e-4, rtol=0)  # a twentieth of a grey level
    in_levels = torch.stack([theirs(picture, factor) for picture in IMAGES.permute(0, 3, 1, 2)])
    assert (out * 255 - in_levels).abs().max() <= 2  # torchvision rounds between its steps


def test_grey_is_torchvisions() -> None:
    torch.testing.assert_close(colour.grey(PICTURES), reference.rgb_to_grayscale(PICTURES))


def test_grey_pictures_stay_grey_under_hue_and_black_stays_black() -> None:
    flat = torch.from_numpy(rng(0, "grey").random((4, 1, 5, 5), dtype=np.float32)).expand(4, 3, 5, 5)
    torch.testing.assert_close(colour.hue(flat, torch.full((4,), 0.3)), flat)
    assert not colour.hue(torch.zeros(2, 3, 4, 4), torch.full((2,), 0.3)).any()


def test_jitter_of_each_image_follows_its_own_order() -> None:
    p = Views(mode="exact", crop_low=1.0, jitter=1.0, grey=0.3, blur=0.0).draw(0, 0, 0, np.arange(64), 32, 32)
    before = PICTURES.clone()
    ours = colour.jitter_exact(PICTURES, p)
    assert torch.equal(PICTURES, before)
    steps = (reference.adjust_brightness, reference.adjust_contrast, reference.adjust_saturation, reference.adjust_hue)
    for i, picture in enumerate(PICTURES):
        out = picture
        for number in p.order[i]:
            out = steps[number](out, float(p.factors[i, number]))
        out = reference.rgb_to_grayscale(out, 3) if p.grey[i] else out
        torch.testing.assert_close(ours[i], out, atol=1 / 255, rtol=0)
    assert len({tuple(order) for order in p.order}) > 15


def only_colour(n: int, factors: tuple[float, float, float, float], grey: bool = False) -> ViewParameters:
    z, each = np.zeros(n, np.float32), np.tile(np.array(factors, np.float32), (n, 1))
    return ViewParameters(z, z, z, z, z > 1, each, np.tile(np.arange(4), (n, 1)), np.full(n, grey), z)


@pytest.mark.parametrize("factors", [(1.1, 0.9, 0.8, 0.0), (0.9, 1.1, 1.15, 0.0), (1.0, 0.6, 1.0, 0.0)])
def test_fast_jitter_is_the_exact_one_where_nothing_is_clipped_and_no_hue_turned(factors) -> None:
    middle = 0.35 + 0.3 * PICTURES
    p = only_colour(64, factors)
    torch.testing.assert_close(colour.jitter_fast(middle, p), colour.jitter_exact(middle, p), atol=1e-4, rtol=0)


def hue_of(pictures: torch.Tensor) -> np.ndarray:
    """Hue of one-pixel pictures, in turns."""
    return np.array([colorsys.rgb_to_hsv(*pixel)[0] for pixel in pictures.flatten(1).tolist()])


@pytest.mark.parametrize("turn", [0.05, -0.05, 0.2])
def test_fast_hue_turns_as_far_on_average_and_keeps_the_lightness(turn: float) -> None:
    ring = torch.tensor([colorsys.hsv_to_rgb(i / 48, 0.2, 0.6) for i in range(48)]).view(48, 3, 1, 1)
    p = only_colour(48, (1.0, 1.0, 1.0, turn))
    exact, fast = ((hue_of(f(ring, p)) - hue_of(ring)) for f in (colour.jitter_exact, colour.jitter_fast))
    np.testing.assert_allclose((exact + 0.5) % 1 - 0.5, turn, atol=1e-5)
    turned = ((fast + 0.5) % 1 - 0.5) / turn
    assert turned.mean() == pytest.approx(1, abs=0.1)
    assert turned.min() > 0.6
    assert turned.max() < 1.6
    weights = torch.tensor(colour.YIQ[0], dtype=torch.float32)
    torch.testing.assert_close(weights @ colour.jitter_fast(ring, p).flatten(2), weights @ ring.flatten(2))


def test_fast_grey_is_grey_whatever_the_saturation_and_hue() -> None:
    out = colour.jitter_fast(PICTURES, only_colour(64, (1.0, 1.0, 1.8, 0.2), grey=True))
    torch.testing.assert_close(out, colour.grey(PICTURES).expand_as(out), atol=1e-3, rtol=0)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 2.0])
def test_blur_is_torchvisions_with_a_kernel_that_holds_all_of_it(sigma: float) -> None:
    matrix = blur_matrix(torch.full((64,), sigma), 32, reach=8)
    ours = along_columns(along_rows(PICTURES, matrix), matrix)
    torch.testing.assert_close(ours, reference.gaussian_blur(PICTURES, [17, 17], [sigma, sigma]), atol=1e-5, rtol=0)


@pytest.mark.parametrize("side", [1, 2, 3, 9])
def test_blur_of_a_short_axis_is_mirrored_as_often_as_it_takes(side: int) -> None:
    sigma, reach = 1.7, 7
    taps = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    taps /= taps.sum()
    rows = rng(side, "rows").random((5, side))
    expected = [np.convolve(np.pad(row, reach, mode="reflect"), taps, mode="valid") for row in rows]
    ours = torch.from_numpy(rows).float() @ blur_matrix(torch.tensor([sigma]), side, reach)[0].T
    np.testing.assert_allclose(ours.numpy(), expected, atol=1e-6)


def test_no_blur_and_a_hair_of_it_are_the_identity_without_denormals() -> None:
    sigma = torch.tensor([0.0, 0.1, 0.14, 0.2])
    matrix = blur_matrix(sigma, 16, reach=8)
    torch.testing.assert_close(matrix, torch.eye(16).expand(4, 16, 16), atol=1e-5, rtol=0)
    assert torch.equal(matrix[0], torch.eye(16))
    assert matrix[matrix > 0].min() > 1e-8


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("start", "length", "outside"), [(0, 12, 12), (3, 5, 12), (0, 12, 5), (11, 1, 4), (2, 7, 1)])
def test_resize_rows_sum_to_one_and_read_only_the_crop(start: int, length: int, outside: int, exact: bool) -> None:
    box = torch.tensor([float(start)]), torch.tensor([float(length)])
    matrix = resize_matrix(*box, None, (outside, 12), exact)[0]
    torch.testing.assert_close(matrix.sum(dim=1), torch.ones(outside))
    beyond = torch.ones(12, dtype=torch.bool)
    beyond[start : start + length] = False
    assert not matrix[:, beyond].any()
    flipped = resize_matrix(*box, torch.tensor([True]), (outside, 12), exact)[0]
    torch.testing.assert_close(flipped, matrix.flip(0), atol=1e-5, rtol=0)
    if length == outside:
        assert torch.equal(matrix[:, start : start + length], torch.eye(outside))


def test_products_along_an_axis() -> None:
    draws = rng(0, "products")
    images = torch.from_numpy(draws.random((2, 3, 4, 5)))
    across, down = torch.from_numpy(draws.random((2, 6, 5))), torch.from_numpy(draws.random((2, 7, 4)))
    torch.testing.assert_close(along_rows(images, across), torch.einsum("nchw,now->ncho", images, across))
    torch.testing.assert_close(along_columns(images, down), torch.einsum("nchw,noh->ncow", images, down))
