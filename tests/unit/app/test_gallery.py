"""The contact sheet holds every tile, pixel for pixel, in reading order."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from app.gallery import ACROSS, contact_sheet


@pytest.mark.parametrize("n", [1, 11, 12, 13, 64])
def test_tile_k_of_the_sheet_is_image_k(n: int) -> None:
    side, across = 8, min(ACROSS, n)
    thumbs = np.random.default_rng(n).integers(0, 256, (n, side, side, 3), np.uint8)
    kind, data = contact_sheet(thumbs, across).split(",")
    assert kind == "data:image/webp;base64"
    sheet = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
    assert sheet.shape == (-(-n // across) * side, across * side, 3)
    for k in range(n):
        y, x = k // across * side, k % across * side
        np.testing.assert_array_equal(sheet[y : y + side, x : x + side], thumbs[k])
