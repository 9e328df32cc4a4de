"""Those who upload: twins that send the same samples at the same time, and `kerncast upload` from a spool."""

import json
import os
import queue
import random
import subprocess
import threading
import time

from services import ask

BATCH = 20


class Twins:
    """Two uploaders of the same batches, to servers by turns; each sends a batch until every sample has its verdict."""

    def __init__(self, agent, ledger, ports, token, seed, pause=0.7):
        """`pause`: seconds between two batches, on average."""
        self.agent, self.ledger, self.ports, self.token, self.pause = agent, ledger, ports, token, pause
        self.random = random.Random(f"{seed} {agent}")
        self.making = True
        self.queues = [queue.Queue(), queue.Queue()]
        self.threads = [threading.Thread(target=self._make, daemon=True)]
        self.threads += [threading.Thread(target=self._send, args=(it,), daemon=True) for it in (0, 1)]
        for thread in self.threads:
            thread.start()

    def waiting(self):
        return sum(queue.unfinished_tasks for queue in self.queues)

    def _make(self):
        while self.making:
            # Where nothing gets through, nothing is piled up.
            if self.waiting() < 200:
                batch = [self.ledger.sample(self.agent) for _ in range(BATCH)]
                for each in self.queues:
                    each.put(batch)
            time.sleep(self.random.uniform(0.5, 1.5) * self.pause)

    def _send(self, which):
        turn = which
        while True:
            batch = self.queues[which].get()
            while batch:
                turn += 1
                status, headers, text = self._post(self.ports[turn % len(self.ports)], batch)
                self.ledger.answer(status)
                if status == 200:
                    verdicts = json.loads(text)["verdicts"]
                    batch = [sample for sample, verdict in zip(batch, verdicts, strict=True)
                             if not self._is_done(sample, verdict)]
                elif status in (503, 507, 429) and "Retry-After" not in headers and status != 507:
                    self.ledger.complain(f"{status} without Retry-After: {text[:200]}")
                elif status not in (0, 408, 429, 503, 507):
                    self.ledger.complain(f"an upload was answered {status}: {text[:200]}")
                if batch:
                    time.sleep(0.3)
            self.queues[which].task_done()

    def _is_done(self, sample, verdict):
        done = self.ledger.verdict(sample["id"], verdict["verdict"])
        # A clock may be wrong, the server's; then it is sent again.
        for problem in verdict.get("problems", []):
            if not problem["field"].endswith("/measured_at"):
                self.ledger.complain(f"a sample was rejected: {problem}")
        return done

    def _post(self, port, batch):
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        return ask(port, "POST", "/v1/samples", json.dumps({"samples": batch}), headers, timeout=30)


class Collector:
    """Fills a spool and runs `kerncast upload`, which is killed now and then, or has a wrong clock."""

    def __init__(self, run, ports, token, clock):
        self.binary, self.ledger, self.ports, self.token, self.clock = run.agent, run.ledger, ports, token, clock
        self.folder = run.folder / "spool"
        self.folder.mkdir()
        self.random = random.Random(run.seed)
        self.making = True
        self.kills = 0
        self.clock_jumps = 0
        self.outside = set()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def waiting(self):
        return len(self.outside)

    def _run(self):
        turn = 0
        while self.making or self.outside:
            turn += 1
            if self.making and len(self.outside) < 2000:
                for _ in range(BATCH):
                    self._put(self.ledger.sample("collector"))
            self._upload(self.ports[turn % len(self.ports)])
            there = {path.stem for path in self.folder.rglob("*.json")}
            for sample_id in self.outside - there:
                self.ledger.gone_from_spool(sample_id)
            self.outside &= there
            time.sleep(self.random.uniform(0.2, 2))

    def _put(self, sample):
        # As the collector does: whole or not there.
        path = self.folder / f"{sample['id']}.json"
        path.with_suffix(".new").write_text(json.dumps(sample))
        path.with_suffix(".new").rename(path)
        self.outside.add(sample["id"])

    def _upload(self, port):
        environment = {
            **os.environ, "KERNCAST_SERVER": f"http://127.0.0.1:{port}", "KERNCAST_TOKEN": self.token,
            "KERNCAST_SPOOL": str(self.folder), "KERNCAST_AGENT": "collector"}
        if self.making and self.clock and self.random.random() < 0.2:
            self.clock_jumps += 1
            environment |= self.clock.environment(self.random.choice(["-3d", "+3d"]))
        upload = subprocess.Popen(
            [self.binary, "upload"], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        kill = self.making and self.random.random() < 0.3
        try:
            upload.wait(self.random.uniform(0.01, 0.5) if kill else 150)
        except subprocess.TimeoutExpired:
            upload.kill()
            upload.wait()
            if kill:
                self.kills += 1
            else:
                self.ledger.complain("kerncast upload took more than 150 s")
