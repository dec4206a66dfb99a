"""The catalogue of error classes: what a tool documents of each, read, checked and spread into cases."""
