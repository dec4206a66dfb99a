"""The reference tool: `charge_card`, small and real, with a classifier of its errors and four ways to be called.

`charge` is the tool; `command`, `web` and `mcp_server` serve it; `misbehaving` serves it badly.
Two environment variables change it: `EXAMPLE_FAULT` is one of `charge.FAULTS`, `EXAMPLE_HOSTILE` one of
`misbehaving.MODES`.
"""
