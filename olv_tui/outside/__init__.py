"""What lies outside of the program: clipboard, files of the reader's, pager. No screen is known here."""
