"""Budgets count steps, so that what is found does not depend on how fast the machine is."""

from __future__ import annotations

from ..errors import OutOfSteps


class Budget:
    """So many steps; spending the last one raises OutOfSteps."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Take `steps` off."""
        self.left -= steps
        if self.left < 0:
            raise OutOfSteps("the step budget of this walk is spent")
