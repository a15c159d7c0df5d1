"""Exchanges as texts for others to read: records, and the reports that become calls again."""
