"""One normaliser from any image file to pixels: uint8 `[size size 3]`, upright, on white, square."""

from __future__ import annotations

import io
import struct
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import Image, UnidentifiedImageError

PIXEL_LIMIT = 80_000_000  # takes 50-megapixel photographs, and ends below the size Pillow warns at
RULE = 2  # raise it when decoding gives other pixels than before: caches of decoded images are named after it

# Formats recognised by their first bytes and decoded inside this process. PostScript (runs an interpreter) and TGA
# (has no signature, so that text passes for it) are left out.
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "AVIF", "JPEG2000", "ICO")

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_ORIENTATION = 0x0112
_DEPTHS = (255, 4095, 65535)
# what Pillow's decoders raise on damaged data, by experiment on damaged files of every format
_DAMAGE: tuple[type[Exception], ...] = (
    *(OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, AttributeError),
    *(OverflowError, ZeroDivisionError, RuntimeError, struct.error, zlib.error),
)


class Unreadable(ValueError):
    """A file that gives no image; the message is the reason, in words for its owner."""


class Unidentified(Unreadable):
    """The content is no image of a known format, whatever the file is called."""


class Truncated(Unreadable):
    """The content begins like an image, but its data end early or are damaged."""


class TooLarge(Unreadable):
    """The image claims more pixels than allowed; nothing of it was loaded."""


class NoPixels(Unreadable):
    """The file is empty, or its image is zero pixels wide or high."""


class Unscalable(Unreadable):
    """The values have no place between black and white: NaN or infinite."""


def decode(source: Path | bytes, size: int, pixel_limit: int = PIXEL_LIMIT) -> np.ndarray:
    """The image in a file, or in the bytes of one, as uint8 `[size size 3]`, RGB.

    Turned upright as its EXIF says; the first frame of an animation, the first page of a document; transparency on
    white; grey repeated in three channels; 16-bit grey scaled by `whole_range`, nothing is clipped; float values
    scaled by 255 when all lie in 0…1, else (like whole numbers below 0 or above 65535) stretched from their own
    minimum … maximum to 0 … 255. Colours are read as sRGB: an embedded colour profile is not applied. Then the short
    side is resized to `size` (bicubic, with antialiasing) and the centre square is kept. A JPEG whose short side is at
    least four times `size` is decoded at ½, ¼ or ⅛ of its sides, which leaves at least twice `size`.

    source       where the file is, or its content
    size         side of the result in pixels, at least 1
    pixel_limit  most pixels (width × height) the stored image may claim; checked before anything is loaded

    Raises Unidentified, Truncated, TooLarge, NoPixels or Unscalable (all ValueError, with the reason), and OSError
    when the file itself cannot be opened.
    """
    if size < 1:
        raise ValueError(f"size is {size}; an image's side has at least 1 pixel")
    with ExitStack() as stack:
        opened: BinaryIO = io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")
        stream = stack.enter_context(opened)
        image = stack.enter_context(_opened(stream, pixel_limit))
        try:
            short = min(image.size)
            if short >= 4 * size:  # only the JPEG decoder can, the others take no notice
                image.draft(None, (2 * size * image.width // short, 2 * size * image.height // short))
            image.load()
        except _DAMAGE as error:
            raise Truncated(f"the image data end early or are damaged ({error})") from error
        orientation = _orientation(image)
        try:
            square = _square(_eight_bit(image), size)
        except Unreadable:
            raise
        except _DAMAGE as error:
            raise Truncated(f"the image data cannot be read as colours ({error})") from error
    if orientation in _UPRIGHT:
        square = square.transpose(_UPRIGHT[orientation])
    return np.array(square.convert("RGB"), np.uint8)


def begins_like_an_image(path: Path) -> bool:
    """Whether a file has the header of an image `decode` knows; the rest of it may still be damaged."""
    if not path.is_file():  # a pipe would be waited for without end
        return False
    try:
        with path.open("rb") as stream, _opened(stream, PIXEL_LIMIT):
            return True
    except (Truncated, TooLarge):
        return True
    except (Unreadable, OSError):
        return False


def whole_range(high: float) -> int:
    """What becomes 255 among grey values of up to 16 bits whose largest is `high`: 255, 4095 or 65535.

    Cameras and microscopes store 12 bits (and programs 8) in 16-bit files, which would come out black if divided by
    65535. Values that all fit into 8 or 12 bits are therefore taken to be of 8 or 12 bits. Raises ValueError above
    65535.
    """
    for depth in _DEPTHS:
        if high <= depth:
            return depth
    raise ValueError(f"the largest value is {high:g}; 16 bits end at {_DEPTHS[-1]}")


def _opened(stream: BinaryIO, pixel_limit: int) -> Image.Image:
    """The image with its header read and its pixels not."""
    head = stream.read(32)
    stream.seek(0)
    if not head:
        raise NoPixels("the file is empty")
    if _claims_no_area(head):
        raise NoPixels("the image is zero pixels wide or high")
    try:
        image = Image.open(stream, formats=FORMATS)
    except UnidentifiedImageError as error:
        raise Unidentified("the content is not an image of a known format") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TooLarge(f"the image claims far more than the {pixel_limit:,} pixels that are allowed") from error
    except _DAMAGE as error:
        if "too large" in str(error).lower():
            raise TooLarge(f"the image claims to unfold into more than is allowed ({error})") from error
        raise Truncated(f"the image's header is damaged ({error})") from error
    width, height = image.size
    if width * height > pixel_limit:
        image.close()
        raise TooLarge(f"the image has {width} × {height} pixels; at most {pixel_limit:,} are allowed")
    return image


def _claims_no_area(head: bytes) -> bool:
    """Whether a PNG, GIF or BMP header says width or height 0 (which Pillow reports as an unknown format)."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR" and len(head) >= 24:
        return 0 in struct.unpack(">II", head[16:24])
    if head.startswith((b"GIF87a", b"GIF89a")) and len(head) >= 10:
        return 0 in struct.unpack("<HH", head[6:10])
    if head.startswith(b"BM") and len(head) >= 26 and head[14:18] == b"\x28\x00\x00\x00":
        return 0 in struct.unpack("<ii", head[18:26])
    return False


def _orientation(image: Image.Image) -> int:
    """The EXIF orientation 1…8; 1, as stored, where the EXIF block is absent or damaged."""
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except _DAMAGE:
        return 1
    return value if isinstance(value, int) else 1


def _eight_bit(image: Image.Image) -> Image.Image:
    """The loaded image with 8 bits a channel, in mode L or RGB, transparency on white."""
    if image.mode == "F" or image.mode.startswith("I"):
        return _from_numbers(np.asarray(image), image.info.get("transparency"))
    if image.has_transparency_data:
        colour = image.convert("RGBA")
        white = Image.new("RGB", image.size, "white")
        white.paste(colour, mask=colour.getchannel("A"))
        return white
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def _from_numbers(values: np.ndarray, transparent: object) -> Image.Image:
    """Grey values of 16 bits, 32 bits or float as a grey image; `transparent`, the one value that is, becomes white."""
    numbers: np.ndarray = values.astype(np.float32 if values.dtype.itemsize <= 2 else np.float64)
    low, high = float(numbers.min()), float(numbers.max())
    if not (np.isfinite(low) and np.isfinite(high)):
        raise Unscalable("some values are not finite numbers")
    fractions = values.dtype.kind == "f"
    grey: np.ndarray
    if low >= 0.0 and high <= (1.0 if fractions else _DEPTHS[-1]):
        grey = np.rint(numbers * (255.0 / (1.0 if fractions else whole_range(high))))
    else:
        grey = np.rint((numbers - low) * (255.0 / (high - low) if high > low else 0.0))
    if isinstance(transparent, int):
        grey[values == transparent] = 255.0
    return Image.fromarray(grey.astype(np.uint8))


def _square(image: Image.Image, size: int) -> Image.Image:
    """The centre square, resized. Pixels beside the square still count at its edge, as if all had been resized."""
    width, height = image.size
    side = min(width, height)
    left, top = (width - side) / 2, (height - side) / 2
    return image.resize((size, size), Image.Resampling.BICUBIC, box=(left, top, left + side, top + side))
