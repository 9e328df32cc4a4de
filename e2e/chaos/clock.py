"""Wrong clocks, by libfaketime. Monotonic clocks go on as they are: a person who sets the time does not change them."""

import pathlib

LIBRARIES = [pathlib.Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
             pathlib.Path("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1")]


class Clock:
    """Of one machine; it can be set while what reads it runs."""

    @staticmethod
    def library():
        return next((library for library in LIBRARIES if library.exists()), None)

    def __init__(self, file):
        self.file = pathlib.Path(file)
        self.set("+0")

    def set(self, offset):
        """`+3d`, `-2h`, `+0`."""
        new = self.file.with_suffix(".new")
        new.write_text(offset + "\n")
        new.rename(self.file)

    def followed(self):
        """Environment of a process that reads this clock, and reads it again every second."""
        return {**self.environment(""), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_CACHE_DURATION": "1"}

    @staticmethod
    def environment(offset):
        """Environment of a process whose clock is so wrong all along."""
        fixed = {"FAKETIME": offset} if offset else {}
        return fixed | {"LD_PRELOAD": str(Clock.library()), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
