"""Entry point: streamlit run app/main.py. It finds the pages, draws the frame and runs the chosen one."""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # `streamlit run` puts only this file's own folder on the path

import streamlit as st  # noqa: E402

from app.state import pickers  # noqa: E402

ICONS = {
    "overview": ":material/dashboard:",
    "dimensions": ":material/view_column:",
    "gates": ":material/door_open:",
    "theory": ":material/function:",
}


def page_of(path: Path) -> object:
    """The page in the file NN_name.py: its title is the first line of its docstring, its address is its name."""
    name = path.stem.split("_", 1)[1]
    title = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or name).split("\n")[0]
    icon = ICONS.get(name, ":material/article:")
    return st.Page(path, title=title, url_path=name, icon=icon, default=name == "overview")


st.set_page_config(page_title="GateScope", page_icon=str(ROOT / "assets" / "logo.svg"), layout="wide")
st.logo(str(ROOT / "assets" / "wordmark.svg"), icon_image=str(ROOT / "assets" / "logo.svg"), size="large")
st.html(ROOT / "assets" / "style.css")
files = sorted((ROOT / "pages").glob("[0-9]*_*.py"))
explore = [page_of(path) for path in files if int(path.stem.split("_")[0]) < 70]
learn = [page_of(path) for path in files if int(path.stem.split("_")[0]) >= 70]
page = st.navigation({"Explore": explore, "Learn": learn})
st.session_state["_page"] = page.url_path or "overview"
with st.sidebar:
    pickers()
page.run()
