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
from urllib.parse import parse_qs, urlsplit

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


def painted(page: "sync_api.Page", label: str) -> "sync_api.Locator":
    """The visible tiles of the gallery `label`, once their pictures are on the screen: as many as there are buttons,
    and more than one colour."""
    root = page.locator(f"[role=group][aria-label^='{label}']")
    tiles = root.locator("button:not([hidden])")
    tiles.first.wait_for(timeout=20_000)
    canvas = root.locator("canvas").element_handle()
    page.wait_for_function("e => e.dataset.painted", arg=canvas)
    ids = canvas.get_attribute("data-painted").split()
    assert ids == [tile.get_attribute("data-id") for tile in tiles.all()]
    colours = """e => { const d = e.getContext('2d').getImageData(0, 0, e.width, e.height).data, seen = new Set();
                       for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
                       return seen.size; }"""
    assert canvas.evaluate(colours) > 20
    return tiles


def dimension_in(url: str) -> int:
    """The dimension an address names."""
    return int(parse_qs(urlsplit(url).query)["d"][0])


def test_pick_a_dimension_find_its_images_and_open_one(page: "sync_api.Page", server: str) -> None:
    page.goto(f"{server}/?study=small&run=gated")
    page.get_by_text("A small study").first.wait_for(timeout=20_000)
    page.get_by_role("link", name="Dimensions").first.click()
    page.wait_for_url("**/dimensions?*d=*", timeout=20_000)
    start = dimension_in(page.url)
    label = "Strongest images of dimension"
    first = painted(page, f"{label} {start}").all()[0].get_attribute("data-id")
    page.get_by_role("button", name="chevron_right").click()
    page.wait_for_function("d => !location.search.includes(`d=${d}&`)", arg=start)
    other = dimension_in(page.url)
    assert other != start
    page.get_by_role("heading", name=f"Dimension {other}", exact=True).wait_for()
    painted(page, f"{label} {other}")
    number = page.get_by_label("Dimension", exact=True)
    number.fill(str(start))
    number.press("Enter")
    page.wait_for_url(f"**/dimensions?*d={start}*")
    page.get_by_role("heading", name=f"Dimension {start}", exact=True).wait_for()
    picture = painted(page, f"{label} {start}").first
    assert picture.get_attribute("data-id") == first, "the same dimension shows the same images again"
    picture.click()
    page.wait_for_url(f"**/gates?*image={first}*", timeout=20_000)
    page.get_by_text("dimensions are active, the gate closes").wait_for(timeout=20_000)


def test_images_are_reached_by_keyboard(page: "sync_api.Page", server: str) -> None:
    page.goto(f"{server}/gates?study=small&run=gated&image=7")
    tiles = painted(page, "random images")
    assert tiles.count() == 48
    assert "image" in (tiles.first.get_attribute("aria-label") or "")
    tiles.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**image={tiles.nth(1).get_attribute('data-id')}*", timeout=20_000)
    assert page.url.split("/")[-1].startswith("gates"), "an arrow inside the grid turns no page"


def click_mark(page: "sync_api.Page", marks: "sync_api.Locator") -> None:
    """Click the last of the marks of a chart, as a hand would: it is hovered first."""
    marks.first.wait_for(timeout=20_000)
    page.wait_for_timeout(500)  # plotly moves its marks once when fonts arrive
    marks.last.scroll_into_view_if_needed()
    box = marks.last.bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*at)
    page.locator(".hoverlayer .hovertext").first.wait_for()
    page.mouse.click(*at)
    page.wait_for_url("**/dimensions?*d=*", timeout=20_000)


def test_points_and_bars_open_their_dimension(page: "sync_api.Page", server: str) -> None:
    page.goto(f"{server}/gates?study=small&run=gated&image=7")
    charts = page.locator(".js-plotly-plot")
    click_mark(page, charts.first.locator(".scatterlayer .trace").first.locator(".point"))
    page.get_by_role("link", name="Gates").first.click()
    page.get_by_role("heading", name="One image").wait_for(timeout=20_000)
    page.wait_for_timeout(1000)
    assert "/gates" in page.url, "an old click does not send the visitor away again"
    click_mark(page, charts.nth(2).locator(".barlayer .point"))


def test_phone_width_holds_and_pictures_stay_large_enough_to_see(page: "sync_api.Page", server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("", "dimensions", "gates", "theory"):
        page.goto(f"{server}/{name}?study=small&run=gated")
        page.locator("[data-testid=stCaptionContainer]").last.wait_for(timeout=20_000)
        page.wait_for_timeout(700)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    page.goto(f"{server}/dimensions?study=small&run=gated")
    box = painted(page, "Strongest images of dimension").first.bounding_box()
    assert box["width"] >= 40
