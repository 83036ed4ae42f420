"""Every curve: explains itself, returns numbers, comes back from JSON, refuses unknown parameters."""

import numpy as np
import pytest

from bncl_core.spec import field_help, field_types, from_json, to_json
from bncl_core.theory import Curve, curves


@pytest.mark.parametrize("name", curves.names())
def test_contract(name: str) -> None:
    kind = curves[name]
    curve = kind()
    for said in (kind.title, kind.source, kind.assumptions, kind.establishes, kind.leaves_open, kind.__doc__):
        assert len(said or "") > 5
    assert set(field_help(kind)) == set(field_types(kind))
    assert all(np.isfinite(value) for value in curve.values().values())
    columns = curve.curve()
    assert len({len(column) for column in columns.values()}) == 1
    assert all(np.isfinite(column).all() for column in columns.values())
    first = next(iter(columns.values()))
    assert (np.diff(first) > 0).all()
    assert from_json(Curve, to_json(curve)) == curve
    with pytest.raises(ValueError, match="unknown key"):
        from_json(Curve, {"name": name, "nonsense": 1})
