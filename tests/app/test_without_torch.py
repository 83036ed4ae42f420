"""Every page that reads the store opens on a host without torch."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys

class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "torchvision", "safetensors", "sklearn", "umap"):
            raise ModuleNotFoundError(f"No module named {name!r} (it is not part of the viewer's set)")

sys.meta_path.insert(0, NoTorch())
from pathlib import Path
from streamlit.testing.v1 import AppTest

for page in sorted(Path("pages").glob("[0-9]*_*.py")):
    app = AppTest.from_file("app/main.py", default_timeout=60)
    app.query_params["study"], app.query_params["run"] = "small", "gated"
    app.run()
    app.switch_page(str(page.resolve())).run()
    assert not app.exception, (page, app.exception)
    assert not app.error, (page, app.error)
    assert "torch" not in sys.modules
    print("opened", page.name)
"""


def test_pages_open_without_torch(made: Path) -> None:
    environment = os.environ | {"GATESCOPE_STORE": str(made)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("opened") == len(list((ROOT / "pages").glob("[0-9]*_*.py")))
