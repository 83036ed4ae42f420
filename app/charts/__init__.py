"""Charts: data in, plotly Figure out. Nothing here knows streamlit."""
