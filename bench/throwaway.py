"""A server with a database of its own, for as long as a benchmark takes."""

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return "127.0.0.1:%d" % listener.getsockname()[1]


@contextlib.contextmanager
def running(command, address):
    """The command, once it answers at the address."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection(address)
                connection.request("GET", "/readyz")
                connection.getresponse()
                break
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def server(binary, folder, keep=False):
    """A server on a new database in the folder, or on the one that is there."""
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    address = free_address()
    # Benchmarks ask more often than a client may.
    with running([binary, "--listen", address, "--data", folder, "--requests-per-second", "0"], address):
        yield Server(address, folder)


class Server:
    def __init__(self, address, folder):
        self.address = address
        self.socket = folder.resolve() / "socket"
        # A database that was restored has its tokens elsewhere.
        file = folder / "token"
        token = file.read_text().strip() if file.exists() else ""
        self.upload_headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(self.address)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text) if text.startswith(b"{") else text

    def psql(self, command):
        """The command's rows, as text."""
        run = subprocess.run(
            ["psql", "--quiet", "--no-align", "--tuples-only", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--host",
             self.socket, "--username=kerncast", "postgres"], input=command, capture_output=True, text=True,
            # As the server sets it: compiling a short query takes longer than running it.
            env={**os.environ, "PGOPTIONS": "-c jit=off"})
        if run.returncode:
            sys.exit(run.stderr)
        return run.stdout.strip()
