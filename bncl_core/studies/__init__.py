"""The store: the only channel between training and the dashboard."""
