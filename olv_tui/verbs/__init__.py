"""The larger verbs without a screen, and what all of them share; cli.py chooses among them."""
