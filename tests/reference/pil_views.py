"""Views one image at a time with Pillow and torchvision: what the batched views are held against, and timed against.

The parameters are given, so that both sides do the same thing to the same image.
"""

from __future__ import annotations

import numpy as np
import torchvision.transforms.functional as steps
from PIL import Image, ImageFilter

from bncl_core.data.draws import ViewParameters

JITTER = (steps.adjust_brightness, steps.adjust_contrast, steps.adjust_saturation, steps.adjust_hue)
NEUTRAL = (1.0, 1.0, 1.0, 0.0)


def pil_crop(image: np.ndarray, p: ViewParameters, i: int, size: tuple[int, int]) -> Image.Image:
    """Crop and resize (bicubic, antialiased, whole grey levels after each pass) and flip, `size` = height, width."""
    left, top, right, bottom = p.left[i], p.top[i], p.left[i] + p.width[i], p.top[i] + p.height[i]
    out = Image.fromarray(image).crop((int(left), int(top), int(right), int(bottom)))
    if out.height > size[0]:  # horizontal first: from version 13 on Pillow may choose otherwise when the height shrinks
        out = out.resize((size[1], out.height), Image.Resampling.BICUBIC)
    out = out.resize((size[1], size[0]), Image.Resampling.BICUBIC)
    return out.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if p.flip[i] else out


def pil_view(image: np.ndarray, p: ViewParameters, i: int, size: tuple[int, int]) -> np.ndarray:
    """View number `i` of `p`, of the uint8 image `[h w 3]`, as uint8 `[height width 3]`.

    Every step rounds to whole grey levels, hue has 256 steps and the blur is Pillow's chain of box blurs.
    """
    out = pil_crop(image, p, i, size)
    for number in p.order[i]:
        if p.factors[i, number] != NEUTRAL[number]:
            out = JITTER[number](out, float(p.factors[i, number]))
    if p.grey[i]:
        out = steps.rgb_to_grayscale(out, 3)
    if p.sigma[i] > 0:
        out = out.filter(ImageFilter.GaussianBlur(float(p.sigma[i])))
    return np.asarray(out)
