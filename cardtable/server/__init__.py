"""The live table on the network: HTTP, WebSocket and a database around `cardtable.table`.

Its API is described in docs/server.md.
"""
