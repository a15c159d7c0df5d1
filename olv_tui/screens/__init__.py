"""The screens of the explorer and what they stand on: Textual lives here, in widgets/ and in app.py."""
