"""Eval suites whose recorded tool calls are replayed, failures as failures: admission, a host, and its judge.

Requirements and their identifiers are those of RFC 0245 of OpenWOP; `requirements` lists them.
"""
