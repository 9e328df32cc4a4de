"""How long a backup of a lab with 1,000,000 samples takes while its server runs, and restoring it into an empty database;
whether every sample and reading has come back.

python3 bench/backup.py BINARY FOLDER [NIGHTS]      10,000 samples a night, 100 nights where no number follows
"""

import subprocess
import sys
import time

from grown import A_NIGHT, BINARY, FOLDER, LAB, grow
from throwaway import server

NIGHTS = int(sys.argv[3]) if len(sys.argv) > 3 else 100
TABLES = ("samples", "readings", "series", "devices")
MOST_S = 300


def content(kerncast):
    """A number for each table, the same where its rows are."""
    rows = "SELECT count(*) || ' ' || sum(hashtextextended(it::text, 0)::numeric) FROM {} AS it"
    return [kerncast.psql(rows.format(table)) for table in TABLES]


def run(*arguments):
    start = time.perf_counter()
    process = subprocess.run([BINARY, *arguments], capture_output=True, text=True)
    if process.returncode:
        sys.exit(process.stderr)
    print(f"  {arguments[0]}: {time.perf_counter() - start:.1f} s ({process.stdout.strip().split(', in ')[0]})")
    return time.perf_counter() - start


def main():
    file, restored = FOLDER / "lab.kerncast", FOLDER / "restored"
    file.unlink(missing_ok=True)
    print(f"a lab of 20 devices with {NIGHTS * A_NIGHT:,} samples; target: restored within {MOST_S} s per 1,000,000")
    with server(BINARY, FOLDER / "backed-up") as kerncast:
        kerncast.psql(LAB)
        grow(kerncast, range(1, NIGHTS + 1))
        bytes_ = int(kerncast.psql("SELECT pg_database_size(current_database())"))
        before = content(kerncast)
        run("backup", file, "--data", FOLDER / "backed-up")
    print(f"  {bytes_ / 2**20:.0f} MiB in the database, {file.stat().st_size / 2**20:.0f} MiB in the file")
    subprocess.run(["rm", "-rf", restored], check=True)
    took = run("restore", file, "--data", restored)
    with server(BINARY, restored, keep=True) as kerncast:
        same = content(kerncast) == before
    print(f"  rows of {', '.join(TABLES)}: {'the same' if same else 'NOT THE SAME'}")
    if took > MOST_S * NIGHTS * A_NIGHT / 1e6:
        print("  missed")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    main()
