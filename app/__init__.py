"""The dashboard: what pages are made of."""
