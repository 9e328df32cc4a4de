"""Errors, in the server's words."""

from __future__ import annotations

from dataclasses import dataclass

from .rest.models import Problem


@dataclass(frozen=True)
class FieldProblem:
    """A field of a request that is not as expected."""

    field: str
    """A JSON pointer into the request, or the name of a parameter."""
    value: str | None
    """The value in the request, shortened; None where it is missing."""
    expected: str
    """What was expected instead."""


class KerncastError(Exception):
    """The server refused a request or could not be reached, or there is no such device, kernel or sample.

    `status` is the HTTP status, None where there was no answer. `errors` are the fields at fault; `field`, `value` and
    `expected` are those of the first.
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
    def from_problem(cls, problem: Problem) -> KerncastError:
        """The error for the server's problem details (RFC 9457)."""
        errors = tuple(FieldProblem(it.field, it.value or None, it.expected) for it in problem.errors or [])
        return cls(problem.detail or problem.title, problem.status, errors)
