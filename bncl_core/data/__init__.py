"""Images, views and batches."""
