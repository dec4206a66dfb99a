"""The tool as a command: a request as JSON on stdin, the response on stdout."""

from __future__ import annotations

import json
import sys

from example_tool import charge

response = charge.answer(json.load(sys.stdin))
json.dump(response, sys.stdout)
sys.exit("error" in response)
