"""The wire: one asynchronous `exchange(request) -> Reply`, and the HTTP rules an answer can break."""
