"""The demo server: invented tools over real HTTP on the loopback, for a look at every view without a network.

Rules of this package:

* Everything in it is invented, except the tool name olv_list_worlds and the shape of not_linked, and it
  says so: serverInfo, the titles of the tools and the `_meta` of every result are marked.
* It shares no code with the client (the client's JSON, envelopes and transport are not imported here), so a
  fault of theirs cannot hide behind the same fault here.
* Same input, same output: fixed dates and ids, no randomness, no Date header.
* It lies on the start-up path of `--demo`: only the standard library is imported, and nothing that the
  program does not load anyway (http.server would cost 15 ms). jsonschema comes with the first arguments to check.

server.py owns the thread and the socket, wire.py HTTP/1.1, protocol.py methods and eras (with messages.py and
eras.py), tools.py and waiting.py the tools, account.py what changes between calls, catalogue.json the data.
"""
