"""Processes under supervision, as systemd would: what ends although it should run is started again."""

import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait(condition, limit):
    """Seconds until the condition holds; none where it does not within the limit."""
    start = time.monotonic()
    while time.monotonic() - start < limit:
        if condition():
            return time.monotonic() - start
        time.sleep(0.1)
    return None


def kill(pid, what):
    """Sends a signal to a process that may be gone already."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, what)


def children(pid):
    """The processes that a process has started."""
    with contextlib.suppress(OSError):
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


class Service:
    """A command that runs again, half a second after it has ended."""

    def __init__(self, name, command, environment, log):
        self.name, self.command, self.log = name, command, log
        self.environment = {**os.environ, **environment}
        self.wanted = threading.Event()
        self.process = None
        self.starts = 0
        threading.Thread(target=self._supervise, daemon=True).start()

    def start(self):
        self.wanted.set()

    def stop(self):
        """Ends it for good."""
        self.wanted.clear()
        while (process := self.process) and process.poll() is None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(40)
                return
            process.kill()

    def kill(self, what=signal.SIGKILL):
        if process := self.process:
            kill(process.pid, what)

    def _supervise(self):
        while self.wanted.wait():
            with open(self.log, "a") as log:
                self.process = subprocess.Popen(
                    self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self.starts += 1
            self.process.wait()
            time.sleep(0.5)


class Server(Service):
    """A Kerncast server, and what it says of itself."""

    def __init__(self, name, binary, arguments, folder, environment=None):
        self.port = free_port()
        self.data = folder / name
        listen = ["--listen", f"127.0.0.1:{self.port}", "--data", str(self.data)]
        super().__init__(name, [binary, *listen, *arguments], environment or {}, folder / f"{name}.log")

    def get(self, path, timeout=20):
        """Status, headers and text of an answer; status 0 where there is none."""
        return ask(self.port, "GET", path, timeout=timeout)

    def ready(self):
        return self.get("/readyz", timeout=3)[0] == 200

    def complain_of_ends(self, ledger):
        """Where it has not run through."""
        if self.starts != 1:
            ledger.complain(f"the server ended {self.starts - 1} times")

    def token(self):
        """An admin's."""
        return (self.data / "token").read_text().strip()

    def psql(self, command, database="postgres"):
        """The command's rows, of its private Postgres."""
        return psql(command, "--host", self.data / "socket", "--username=kerncast", database)


def make_token(server, agent):
    """An agent's, made as an admin does."""
    headers = {"authorization": f"Bearer {server.token()}", "content-type": "application/json"}
    status, _, text = ask(server.port, "POST", "/v1/tokens", json.dumps({"role": "agent", "agent": agent}), headers)
    if status != 201:
        raise SystemExit(f"no token for {agent}: {status} {text[:200]}")
    return json.loads(text)["token"]


def pending(server):
    """Fits that wait or are being made; none where the server does not say."""
    status, _, text = server.get("/v1/jobs")
    return json.loads(text)["pending"] if status == 200 else None


def psql(command, *connection):
    """The command's rows, as lists of texts."""
    run = subprocess.run(
        ["psql", "--quiet", "--no-align", "--tuples-only", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--field-separator=|",
         *connection], input=command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return [line.split("|") for line in run.stdout.splitlines()]


def ask(port, method, path, body=None, headers=None, timeout=20):
    """Status, headers and text of an answer; 0 and what went wrong where there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    except (OSError, http.client.HTTPException) as error:
        return 0, {}, str(error).encode()
    finally:
        connection.close()
