"""What can go wrong, in the server's words."""

from __future__ import annotations

from dataclasses import dataclass

from .rest.models import Problem


@dataclass(frozen=True)
class FieldProblem:
    """One thing of a request that is not as expected."""

    field: str
    """Where: a JSON pointer into the request, or a parameter's name."""
    value: str | None
    """What was there, shortened; None where nothing was."""
    expected: str
    """What would have been right."""


class KerncastError(Exception):
    """The server refused, could not be reached, or does not know what was named.

    `status` is the HTTP status, None where there was no answer; `errors` are the fields at fault, the first of which
    `field`, `value` and `expected` repeat.
    """

    def __init__(self, message: str, status: int | None = None, errors: tuple[FieldProblem, ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.errors = errors
        first = errors[0] if errors else None
        self.field = first.field if first else None
        self.value = first.value if first else None
        self.expected = first.expected if first else None

    @classmethod
    def of(cls, problem: Problem) -> KerncastError:
        """What the server says (RFC 9457)."""
        errors = tuple(FieldProblem(it.field, it.value or None, it.expected) for it in problem.errors or [])
        return cls(problem.detail or problem.title, problem.status, errors)
