"""`python -m knownbad`."""

from .cli import main

main()
