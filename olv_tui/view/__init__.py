"""Pure projections of exchanges for display: safe text, lines, words. Knows no screen."""
