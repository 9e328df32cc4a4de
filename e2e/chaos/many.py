"""Agents that upload the suite at once, each with a token of its own, until all is acknowledged."""

import asyncio
import collections
import json
import random
import time

from services import make_token
from suite import FILES, Measured
from upload import GOOD, attempts

# Seconds within which all agents come; in place of the night between two runs of an agent, up to twice as long.
WITHIN, NIGHT = 2, 60


def is_error(status):
    return status not in GOOD and status not in (429, 503)


class Agents:
    """Whoever uploads, and what came of that."""

    def __init__(self, server, ledger):
        self.server, self.ledger = server, ledger
        self.suites = [Measured(name) for name in FILES]
        self.tokens = {}
        self.begin_anew(float("inf"))

    def begin_anew(self, seconds):
        """Counts from now on; whoever is not done after so long is given up."""
        self.end = time.monotonic() + seconds
        self.answers = collections.Counter()
        self.attempts = collections.Counter()
        # Those whose attempts were all in vain, once or more often.
        self.turned_away = set()
        # When each had sent all.
        self.done = []

    def enrol(self, agents):
        self.tokens |= {agent: make_token(self.server, agent) for agent in agents}

    async def upload(self, agents, every=1):
        """All of them, at once."""
        await asyncio.gather(*(self.agent(agent, self.suites[at % len(FILES)], every) for at, agent in enumerate(agents)))

    async def agent(self, agent, suite, every):
        await asyncio.sleep(random.uniform(0, WITHIN))
        for ids, pieces in suite.batches(agent, every):
            answer = await self.send(agent, "/v1/samples", pieces)
            if answer is None:
                return
            for name, verdict in zip(ids, json.loads(answer)["verdicts"], strict=True):
                if not self.ledger.verdict(name, verdict["verdict"]):
                    self.ledger.complain(f"a sample was rejected: {verdict}")
        if await self.send(agent, "/v1/ceilings", suite.own_ceilings(agent)) is not None:
            self.done.append(time.monotonic())

    async def send(self, agent, path, pieces):
        """The text of the good answer, whichever night it comes; none where it never does."""
        tries, wrong = 0, False

        def answered(status, text):
            nonlocal tries, wrong
            tries += 1
            self.answers[status] += 1
            if is_error(status):
                wrong |= status != 0
                self.ledger.complain(f"{agent}, {path}: answered {status or 'nothing'}: {text[:200]}")

        while True:
            answer = await attempts(self.server.port, path, self.tokens[agent], pieces, answered)
            if answer is not None:
                self.attempts[tries] += 1
                return answer
            self.turned_away.add(agent)
            if wrong or time.monotonic() > self.end:
                self.ledger.complain(f"{agent} has not got rid of {path}")
                return None
            await asyncio.sleep(NIGHT * random.uniform(1, 2))
