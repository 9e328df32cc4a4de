"""A proxy in front of several servers, as small as one can be: connections go by turns to those that are ready."""

import asyncio
import contextlib
import http.client
import threading

PIECE = 64 << 10
# Seconds between two looks whether a server is ready, and how long it may take to say so.
LOOK, PATIENCE = 0.5, 2


class Balancer:
    def __init__(self, port, servers):
        self.port, self.servers = port, servers
        self.ready = set()
        self.turn = 0
        # Connections for which the first choice was not there any more.
        self.passed_over = 0
        # The loop itself would forget those that wait.
        self.tasks = set()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        started = asyncio.start_server(self._accept, "127.0.0.1", port)
        asyncio.run_coroutine_threadsafe(started, self.loop).result()
        for server in servers:
            asyncio.run_coroutine_threadsafe(self._look(server), self.loop)

    async def _look(self, server):
        while True:
            is_ready = await self.loop.run_in_executor(None, self._is_ready, server)
            (self.ready.add if is_ready else self.ready.discard)(server.port)
            await asyncio.sleep(LOOK)

    @staticmethod
    def _is_ready(server):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    async def _open(self):
        """A connection to a server that takes one; none where there is none."""
        for _ in self.servers:
            ready = [it.port for it in self.servers if it.port in self.ready]
            if not ready:
                return None
            self.turn += 1
            port = ready[self.turn % len(ready)]
            try:
                return await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                self.passed_over += 1
                self.ready.discard(port)
        return None

    async def _accept(self, reader, writer):
        self.tasks.add(task := asyncio.current_task())
        task.add_done_callback(self.tasks.discard)
        opened = await self._open()
        if opened is None:
            writer.transport.abort()
            return
        there, back = opened
        await asyncio.gather(self._carry(reader, back), self._carry(there, writer))
        for end in (writer, back):
            end.transport.abort()

    @staticmethod
    async def _carry(reader, writer):
        with contextlib.suppress(OSError):
            while piece := await reader.read(PIECE):
                writer.write(piece)
                await writer.drain()
        with contextlib.suppress(OSError):
            if writer.can_write_eof():
                writer.write_eof()
