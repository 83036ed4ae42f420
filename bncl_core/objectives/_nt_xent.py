"""NT-Xent, the contrastive loss all objectives here share (SimCLR 2002.05709, equation 1)."""

from __future__ import annotations

import torch
from torch import Tensor


def nt_xent(a: Tensor, b: Tensor, temperature: float) -> Tensor:
    """−log of the positive's share among all other rows of both views, mean over the 2n rows.

    `a`, `b` `[n k]`: rows of the two views of one batch, length 1 (or 0); float32 or wider, since bf16 similarities
    divided by 0.2 lose the third digit. The row itself is left out before the log-sum-exp, so that its own
    similarity 1 / temperature cannot push the others below the smallest float.
    """
    n = a.shape[0]
    rows = torch.cat([a, b])
    with torch.autocast(rows.device.type, enabled=False):
        logits = rows @ rows.T / temperature
        itself = torch.eye(2 * n, dtype=torch.bool, device=rows.device)
        logits = logits.masked_fill(itself, -torch.inf)
        positive = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(rows.device)
        chosen = logits.gather(1, positive[:, None]).squeeze(1)
        return (torch.logsumexp(logits, dim=1) - chosen).mean()
