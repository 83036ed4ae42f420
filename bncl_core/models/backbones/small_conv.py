"""A nine-layer residual network for small images, made to train in minutes on a CPU."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from bncl_core.models.backbones import Backbone, backbones


def conv(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    """3×3 convolution, batch normalisation, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """x + two convolutions of x."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(channels, channels), conv(channels, channels))

    def forward(self, x: Tensor) -> Tensor:
        """`[n c h w]` → `[n c h w]`."""
        out: Tensor = x + self.body(x)
        return out


@backbones.register("small_conv")
@dataclass(frozen=True)
class SmallConv(Backbone):
    """ResNet-9 in the style of fast CIFAR training; embedding of 8·width.

    width   channels of the first layer; 16 is about 13 M multiply-adds a view

    Strided convolutions do the down-sampling, so that no layer runs at a resolution it is about to throw away.
    """

    width: int = 16

    def __post_init__(self) -> None:
        if self.width < 1:
            raise ValueError(f"width is {self.width}; it must be at least 1")

    def build(self) -> tuple[nn.Module, int]:
        """A fresh module and its embedding length."""
        w = self.width
        return nn.Sequential(
            conv(3, w),
            conv(w, 2 * w, stride=2),
            Residual(2 * w),
            conv(2 * w, 4 * w, stride=2),
            conv(4 * w, 8 * w, stride=2),
            Residual(8 * w),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        ), 8 * w
