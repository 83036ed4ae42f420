"""Views against Pillow and torchvision, and independence of everything but (seed, epoch, image, view)."""

import numpy as np
import pytest
import torch
import torchvision.transforms.functional as reference
from PIL import Image
from torchvision.transforms import RandomResizedCrop

from bncl_core.data import colour
from bncl_core.data.augment import to_float
from bncl_core.data.draws import BLOCK, ViewParameters, uniforms
from bncl_core.data.separable import along_columns, along_rows, blur_matrix
from bncl_core.data.sets.scenes import Scenes
from bncl_core.data.views import Views
from bncl_core.seeds import rng
from bncl_core.spec import from_json, to_json

IMAGES = Scenes(n_train=400, n_test=1).load("train").images
IDS = np.arange(len(IMAGES))
PLAIN = {"jitter": 0.0, "grey": 0.0, "blur": 0.0}


def tensor(images: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(images))


def by_pillow(image: np.ndarray, p: ViewParameters, i: int, side: int) -> np.ndarray:
    """Crop, resize and flip one image the way Pillow does."""
    box = (p.left[i], p.top[i], p.left[i] + p.width[i], p.top[i] + p.height[i])
    out = Image.fromarray(image).crop(tuple(map(int, box))).resize((side, side), Image.Resampling.BICUBIC)
    array = np.asarray(out).astype(int)
    return array[:, ::-1] if p.flip[i] else array


@pytest.mark.parametrize(
    ("side", "shape"), [(32, (32, 32)), (24, (32, 32)), (48, (32, 32)), (32, (32, 20)), (16, (13, 7))]
)
def test_exact_crop_and_flip_are_pillows_to_one_grey_level(side: int, shape: tuple[int, int]) -> None:
    images = IMAGES[:, : shape[0], : shape[1]]
    views = Views(mode="exact", size=side, **PLAIN)
    p = views.draw(0, 0, 0, IDS, *shape)
    ours = (views(tensor(images), IDS, 0, 0, 0) * 255).round().numpy().transpose(0, 2, 3, 1).astype(int)
    theirs = np.stack([by_pillow(images[i], p, i, side) for i in IDS])
    assert (np.abs(ours - theirs) <= 1).mean() >= 0.999


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_an_image_gets_the_same_view_in_any_batch_order_and_chunk(mode: str) -> None:
    views = Views(mode=mode)
    whole = views(tensor(IMAGES), IDS, 3, 5, 1)
    order = rng(0, "order").permutation(len(IDS))
    shuffled = views(tensor(IMAGES[order]), IDS[order], 3, 5, 1)
    torch.testing.assert_close(shuffled, whole[order], atol=2e-6, rtol=0)
    alone = views(tensor(IMAGES[7:8]), IDS[7:8], 3, 5, 1)
    torch.testing.assert_close(alone, whole[7:8], atol=2e-6, rtol=0)


def test_numbers_of_an_image_do_not_depend_on_its_neighbours_or_its_block() -> None:
    ids = np.array([5, BLOCK - 1, BLOCK, BLOCK + 5, 3 * BLOCK + 2])
    together = uniforms(1, 2, 0, ids)
    for i, number in enumerate(ids):
        assert np.array_equal(uniforms(1, 2, 0, np.array([number]))[0], together[i])
    assert len({row.tobytes() for row in together}) == len(ids)


def test_views_epochs_and_seeds_differ() -> None:
    views = Views()
    pictures = [views(tensor(IMAGES[:8]), IDS[:8], *key) for key in [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]]
    for i in range(4):
        for j in range(i):
            assert not torch.equal(pictures[i], pictures[j])
    assert torch.equal(pictures[0], views(tensor(IMAGES[:8]), IDS[:8], 0, 0, 0))


def test_crops_follow_torchvisions_law() -> None:
    n, side = 20_000, 32
    p = Views().draw(0, 0, 0, np.arange(n), side, side)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        law = np.array(
            [RandomResizedCrop.get_params(torch.empty(3, side, side), [0.08, 1.0], [3 / 4, 4 / 3]) for _ in range(n)]
        )
    for ours, theirs in ((p.top, law[:, 0]), (p.left, law[:, 1]), (p.height, law[:, 2]), (p.width, law[:, 3])):
        error = np.sqrt(ours.var() / n + theirs.var() / n)
        assert abs(ours.mean() - theirs.mean()) < 4 * error
        assert ours.std() == pytest.approx(theirs.std(), rel=0.03)
    assert (p.top >= 0).all()
    assert (p.top + p.height <= side).all()
    assert (p.left + p.width <= side).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (64, 3)])
@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_thin_and_tiny_images(shape: tuple[int, int], mode: str) -> None:
    images = rng(0, "pixels").integers(0, 256, (9, *shape, 3), dtype=np.uint8)
    out = Views(mode=mode, size=8)(tensor(images), np.arange(9), 0, 0, 0)
    assert out.shape == (9, 3, 8, 8)
    assert torch.isfinite(out).all()
    assert out.min() >= 0
    assert out.max() <= 1


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_with_everything_off_a_view_is_the_image(mode: str) -> None:
    views = Views(mode=mode, crop_low=1.0, flip=0.0, **PLAIN)
    p = views.draw(0, 0, 0, IDS, 32, 32)
    whole = (p.width == 32) & (p.height == 32)
    assert whole.any()
    out = views(tensor(IMAGES), IDS, 0, 0, 0)
    torch.testing.assert_close(out[whole], to_float(tensor(IMAGES))[whole], atol=1e-5, rtol=0)


PAIRS = [
    (colour.brightness, reference.adjust_brightness, 1.5),
    (colour.brightness, reference.adjust_brightness, 0.3),
    (colour.contrast, reference.adjust_contrast, 1.7),
    (colour.contrast, reference.adjust_contrast, 0.2),
    (colour.saturation, reference.adjust_saturation, 1.8),
    (colour.saturation, reference.adjust_saturation, 0.0),
    (colour.hue, reference.adjust_hue, 0.17),
    (colour.hue, reference.adjust_hue, -0.2),
]


@pytest.mark.parametrize(("ours", "theirs", "factor"), PAIRS)
def test_each_colour_operation_is_torchvisions(ours, theirs, factor: float) -> None:
    pictures = to_float(tensor(IMAGES[:64]))
    out = ours(pictures, torch.full((64,), factor))
    expected = torch.stack([theirs(picture, factor) for picture in pictures])
    torch.testing.assert_close(out, expected, atol=1 / 255, rtol=0)


def test_grey_pictures_stay_grey_under_hue_and_black_stays_black() -> None:
    flat = torch.rand(4, 1, 5, 5).expand(4, 3, 5, 5)
    torch.testing.assert_close(colour.hue(flat, torch.full((4,), 0.3)), flat)
    assert not colour.hue(torch.zeros(2, 3, 4, 4), torch.full((2,), 0.3)).any()


@pytest.mark.parametrize("sigma", [0.3, 1.0, 2.0])
def test_blur_is_torchvisions_with_a_kernel_that_holds_all_of_it(sigma: float) -> None:
    pictures = to_float(tensor(IMAGES[:16]))
    matrix = blur_matrix(torch.full((16,), sigma), 32, reach=8)
    ours = along_columns(along_rows(pictures, matrix), matrix)
    torch.testing.assert_close(ours, reference.gaussian_blur(pictures, [17, 17], [sigma, sigma]), atol=1e-4, rtol=0)


def test_jitter_of_each_image_follows_its_own_order() -> None:
    views = Views(mode="exact", crop_low=1.0, jitter=1.0, grey=0.3, blur=0.0)
    p = views.draw(0, 0, 0, IDS[:32], 32, 32)
    pictures = to_float(tensor(IMAGES[:32]))
    ours = colour.jitter_exact(pictures, p)
    steps = (reference.adjust_brightness, reference.adjust_contrast, reference.adjust_saturation, reference.adjust_hue)
    for i, picture in enumerate(pictures):
        out = picture
        for number in p.order[i]:
            out = steps[number](out, float(p.factors[i, number]))
        out = reference.rgb_to_grayscale(out, 3) if p.grey[i] else out
        torch.testing.assert_close(ours[i], out, atol=2 / 255, rtol=0)
    assert len({tuple(order) for order in p.order}) > 5


def test_fast_jitter_is_near_exact_where_nothing_is_clipped_and_turns_the_same_way() -> None:
    pictures = 0.35 + 0.3 * to_float(tensor(IMAGES[:64]))
    z = np.zeros(64, np.float32)
    factors = np.tile(np.array([1.1, 0.9, 0.8, 0.05], np.float32), (64, 1))
    p = ViewParameters(z, z, z, z, z > 1, factors, np.tile(np.arange(4), (64, 1)), z > 1, z)
    difference = (colour.jitter_fast(pictures, p) - colour.jitter_exact(pictures, p)).abs()
    assert difference.mean() < 4 / 255


def test_recipe_to_json_and_back() -> None:
    views = Views(mode="exact", crop_low=0.2, blur=0.1)
    assert from_json(Views, to_json(views)) == views


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"crop_low": 0.0}, "crop is 0.0"),
        ({"crop_low": 0.9, "crop_high": 0.5}, "crop is 0.9…0.5"),
        ({"flip": 1.5}, "flip is 1.5; it is a probability"),
        ({"hue": 0.7}, "hue is 0.7; allowed: 0…0.5"),
        ({"blur_low": 0.0}, "blur is 0.0"),
        ({"brightness": float("nan")}, "brightness is nan"),
        ({"size": -1}, "size is -1"),
    ],
)
def test_unusable_recipes_are_refused_with_the_value(settings: dict, said: str) -> None:
    with pytest.raises(ValueError) as error:
        Views(**settings)
    assert said in str(error.value)


def test_only_uint8_pictures_are_taken() -> None:
    with pytest.raises(ValueError, match="images must be uint8"):
        to_float(torch.zeros(1, 4, 4, 3))
