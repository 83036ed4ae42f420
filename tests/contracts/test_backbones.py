"""Every backbone: the embedding it announces, on odd sizes too; gradients everywhere; same seed, same weights."""

import pytest
import torch

from bncl_core.models.backbones import Backbone, backbones
from bncl_core.models.backbones.resnet import ResNet18
from bncl_core.spec import field_help, field_types, from_json, to_json


def build(kind: type[Backbone], seed: int = 0) -> tuple[torch.nn.Module, int]:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return kind().build()


@pytest.mark.parametrize("name", backbones.names())
def test_contract(name: str) -> None:
    kind = backbones[name]
    net, width = build(kind)
    out = net(torch.randn(2, 3, 17, 21))
    assert out.shape == (2, width)
    out.square().sum().backward()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in net.parameters())
    again, _ = build(kind)
    other, _ = build(kind, seed=1)
    assert all(torch.equal(a, b) for a, b in zip(net.parameters(), again.parameters(), strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(net.parameters(), other.parameters(), strict=True))
    assert set(field_help(kind)) >= set(field_types(kind))
    assert from_json(Backbone, to_json(kind())) == kind()


def parameters(net: torch.nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())


@pytest.mark.parametrize(("padding", "side"), [(1, 32), (2, 34)])
def test_cifar_stem_keeps_the_resolution_it_should(padding: int, side: int) -> None:
    """Padding 2 is what the published runs used: 34×34 maps."""
    net, width = ResNet18(padding=padding).build()
    assert width == 512
    assert net.conv1(torch.zeros(1, 3, 32, 32)).shape[-1] == side
    assert isinstance(net.maxpool, torch.nn.Identity)
    assert parameters(net) == 11_168_832, "11.17 M of ResNet-18 with a 3×3 stem and without classifier"


def test_imagenet_stem_is_torchvisions() -> None:
    net, _ = ResNet18(stem="imagenet").build()
    assert net.conv1.kernel_size == (7, 7)
    assert isinstance(net.maxpool, torch.nn.MaxPool2d)
    assert parameters(net) == 11_176_512
