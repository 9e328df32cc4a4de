"""How many agents one server takes in: their uploads of one night, at growing numbers of them, until it falls behind.

Every agent has a token of its own, a moment of the hour, as the packages' timer gives it, and a night's samples, which it
uploads as `kerncast` does: a request that fails is sent three times more, after waits that are each drawn anew, and then
the samples stay in its spool until the next night. Of that hour each step plays some seconds, not scaled: N agents an hour
are N / 3600 a second, whenever the others are done. Then the server is gone for a while; then all machines come up at once.
"""

import asyncio
import json
import os
import random
import signal
import time
import uuid

from services import Server
from upload import attempts, open_files

# It ends at the knee.
DURATION = 0
# Of a night and an agent; `kerncast agent run` measures what is due within its hour.
SAMPLES = 40
DEVICES, WORKLOADS, COUNTERS = 50, 500, 60
# Of each step, and of the outage; agents that upload at once at most, here; tokens that there are.
SECONDS, GONE, IN_FLIGHT, TOKENS = 15, 10, 2000, 20_000
# A step is taken in where all agents are answered, 99 in 100 of them within this, seconds; the last step, in agents asked about.
SLOW, LARGEST = 5, 64


def sample(sample_id, agent, number, body):
    """One of a night's, as text; `body` is all but its id, and when it was measured."""
    return '{"id":"%s","measured_at":"%s",%s' % (sample_id, MEASURED_AT, body[(agent * SAMPLES + number) % len(body)])


def bodies():
    """What the samples say, without their ids: workloads of a suite, on devices of a few kinds."""
    made = []
    for at in range(WORKLOADS):
        habits = random.Random(at)
        counters = {f"counter_{it:02}": float(int(habits.lognormvariate(12, 2))) for it in range(COUNTERS)}
        seconds = 1e-5 + 1e-9 * sum(counters.values())
        made.append(json.dumps({
            "agent": {"name": "AGENT", "version": "1"},
            "device": {"vendor": "Simulated", "name": "DEVICE", "kind": "gpu"},
            "workload": {"kernel": f"kernel_{at // 10}", "variant": "local" if at % 2 else "global",
                         "parameters": {"n": 1 << at // 2 % 5 + 8}},
            "times": {"repetitions_s": [seconds * habits.uniform(0.99, 1.01) for _ in range(10)]},
            "readings": {"ncu": {"counters": counters}, "launch": {"counters": {"work_groups": 16, "work_items": 4096}}},
            "provenance": {"driver_version": "1"}})[1:])
    return made


MEASURED_AT = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
BODIES = bodies()


class Night:
    """What came of the agents of a step."""

    def __init__(self):
        self.times, self.retries = [], 0
        self.answers = {}
        self.spooled = self.acknowledged = self.left_out = 0

    def percentile(self, per_cent):
        times = sorted(self.times)
        return times[min(len(times) - 1, len(times) * per_cent // 100)] if times else float("nan")


class Simulation:
    def __init__(self, server, ledger):
        self.server, self.ledger = server, ledger
        self.sent = set()
        self.busy = 0
        self.number = 0

    async def agent(self, night):
        """Uploads a night's samples; they stay in the spool where that fails."""
        if self.busy >= IN_FLIGHT:
            night.left_out += 1
            return
        self.busy += 1
        self.number += 1
        agent = self.number % TOKENS
        start = time.monotonic()
        ids = [str(uuid.uuid4()) for _ in range(SAMPLES)]
        self.sent.update(ids)
        named = (sample(sample_id, self.number, it, BODIES) for it, sample_id in enumerate(ids))
        text = '{"samples":[' + ",".join(named) + "]}"
        text = text.replace("AGENT", f"sim-{agent}").replace("DEVICE", f"Device {agent % DEVICES}")
        tries = 0

        def answered(status, answer):
            nonlocal tries
            tries += 1
            night.answers[status] = night.answers.get(status, 0) + 1
            if status not in (0, 200, 429) and status < 500:
                raise SystemExit(f"simulate: an upload was answered {status}: {answer[:300]}")

        try:
            answer = await attempts(self.server.port, "/v1/samples", token(agent), [text.encode()], answered)
            night.retries += tries - 1
            if answer is None:
                night.spooled += 1
            else:
                for sample_id, verdict in zip(ids, json.loads(answer)["verdicts"], strict=True):
                    self.ledger.verdict(sample_id, verdict["verdict"])
                    night.acknowledged += verdict["verdict"] == "stored"
                night.times.append(time.monotonic() - start)
        finally:
            self.busy -= 1

    async def step(self, agents, seconds, at_once=0):
        """So many agents an hour for so many seconds, and `at_once` more in the first two of them."""
        night, tasks = Night(), []
        start = time.monotonic()
        arrivals = [random.uniform(0, seconds) for _ in range(round(agents / 3600 * seconds))]
        arrivals = sorted(arrivals + [random.uniform(0, 2) for _ in range(at_once)])
        for arrival in arrivals:
            await asyncio.sleep(max(0, start + arrival - time.monotonic()))
            tasks.append(asyncio.create_task(self.agent(night)))
        await asyncio.gather(*tasks)
        night.took = time.monotonic() - start
        return night


def token(agent):
    return f"simulated-{agent}"


def line(what, agents, night):
    print(f"{what:24} {agents:9,} {len(night.times):7} {night.acknowledged / night.took:9.0f} {night.percentile(50):7.2f} s "
          f"{night.percentile(99):7.2f} s {night.retries:8} {night.spooled + night.left_out:8} {night.took:7.1f} s  "
          f"{dict(sorted(night.answers.items()))}", flush=True)


async def simulate(server, ledger, asked):
    """Steps up to 64 times the agents that are `asked` about."""
    simulation = Simulation(server, ledger)
    print(f"{'':24} {'an hour':>9} {'agents':>7} {'samples/s':>9} {'median':>9} {'p99':>9} {'retries':>8} {'spooled':>8} "
          f"{'in':>9}  answers (0: none)")
    # So that names, devices and series are there, as they are after the first nights.
    await simulation.step(36_000, 10)
    agents, taken, largest = max(1, asked // 4), 0, LARGEST * asked
    while agents <= largest:
        night = await simulation.step(agents, SECONDS)
        line("a night", agents, night)
        if night.spooled or night.left_out or night.percentile(99) > SLOW or night.took > SECONDS + SLOW:
            break
        taken, agents = agents, 2 * agents
    print(f"the knee: {taken:,} agents an hour are taken in, {agents:,} are not" if agents <= largest
          else f"no knee up to {taken:,} agents an hour")

    quiet = max(min(asked, taken), 1)
    outage = asyncio.create_task(simulation.step(quiet, SECONDS + 2 * GONE))
    await asyncio.sleep(SECONDS / 2)
    server.wanted.clear()
    server.kill(signal.SIGKILL)
    await asyncio.sleep(GONE)
    server.start()
    night = await outage
    line(f"gone for {GONE} s", quiet, night)
    once = min(asked, IN_FLIGHT)
    night = await simulation.step(0, 2, at_once=once)
    line("all come up within 2 s", once, night)
    there = {row[0] for row in server.psql("SELECT id FROM samples")}
    # What was stored when its answer was cut off, and not sent again, is there without having been acknowledged.
    unknown = there - simulation.sent
    # What is sent again must not be counted again.
    counted = int(server.psql("SELECT sum(samples) FROM agent_counts")[0][0])
    refused = ledger.verdicts["rejected"]
    print(f"samples sent {len(simulation.sent)}, refused {refused}, there {len(there)}, counted {counted}, "
          f"sent by nobody {len(unknown)}")
    if unknown or refused or counted != len(there):
        ledger.complain("samples that are there are not those that were sent")
    sizes = server.psql("""
        SELECT relname, pg_total_relation_size(oid) / (SELECT count(*) FROM samples)::float8 FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT 4""")
    print("bytes a sample: " + ", ".join(f"{name} {float(size):.0f}" for name, size in sizes))


def set_up(run):
    # All agents have one address here, as behind a proxy; fits would be another question.
    return Server("server", run.server, ["--fit-after", "1h", "--requests-per-second", "0"], run.folder)


def play(run, server):
    server.psql(f"""INSERT INTO tokens (hash, name, role, agent)
        SELECT sha256(convert_to('simulated-' || it, 'UTF8')), 'sim-' || it, 'agent', 'sim-' || it
        FROM generate_series(0, {TOKENS - 1}) AS it""")
    # Each agent holds a connection.
    open_files(2 * IN_FLIGHT + 500)
    print(f"{run.agents:,} agents with {SAMPLES} samples a night")
    asyncio.run(simulate(server, run.ledger, run.agents))
    print(f"load {os.getloadavg()[0]:.1f}; the agents took {time.process_time():.0f} s of processor time here")
