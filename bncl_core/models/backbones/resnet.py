"""ResNet-18 and ResNet-50 from torchvision, with the stem that small images need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torchvision
from torch import nn

from bncl_core.models.backbones import Backbone, backbones


@dataclass(frozen=True)
class ResNet(Backbone):
    """A torchvision ResNet without its classifier (1512.03385).

    stem     cifar: 3×3 convolution, stride 1, no max-pool. imagenet: 7×7, stride 2, max-pool
    padding  of the cifar stem: 1 keeps 32×32; 2 is what the published NCL and BayesNCL runs used (34×34 maps)
    """

    stem: Literal["cifar", "imagenet"] = "cifar"
    padding: Literal[1, 2] = 1

    def _build(self, name: str) -> tuple[nn.Module, int]:
        net = getattr(torchvision.models, name)(weights=None)
        if self.stem == "cifar":
            net.conv1 = nn.Conv2d(3, 64, 3, stride=1, padding=self.padding, bias=False)
            nn.init.kaiming_normal_(net.conv1.weight, mode="fan_out", nonlinearity="relu")
            net.maxpool = nn.Identity()
        width = net.fc.in_features
        net.fc = nn.Identity()
        return net, width


@backbones.register("resnet18")
@dataclass(frozen=True)
class ResNet18(ResNet):
    """ResNet-18: embedding of 512."""

    def build(self) -> tuple[nn.Module, int]:
        """A fresh module and its embedding length."""
        return self._build("resnet18")


@backbones.register("resnet50")
@dataclass(frozen=True)
class ResNet50(ResNet):
    """ResNet-50: embedding of 2048."""

    def build(self) -> tuple[nn.Module, int]:
        """A fresh module and its embedding length."""
        return self._build("resnet50")
