"""GateScope's core: train contrastive image models with and without a gate, and store what they say."""

__version__ = "0.1.0"
