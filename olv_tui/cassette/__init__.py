"""Cassettes: a session recorded to one file, and served again without the server.

A cassette is JSON Lines in UTF-8. The first line is the header, every other line one exchange, in the order in which
they ended:

    {"cassette": 1, "by": "olv-tui 0.1.0", "recorded": "2026-12-02T08:00:00.000Z",
     "target": {"name": "...", "url": "..."}, "era": "auto|modern|legacy|bare"}

    {"key": "...", "loose": "...", "what": "tools/call olv_list_worlds",
     "started": "...", "era": ..., "protocol_version": ..., "automatic": true|false,
     "request": {"method", "url", "headers": [["name", "value"]], "body" or "body_base64"},
     "response": {"status", "reason", "http_version", "headers", "body" or "body_base64", "coding",
                  "wire_base64" (where a content coding was undone), "surplus_base64" (bytes after the end),
                  "body_size" (where `body` is only the beginning of so many bytes),
                  "frames": [[milliseconds, bytes], ...] (of an event stream: when each piece of the body came)} | null,
     "transport_error": {"kind", "message"} | null, "cancelled": true|false,
     "timing": {"connect_ms", "first_byte_ms", "total_ms"}}

`key`, `loose` and `what` make a file of any size open at once; a line without them, such as one written by hand, is
read whole instead. Secrets are masked as in the history.

lines.py is this format, keys.py what makes two requests the same, tape.py the file by its index, recorder.py writes it,
answers.py and player.py play it, imports.py makes one of a HAR, a report or the history, flags.py are the words of the
command line.
"""
