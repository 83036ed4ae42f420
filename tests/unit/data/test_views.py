"""Views against Pillow and torchvision, and independence of everything but (seed, epoch, image, view)."""

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torchvision.transforms import RandomResizedCrop

from bncl_core.data import draws, views
from bncl_core.data.augment import to_float
from bncl_core.data.draws import BLOCK, NUMBERS, uniforms
from bncl_core.data.sets.scenes import Scenes
from bncl_core.data.views import Views
from bncl_core.seeds import rng
from bncl_core.spec import field_help, field_types, from_json, to_json
from tests.reference.pil_views import pil_crop, pil_view

IMAGES = Scenes(n_train=400, n_test=1).load("train").images
IDS = np.arange(len(IMAGES))
PLAIN = {"jitter": 0.0, "grey": 0.0, "blur": 0.0}
MODES = pytest.mark.parametrize("mode", ["fast", "exact"])


def tensor(images: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(images))


def levels(pictures: torch.Tensor) -> np.ndarray:
    return (pictures * 255).round().numpy().transpose(0, 2, 3, 1).astype(int)


@pytest.mark.parametrize(
    ("side", "shape"), [(0, (32, 32)), (20, (32, 32)), (31, (32, 32)), (48, (32, 32)), (0, (32, 20)), (16, (13, 7))]
)
def test_exact_crop_and_flip_are_pillows_to_one_grey_level(side: int, shape: tuple[int, int]) -> None:
    images = IMAGES[:, : shape[0], : shape[1]]
    recipe = Views(mode="exact", size=side, **PLAIN)
    p = recipe.draw(0, 0, 0, IDS, *shape)
    assert 0.3 < p.flip.mean() < 0.7
    size = (side, side) if side else shape
    difference = np.abs(
        levels(recipe(tensor(images), IDS, 0, 0, 0))
        - np.stack([np.asarray(pil_crop(images[i], p, i, size)).astype(int) for i in IDS])
    )
    assert (difference <= 1).mean() >= 0.9999
    assert (difference == 0).mean() >= 0.998


def test_a_whole_exact_view_is_near_pillows_chain_of_uint8_steps() -> None:
    recipe = Views(mode="exact")
    p = recipe.draw(0, 0, 0, IDS, 32, 32)
    theirs = np.stack([pil_view(IMAGES[i], p, i, (32, 32)) for i in IDS]).astype(int)
    difference = np.abs(levels(recipe.apply(tensor(IMAGES), p)) - theirs)
    assert difference.mean() < 1.5  # rounding at each step, 256 hues, box blurs
    assert (difference <= 4).mean() > 0.97


def test_a_fast_view_is_like_the_exact_one() -> None:
    p = Views().draw(0, 0, 0, IDS, 32, 32)
    fast, exact = (Views(mode=mode).apply(tensor(IMAGES), p) for mode in ("fast", "exact"))
    other = Views(mode="exact")(tensor(IMAGES), IDS, 0, 0, 1)
    assert (fast - exact).abs().mean() < 0.25 * (other - exact).abs().mean()


@MODES
def test_an_image_gets_the_same_view_in_any_batch_order_and_chunk(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Views(mode=mode)
    whole = recipe(tensor(IMAGES), IDS, 3, 5, 1)
    order = rng(0, "order").permutation(len(IDS))
    shuffled = recipe(tensor(IMAGES[order]), IDS[order], 3, 5, 1)
    torch.testing.assert_close(shuffled, whole[order], atol=2e-6, rtol=0)
    monkeypatch.setattr(views, "CHUNK", 7 * 32 * 32)
    torch.testing.assert_close(recipe(tensor(IMAGES), IDS, 3, 5, 1), whole, atol=2e-6, rtol=0)
    torch.testing.assert_close(recipe(tensor(IMAGES[7:8]), IDS[7:8], 3, 5, 1), whole[7:8], atol=2e-6, rtol=0)


def test_numbers_of_an_image_do_not_depend_on_its_neighbours_or_its_block() -> None:
    ids = np.array([5, BLOCK - 1, BLOCK, BLOCK + 5, 3 * BLOCK + 2, 5])
    together = uniforms(1, 2, 0, ids)
    for i, number in enumerate(ids):
        assert np.array_equal(uniforms(1, 2, 0, np.array([number]))[0], together[i])
    assert len({row.tobytes() for row in together}) == len(ids) - 1
    assert np.array_equal(together[3], rng(1, "views", 2, 0, 1).random((6, NUMBERS), dtype=np.float32)[5])


def test_a_block_is_drawn_once_an_epoch_and_view_however_the_batches_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(draws, "rng", lambda *purpose: drawn.append(purpose) or rng(*purpose))
    for batch in (np.array([0, BLOCK, 2 * BLOCK]), np.array([2 * BLOCK + 1, 4]), np.array([BLOCK + 9])):
        for view in (0, 1):
            uniforms(91, 0, view, batch)
    assert len(drawn) == len(set(drawn)) == 6


def test_views_epochs_and_seeds_differ() -> None:
    recipe = Views()
    pictures = [recipe(tensor(IMAGES[:8]), IDS[:8], *key) for key in [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]]
    for i in range(4):
        for j in range(i):
            assert not torch.equal(pictures[i], pictures[j])
    assert torch.equal(pictures[0], recipe(tensor(IMAGES[:8]), IDS[:8], 0, 0, 0))


@pytest.mark.parametrize(("height", "width"), [(32, 32), (20, 60)])
def test_crops_follow_torchvisions_law(height: int, width: int) -> None:
    n = 20_000
    p = Views().draw(0, 0, 0, np.arange(n), height, width)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        blank = torch.empty(3, height, width)
        law = np.array([RandomResizedCrop.get_params(blank, [0.08, 1.0], [3 / 4, 4 / 3]) for _ in range(n)])
    ours = {"top": p.top, "left": p.left, "height": p.height, "width": p.width}
    theirs = dict(zip(ours, law.T.astype(float), strict=True))
    for box in (ours, theirs):
        box |= {"area": box["height"] * box["width"] / (height * width), "aspect": box["width"] / box["height"]}
    for name in ours:
        error = np.sqrt(ours[name].var() / n + theirs[name].var() / n)
        assert abs(ours[name].mean() - theirs[name].mean()) < 4 * error, name
        assert ours[name].std() == pytest.approx(theirs[name].std(), rel=0.03), name
    if height == width:
        assert ours["area"].mean() == pytest.approx(0.497, abs=0.008)
        assert ours["area"].std() == pytest.approx(0.238, abs=0.006)
    assert (p.top >= 0).all()
    assert (p.left >= 0).all()
    assert (p.top + p.height <= height).all()
    assert (p.left + p.width <= width).all()


def test_everything_happens_as_often_and_as_strongly_as_the_recipe_says() -> None:
    n = 20_000
    p = Views(brightness=0.4, contrast=1.5).draw(0, 0, 0, np.arange(n), 32, 32)
    jittered = (p.factors != (1, 1, 1, 0)).any(axis=1)
    for happened, share in ((jittered, 0.8), (p.grey, 0.2), (p.sigma > 0, 0.5), (p.flip, 0.5)):
        assert happened.mean() == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / n))
    ranges = [(0.6, 1.4), (0.0, 2.5), (0.2, 1.8), (-0.2, 0.2)]
    for values, (low, high) in zip(p.factors[jittered].T, ranges, strict=True):
        assert low - 1e-6 <= values.min() < low + 0.01 * (high - low)
        assert high - 0.01 * (high - low) < values.max() <= high + 1e-6
        assert values.mean() == pytest.approx((low + high) / 2, abs=4 * (high - low) / np.sqrt(12 * n * 0.8))
    blurs = p.sigma[p.sigma > 0]
    assert blurs.min() >= 0.1
    assert blurs.max() <= 2
    assert blurs.mean() == pytest.approx(1.05, abs=0.03)
    counts = np.unique(p.order, axis=0, return_counts=True)[1]
    assert len(counts) == 24
    assert np.abs(counts - n / 24).max() < 5 * np.sqrt(n / 24)


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (64, 3)])
@pytest.mark.parametrize("size", [0, 8])
@MODES
def test_thin_and_tiny_images(shape: tuple[int, int], size: int, mode: str) -> None:
    images = rng(0, "pixels").integers(0, 256, (9, *shape, 3), dtype=np.uint8)
    out = Views(mode=mode, size=size)(tensor(images), np.arange(9), 0, 0, 0)
    assert out.shape == (9, 3, *((size, size) if size else shape))
    assert torch.isfinite(out).all()
    assert out.min() >= 0
    assert out.max() <= 1


@MODES
def test_with_everything_off_a_view_is_the_image(mode: str) -> None:
    recipe = Views(mode=mode, crop_low=1.0, flip=0.0, **PLAIN)
    p = recipe.draw(0, 0, 0, IDS, 32, 32)
    whole = (p.width == 32) & (p.height == 32)
    assert whole.any()
    out, images = recipe(tensor(IMAGES), IDS, 0, 0, 0)[whole], to_float(tensor(IMAGES))[whole]
    torch.testing.assert_close(out, images, atol=1e-6 if mode == "fast" else 0, rtol=0)


@MODES
def test_a_flat_picture_stays_flat_under_crop_and_blur(mode: str) -> None:
    flat = torch.full((16, 12, 18, 3), 200, dtype=torch.uint8)
    out = Views(mode=mode, jitter=0.0, grey=0.0, blur=1.0)(flat, IDS[:16], 0, 0, 0)
    torch.testing.assert_close(out, torch.full_like(out, 200 / 255), atol=1e-5, rtol=0)


class Operations(TorchDispatchMode):
    """Counts the tensor operations that run inside."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.name())
        return func(*args, **(kwargs or {}))


@MODES
def test_no_loop_over_images_and_nothing_read_back(mode: str) -> None:
    recipe = Views(mode=mode)
    counts = []
    for n in (100, 400):  # enough for every operation to be wanted in every place
        p = recipe.draw(0, 0, 0, IDS[:n], 32, 32)
        with Operations() as seen:
            recipe.apply(tensor(IMAGES[:n]), p)
        counts.append(len(seen.names))
        assert not [name for name in seen.names if "_local_scalar_dense" in name or "nonzero" in name]
    assert counts[0] == counts[1]


@MODES
def test_all_tensors_are_made_on_the_images_device(mode: str) -> None:
    """The meta device has shapes and no numbers: a tensor left on the CPU, or a number read back, would raise."""
    recipe = Views(mode=mode, size=24)
    p = recipe.draw(0, 0, 0, IDS, 32, 20)
    out = recipe.apply(torch.empty(len(IDS), 32, 20, 3, dtype=torch.uint8, device="meta"), p)
    assert out.device.type == "meta"
    assert out.shape == (len(IDS), 3, 24, 24)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@MODES
def test_a_gpu_makes_the_same_views_without_waiting(mode: str) -> None:
    recipe = Views(mode=mode)
    images = tensor(IMAGES).cuda()
    torch.cuda.set_sync_debug_mode("error")
    try:
        out = recipe(images, IDS, 0, 0, 0)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    difference = (out.cpu() - recipe(tensor(IMAGES), IDS, 0, 0, 0)).abs()
    assert (difference <= 1 / 255).float().mean() > 0.999


@MODES
def test_a_callers_half_precision_costs_no_grey_levels(mode: str) -> None:
    recipe = Views(mode=mode)
    plain = recipe(tensor(IMAGES[:32]), IDS[:32], 0, 0, 0)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(recipe(tensor(IMAGES[:32]), IDS[:32], 0, 0, 0), plain)


def test_recipe_to_json_and_back_and_every_field_explained() -> None:
    recipe = Views(mode="exact", crop_low=0.2, blur=0.1)
    assert from_json(Views, to_json(recipe)) == recipe
    assert set(field_help(Views)) == set(field_types(Views))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"mode": "slow"}, "mode is 'slow'; allowed: fast, exact"),
        ({"crop_low": 0.0}, "crop is 0.0"),
        ({"crop_low": 0.9, "crop_high": 0.5}, "crop is 0.9…0.5"),
        ({"crop_high": float("nan")}, "crop is 0.08…nan"),
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


@pytest.mark.parametrize("ids", [IDS[:3], IDS[:300]])
def test_ids_and_images_must_be_as_many(ids: np.ndarray) -> None:
    with pytest.raises(ValueError, match=f"128 images, but parameters for {len(ids)}"):
        Views()(tensor(IMAGES[:128]), ids, 0, 0, 0)


def test_floats_are_not_augmented() -> None:
    with pytest.raises(ValueError, match="images must be uint8"):
        Views()(torch.zeros(1, 4, 4, 3), IDS[:1], 0, 0, 0)
