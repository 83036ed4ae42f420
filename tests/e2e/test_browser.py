"""A real browser opens the app, picks a dimension and finds its images on the screen."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")
if CHROMIUM is None:
    pytest.skip("no chromium on this machine", allow_module_level=True)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app, started from another folder, on a small store of its own."""
    from tests.app.conftest import make_runs

    store = tmp_path_factory.mktemp("store")
    make_runs(store)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app" / "main.py"), "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"GATESCOPE_STORE": str(store)}
    process = subprocess.Popen(command, cwd="/", env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.25)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture
def page(server: str) -> Iterator["sync_api.Page"]:
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        yield page
        browser.close()
        assert not problems


def painted(page: "sync_api.Page", label: str) -> int:
    """Number of tiles of the gallery `label`, after its contact sheet has been decoded by the browser."""
    root = page.locator(f"[role=group][aria-label^='{label}']")
    root.locator("button").first.wait_for(timeout=20_000)
    page.wait_for_function("e => e.complete && e.naturalWidth > 0", arg=root.locator("img").element_handle())
    return root.locator("button").count()


def test_pick_a_dimension_by_number_and_an_image_by_click(page: "sync_api.Page", server: str) -> None:
    page.goto(f"{server}/?study=small&run=gated")
    page.get_by_text("A small study").first.wait_for(timeout=20_000)
    page.get_by_role("link", name="Dimensions").click()
    number = page.get_by_label("Dimension", exact=True)
    number.wait_for(timeout=20_000)
    for wanted in (3, 5):
        number.fill(str(wanted))
        number.press("Enter")
        page.wait_for_url(f"**/dimensions?*d={wanted}*")
        page.get_by_text("Active in").or_(page.get_by_text("Dead")).first.wait_for()
    page.goto(f"{server}/gates?study=small&run=gated&image=7")
    tiles = painted(page, "random images")
    assert tiles == 48
    first = page.locator("[role=group][aria-label='random images'] button").first
    image = first.get_attribute("data-id")
    first.click()
    page.wait_for_url(f"**image={image}*", timeout=20_000)


def test_a_link_reproduces_the_view_and_its_pictures_open(page: "sync_api.Page", server: str) -> None:
    page.goto(f"{server}/?study=small&run=gated")
    page.get_by_text("What the open ones mean").wait_for(timeout=20_000)
    page.goto(f"{server}/dimensions?study=small&run=gated")
    label = "Strongest, open: images of dimension"
    tiles = painted(page, label)
    assert tiles > 0
    group = page.locator(f"[role=group][aria-label^='{label}']")
    dimension = int((group.get_attribute("aria-label") or "").split()[-1])
    assert page.get_by_label("Dimension", exact=True).input_value() == str(dimension)
    picture = group.locator("button").first
    image = picture.get_attribute("data-id")
    picture.click()
    page.wait_for_url(f"**/gates?*image={image}*", timeout=20_000)
    page.get_by_text("dimensions are active, the gate closes").wait_for(timeout=20_000)


def test_phone_width_has_no_sideways_scroll(page: "sync_api.Page", server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("", "dimensions", "gates"):
        page.goto(f"{server}/{name}?study=small&run=gated")
        page.locator("[data-testid=stCaptionContainer]").first.wait_for(timeout=20_000)
        page.wait_for_timeout(500)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
