"""Every kind of file comes out upright, on white, square and 8 bits deep, or says why it does not."""

from __future__ import annotations

import csv
import io
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFile

from bncl_core.data.decode import (
    NoPixels,
    TooLarge,
    Truncated,
    Unidentified,
    Unreadable,
    Unscalable,
    begins_like_an_image,
    decode,
    whole_range,
)

ODD = Path(__file__).parents[4] / "shared" / "data" / "odd_images"


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def corners(side: int = 32) -> Image.Image:
    """Red top left, green top right, blue bottom left, white bottom right."""
    pixels = np.zeros((side, side, 3), np.uint8)
    half = side // 2
    pixels[:half, :half, 0] = pixels[:half, half:, 1] = pixels[half:, :half, 2] = 255
    pixels[half:, half:] = 255
    return Image.fromarray(pixels)


def ramp16() -> np.ndarray:
    return np.linspace(0, 65535, 256).round().astype(np.uint16).reshape(16, 16)


def test_an_image_of_the_right_size_comes_out_as_it_is() -> None:
    out = decode(saved(corners()), 32)
    assert out.dtype == np.uint8
    assert out.flags.writeable
    np.testing.assert_array_equal(out, np.asarray(corners()))


def test_a_path_and_its_bytes_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "no_extension"
    path.write_bytes(saved(corners()))
    np.testing.assert_array_equal(decode(path, 20), decode(path.read_bytes(), 20))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_turns_it_upright(kind: str, orientation: int) -> None:
    undo = [None, 0, 3, 1, 5, 2, 6, 4][orientation - 1]  # what a camera held that way stores
    stored = corners() if undo is None else corners().transpose(Image.Transpose(undo))
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = decode(saved(stored, kind, exif=exif), 32).astype(int)
    assert np.abs(out - np.asarray(corners()).astype(int))[4:12, 4:12].max() < 40
    assert np.abs(out - np.asarray(corners()).astype(int)).mean() < 12


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_damaged_exif_leaves_it_as_stored() -> None:
    out = decode(saved(corners(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff"), 32)
    assert out[4, 4, 0] > 200 > 60 > out[4, 4, 1]


@pytest.mark.parametrize(
    "image",
    [
        Image.new("RGBA", (9, 9), (200, 10, 10, 0)),
        Image.new("LA", (9, 9), (30, 0)),
        Image.new("PA", (9, 9), (0, 0)).convert("RGBA"),
    ],
    ids=lambda image: image.mode,
)
def test_what_is_transparent_is_white(image: Image.Image) -> None:
    assert (decode(saved(image), 9) == 255).all()


def test_half_transparent_is_half_way_to_white() -> None:
    out = decode(saved(Image.new("RGBA", (8, 8), (0, 0, 100, 128))), 8)
    np.testing.assert_allclose(out[4, 4], [127, 127, 177], atol=1)


def test_palettes_and_colour_keys() -> None:
    palette = Image.new("P", (8, 8), 1)
    palette.putpalette([255, 0, 0, 0, 255, 0])
    palette.paste(0, (0, 0, 4, 8))
    out = decode(saved(palette), 8)
    assert out[0, 0].tolist() == [255, 0, 0]
    assert out[0, 7].tolist() == [0, 255, 0]
    for kind in ("PNG", "GIF"):
        out = decode(saved(palette, kind, transparency=0), 8)
        assert out[0, 0].tolist() == [255, 255, 255]
        assert out[0, 7].tolist() == [0, 255, 0]
    keyed = decode(saved(Image.new("RGB", (8, 8), (1, 2, 3)), transparency=(1, 2, 3)), 8)
    assert (keyed == 255).all()


def test_one_bit_and_grey() -> None:
    bits = Image.fromarray(np.eye(8, dtype=bool))
    np.testing.assert_array_equal(decode(saved(bits), 8)[..., 1], np.eye(8) * 255)
    grey = np.arange(64, dtype=np.uint8).reshape(8, 8)
    np.testing.assert_array_equal(decode(saved(Image.fromarray(grey)), 8), np.repeat(grey[..., None], 3, 2))


@pytest.mark.parametrize("kind", ["JPEG", "TIFF"])
def test_cmyk(kind: str) -> None:
    out = decode(saved(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), kind), 8)
    assert out[4, 4, 0] > 240
    assert out[4, 4, 1:].max() < 15


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_are_scaled_and_not_clipped(kind: str) -> None:
    out = decode(saved(Image.fromarray(ramp16()), kind), 16)
    np.testing.assert_array_equal(out[..., 0].ravel(), np.arange(256))


@pytest.mark.parametrize("depth", [255, 4095])
def test_fewer_bits_in_a_sixteen_bit_file_are_not_black(depth: int) -> None:
    values = np.linspace(0, depth, 256).round().astype(np.uint16).reshape(16, 16)
    out = decode(saved(Image.fromarray(values)), 16)
    np.testing.assert_array_equal(out[..., 0].ravel(), np.arange(256))


def test_what_becomes_white() -> None:
    assert [whole_range(high) for high in (0, 255, 256, 4095, 4096, 65535)] == [255, 255, 4095, 4095, 65535, 65535]
    with pytest.raises(ValueError, match="65536; 16 bits end at 65535"):
        whole_range(65536)


def test_sixteen_bit_pgm() -> None:
    content = b"P5 16 16 65535\n" + ramp16().astype(">u2").tobytes()
    np.testing.assert_array_equal(decode(content, 16)[..., 2].ravel(), np.arange(256))


def test_sixteen_bit_grey_with_a_transparent_value() -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in ramp16())
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 16, 0, 0, 0, 0)), chunk(b"tRNS", struct.pack(">H", 257))]
    parts += [chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    out = decode(b"\x89PNG\r\n\x1a\n" + b"".join(parts), 16)[..., 0].ravel()
    assert out[1] == 255
    np.testing.assert_array_equal(np.delete(out, 1), np.delete(np.arange(256), 1))


def test_floats() -> None:
    unit = np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8)
    np.testing.assert_array_equal(decode(saved(Image.fromarray(unit), "TIFF"), 8)[..., 0], np.rint(unit * 255))
    wide = decode(saved(Image.fromarray(unit * 6 - 3), "TIFF"), 8)
    assert (wide.min(), wide.max()) == (0, 255)
    assert decode(saved(Image.fromarray(np.full((8, 8), 7, np.float32)), "TIFF"), 8).max() == 0
    unit[0, 0] = np.nan
    with pytest.raises(Unscalable, match="finite"):
        decode(saved(Image.fromarray(unit), "TIFF"), 8)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_the_first_frame(kind: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue", "lime")]
    out = decode(saved(frames[0], kind, save_all=True, append_images=frames[1:]), 8)
    assert out[4, 4, 0] > 230
    assert out[4, 4, 2] < 30


@pytest.mark.parametrize("shape", [(40, 100), (100, 40)])
def test_the_centre_of_the_resized_whole(shape: tuple[int, int]) -> None:
    image = Image.fromarray(np.random.default_rng(0).integers(0, 256, (*shape, 3), np.uint8))
    whole = image.resize((shape[1] // 2, shape[0] // 2), Image.Resampling.BICUBIC)
    left, top = (whole.width - 20) // 2, (whole.height - 20) // 2
    wanted = np.asarray(whole.crop((left, top, left + 20, top + 20))).astype(int)
    assert np.abs(decode(saved(image), 20).astype(int) - wanted).max() <= 1


@pytest.mark.parametrize(("width", "height"), [(100, 41), (101, 40), (121, 33), (90, 89)])
@pytest.mark.parametrize("turned", [False, True])
def test_the_centre_is_the_centre_to_a_fraction_of_a_pixel(width: int, height: int, turned: bool) -> None:
    """A ramp shows where each pixel of the result comes from: value 2x at column x."""
    ramp = np.repeat(np.arange(width, dtype=np.uint8)[None] * 2, height, axis=0)
    out = decode(saved(Image.fromarray(ramp.T if turned else ramp)), 20)[..., 0].astype(float)
    side = min(width, height)
    wanted = 2 * ((width - side) / 2 + (np.arange(20) + 0.5) * side / 20 - 0.5)
    inner = slice(2, 18)  # a ramp ends at the border of the nearly square image
    assert np.abs((out.T if turned else out)[:, inner] - wanted[inner]).max() <= 1


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize("shape", [(403, 611), (611, 403)])
def test_a_large_jpeg_decoded_small_is_the_same_picture(shape: tuple[int, int], orientation: int) -> None:
    """Eight times as large as asked for: decoded at a quarter of its sides, compared with all of its pixels."""
    coarse = Image.fromarray(np.random.default_rng(0).integers(0, 256, (6, 9, 3), np.uint8))
    exif = Image.Exif()
    exif[0x0112] = orientation
    whole = coarse.resize(shape, Image.Resampling.BICUBIC)
    small = decode(saved(whole, "JPEG", quality=95, exif=exif), 50).astype(int)
    full = decode(saved(whole, "PNG", exif=exif), 50).astype(int)
    assert np.abs(small - full).mean() < 1.5


def test_one_pixel_and_long_strips() -> None:
    assert (decode(saved(Image.new("RGB", (1, 1), (5, 6, 7))), 32) == (5, 6, 7)).all()
    assert decode(saved(Image.new("L", (20000, 1), 9)), 32).shape == (32, 32, 3)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "JPEG2000", "AVIF", "ICO"])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.8, 0.95])
def test_cut_files_give_no_image(kind: str, share: float) -> None:
    content = saved(Image.fromarray(np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)), kind)
    # what is left of these two may not show what it was
    allowed = (Truncated, Unidentified) if kind in ("AVIF", "ICO") else Truncated
    with pytest.raises(allowed):
        decode(content[: int(share * len(content))], 32)


@pytest.mark.parametrize(
    "content", [b"hello there, this is text", b"<html>404</html>", b"%!PS-Adobe-3.0 EPSF-3.0\n", b"\0"]
)
def test_other_content_is_not_identified(content: bytes) -> None:
    with pytest.raises(Unidentified, match="known format"):
        decode(content, 32)


def test_too_large_is_said_before_loading() -> None:
    header = struct.pack(">IIBBBBB", 10000, 8001, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    empty = struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))
    with pytest.raises(TooLarge, match="10000 × 8001"):
        decode(b"\x89PNG\r\n\x1a\n" + chunk + empty, 32)
    with pytest.raises(TooLarge, match="at most 63"):
        decode(saved(Image.new("L", (8, 8))), 8, pixel_limit=63)
    assert decode(saved(Image.new("L", (8, 8))), 8, pixel_limit=64).shape == (8, 8, 3)
    with pytest.raises(TooLarge):
        decode(b"GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x08", 32)


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a\0\0\5\0\0\0\0,\0\0\0\0\0\0\5\0\0\2\0;", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 3, 0)],
)
def test_no_pixels(content: bytes) -> None:
    with pytest.raises(NoPixels, match=r"empty|zero"):
        decode(content, 32)


def test_the_beginning_tells_an_image_from_another_file(tmp_path: Path) -> None:
    whole = saved(corners())
    contents = {"whole": whole, "cut": whole[:60], "bad header": whole[:20], "text": b"hello there", "empty": b""}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    found = {name for name in contents if begins_like_an_image(tmp_path / name)}
    assert {"whole", "cut"} <= found <= {"whole", "cut", "bad header"}
    assert not begins_like_an_image(tmp_path)
    assert not begins_like_an_image(tmp_path / "absent")


def test_a_missing_file_is_not_an_unreadable_image(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        decode(tmp_path / "absent.png", 32)


def test_a_size_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="size is 0"):
        decode(saved(corners()), 0)


def test_pillow_is_left_as_it_was() -> None:
    limit, truncated = Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES
    decode(saved(corners()), 8)
    assert limit == Image.MAX_IMAGE_PIXELS
    assert truncated == ImageFile.LOAD_TRUNCATED_IMAGES


@pytest.mark.filterwarnings("ignore")
def test_damage_anywhere_gives_an_image_or_a_reason() -> None:
    """Bytes changed and files cut at 40 places of every format: no other error ever comes out."""
    choose = random.Random(0)
    image = Image.fromarray(np.random.default_rng(0).integers(0, 256, (12, 15, 3), np.uint8))
    outcomes = {"image": 0, "reason": 0}
    for kind in ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "AVIF", "JPEG2000", "ICO"):
        whole = saved(image, kind)
        for turn in range(40):
            content = bytearray(whole if turn % 4 else whole[: choose.randrange(len(whole))])
            for _ in range(turn % 4):
                content[choose.randrange(len(content))] = choose.randrange(256)
            try:
                assert decode(bytes(content), 8).shape == (8, 8, 3)
                outcomes["image"] += 1
            except Unreadable:
                outcomes["reason"] += 1
    assert min(outcomes.values()) > 50


@pytest.mark.skipif(not ODD.is_dir(), reason="the collection of odd images is not beside the project")
@pytest.mark.filterwarnings("ignore")
def test_the_collection_of_odd_images() -> None:
    """What its manifest says Pillow converts is decoded, and nothing else is."""
    with (ODD / "MANIFEST.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 40
    for row in rows:
        try:
            decoded = decode(ODD / row["file"], 32).shape == (32, 32, 3)
        except Unreadable:
            decoded = False
        assert decoded == (row["pillow_convert_RGB"] == "ok"), row["file"]
