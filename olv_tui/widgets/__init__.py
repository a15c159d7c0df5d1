"""The parts of the screen: messages out, data in."""
