"""One server for hours, while agents upload and dashboards read: its memory must not grow, and nothing may be lost."""

import statistics

from agents import Twins
from readers import Readers
from services import Server, make_token, wait
from usage import Watch

DURATION = 7200
# A fit that everybody may ask of the agents' samples.
QUESTION = {"device": 1, "counters": {"oclgrind": {"load_global": 5000.0, "store_global": 170.0}}}
UPLOADERS, DASHBOARDS = 2, 4
# Seconds between two of an uploader's batches; between two looks at the memory, and between two lines about it; until there
# are models to ask, and until all is fitted at the end.
PAUSE, LOOK, TELL, END = 4, 10, 300, 420
# Flat: the last quarter's median beside the second's. In the first one caches fill.
MOST_GROWTH = 1.1


def set_up(run):
    return Server("server", run.server, ["--requests-per-second", "0"], run.folder)


def play(run, server):
    ledger = run.ledger
    readers = Readers(server.port)
    names = [f"twins-{at}" for at in range(UPLOADERS)]
    agents = [Twins(name, ledger, [server.port], make_token(server, name), run.seed, PAUSE) for name in names]
    if wait(lambda: server.psql("SELECT count(*) FROM models WHERE refusal IS NULL") != [["0"]], END) is None:
        raise SystemExit(f"soak: no model in {END} s")
    with readers.reading(ledger, DASHBOARDS, [QUESTION]), Watch(server, ledger, LOOK, TELL) as watch:
        watch.ended.wait(run.duration)
        for agent in agents:
            agent.making = False
    if wait(lambda: not any(agent.waiting() for agent in agents), END) is None:
        ledger.complain(f"not everything is sent {END} s after the end")
    fits = run.fits_took(server, END)
    server.complain_of_ends(ledger)

    quarter = len(watch.own) // 4
    quarters = [statistics.median(watch.own[quarter * at:quarter * (at + 1)]) for at in range(4)]
    growth = quarters[3] / quarters[1]
    if growth > MOST_GROWTH:
        ledger.complain(f"memory grew by a factor of {growth:.2f}")
    print()
    print("\n".join(readers.table))
    print(f"answers to readers {dict(sorted(readers.answers.items()))}, to uploads {dict(sorted(ledger.answers.items()))} (0: none)")
    print(f"the server's memory by quarters, medians: {', '.join(f'{it:.0f}' for it in quarters)} MiB, at most {max(watch.own):.0f}; "
          f"the last one is {growth:.3f} of the second; with its Postgres at most {max(watch.all_of_it):.0f} MiB")
    print(f"load {min(watch.loads):.1f} to {max(watch.loads):.1f}; fits are done {fits:.0f} s after the last upload")
