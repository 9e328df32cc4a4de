"""Processes under supervision, as systemd would: what ends although it should run is started again."""

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
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

    def token(self):
        """An admin's."""
        return (self.data / "token").read_text().strip()

    def psql(self, command, database="postgres"):
        """The command's rows, of its private Postgres."""
        return psql(command, "--host", self.data / "socket", "--username=kerncast", database)


def run_alone(name, binary, arguments, work):
    """Has `work` done with a server that is ready, in a folder that stays where the work is not good; then ends with 1."""
    # As Ctrl-C does, so that nothing is left running.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"kerncast-{name}.", dir="/tmp"))
    # As root, Postgres runs as another user, who has to get there.
    folder.chmod(0o755)
    server = Server("server", binary, arguments, folder)
    good = False
    try:
        server.start()
        if wait(server.ready, 120) is None:
            raise SystemExit(f"{name}: the server is not ready in 120 s; {server.log} says why")
        good = work(server)
    finally:
        server.stop()
    if not good:
        print(f"{name}: failed; the log is in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


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
