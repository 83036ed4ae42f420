"""A grid of thumbnails one can click: one contact sheet, with a transparent button over each picture.

One picture of many tiles is what the browser shows fast; many small pictures are not.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st
from PIL import Image

HTML = """
<div class='root' role='group'>
  <img alt='' hidden><div class='frame'><canvas></canvas><div class='grid'></div></div>
</div>
"""
CSS = """
.frame { position: relative; width: min(100%, calc(var(--cols) * var(--side))); }
canvas { width: 100%; display: block; image-rendering: pixelated; border-radius: 4px; }
.grid { position: absolute; inset: 0; display: grid; grid-template-columns: repeat(var(--cols), 1fr); }
button { all: unset; cursor: pointer; box-sizing: border-box; aspect-ratio: 1; }
button { border: 1.5px solid var(--st-background-color); }
button[hidden] { display: none; }
button.marked { border: 3px solid #E08A1E; }
button:hover, button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: -3px; }
"""
JS = """
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector('.root'), frame = root.querySelector('.frame');
  const sheet = root.querySelector('img'), canvas = root.querySelector('canvas'), grid = root.querySelector('.grid');
  let columns = data.columns;
  const draw = () => {
    const room = Math.floor(root.clientWidth / (0.85 * data.side));
    columns = Math.max(1, Math.min(data.columns, room, data.ids.length));
    const shown = data.ids.slice(0, data.rows ? columns * data.rows : data.ids.length);
    [...grid.children].forEach((button, k) => { button.hidden = k >= shown.length; });
    frame.style.setProperty('--cols', columns);
    frame.style.setProperty('--side', data.side + 'px');
    if (!sheet.naturalWidth || sheet.src !== data.sheet) return;
    const tile = sheet.naturalWidth / data.across, rows = Math.ceil(shown.length / columns);
    canvas.width = columns * tile;
    canvas.height = rows * tile;
    const pen = canvas.getContext('2d');
    shown.forEach((id, k) => pen.drawImage(
      sheet, (k % data.across) * tile, Math.floor(k / data.across) * tile, tile, tile,
      (k % columns) * tile, Math.floor(k / columns) * tile, tile, tile));
    canvas.dataset.painted = shown.join(' ');
  };
  root.setAttribute('aria-label', data.label);
  while (grid.children.length < data.ids.length) grid.appendChild(document.createElement('button'));
  while (grid.children.length > data.ids.length) grid.lastChild.remove();
  data.ids.forEach((id, k) => {
    const button = grid.children[k];
    button.title = data.tips[k];
    button.setAttribute('aria-label', data.tips[k]);
    button.dataset.id = id;
    button.className = data.marked[k] ? 'marked' : '';
  });
  sheet.onload = draw;
  if (sheet.src !== data.sheet) sheet.src = data.sheet;
  root.draw = draw;
  if (!root.watch) {
    root.watch = new ResizeObserver(() => root.draw());
    root.watch.observe(root);
  }
  draw();
  grid.onclick = event => {
    const button = event.target.closest('button');
    if (button) setTriggerValue('clicked', Number(button.dataset.id));
  };
  grid.onkeydown = event => {
    const at = [...grid.children].indexOf(event.target);
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    if (by === undefined) return;
    event.stopPropagation();
    if (grid.children[at + by]) { grid.children[at + by].focus(); event.preventDefault(); }
  };
}
"""
SIDE = 56
"""Width of a tile on the screen in pixels, at most; tiles shrink by 15 % before one fewer stands in a row."""

ACROSS = 12
"""Tiles in a row of the sheet that is sent; how many stand in a row on the screen is decided there, by its width."""


@st.cache_resource
def _component() -> Callable[..., object]:
    return st.components.v2.component("gatescope_gallery", html=HTML, css=CSS, js=JS)


def contact_sheet(thumbs: np.ndarray, columns: int) -> str:
    """A data address of one lossless picture with the tiles `[n s s 3]` in reading order; the last row is padded."""
    n, side = thumbs.shape[:2]
    rows = -(-n // columns)
    tiles = np.zeros((rows * columns, side, side, 3), np.uint8)
    tiles[:n] = thumbs
    sheet = tiles.reshape(rows, columns, side, side, 3).transpose(0, 2, 1, 3, 4).reshape(rows * side, columns * side, 3)
    buffer = io.BytesIO()
    Image.fromarray(sheet).save(buffer, "WEBP", lossless=True, method=0)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode()


def gallery(
    key: str,
    thumbs: np.ndarray,
    ids: Sequence[int],
    tips: Sequence[str],
    label: str,
    columns: int = 12,
    marked: Sequence[bool] | None = None,
    rows: int = 0,
) -> int | None:
    """Show the tiles `thumbs` `[n s s 3]` of the images `ids` and return the id that was just clicked, else None.

    tips            tooltip and screen-reader text of each tile
    label           what the whole is, for screen readers
    columns         at most so many tiles in a row, fewer where the screen is narrow
    marked          tiles drawn with an orange frame
    rows            at most so many rows: what does not fit on the screen's width is left out; 0 shows all
    """
    if not len(ids):
        return None
    across = min(ACROSS, len(ids))
    data = {
        "sheet": contact_sheet(np.asarray(thumbs), across),
        "across": across,
        "ids": [int(i) for i in ids],
        "tips": list(tips),
        "marked": [bool(m) for m in (marked if marked is not None else [False] * len(ids))],
        "columns": columns,
        "side": SIDE,
        "rows": rows,
        "label": label,
    }
    result = _component()(key=key, data=data, on_clicked_change=lambda: None)
    clicked = getattr(result, "clicked", None)
    return int(clicked) if clicked in data["ids"] else None  # what comes from a browser is checked before it is used
