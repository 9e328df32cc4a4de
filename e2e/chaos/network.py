"""A bad network: a proxy whose connections can be slow, cut, or lead nowhere. (Kernels without netem can't do it.)"""

import asyncio
import contextlib
import random
import socket
import struct
import threading

PIECE = 16 << 10


class Network:
    """Every link, on a thread of its own."""

    def __init__(self, seed):
        self.loop = asyncio.new_event_loop()
        self.random = random.Random(seed)
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def link(self, listen, target):
        """From an address to another: ("127.0.0.1", port), or the path of a socket."""
        link = Link(self, target)
        asyncio.run_coroutine_threadsafe(link.listen(listen), self.loop).result()
        return link


class Link:
    def __init__(self, network, target):
        self.network, self.target = network, target
        self.mode = "clear"
        self.writers = set()
        self.cuts = 0

    async def listen(self, address):
        if isinstance(address, tuple):
            await asyncio.start_server(self._accept, *address)
        else:
            await asyncio.start_unix_server(self._accept, address)

    def set(self, mode):
        """`clear`, `slow`, `cut` (each connection, after some bytes) or `nowhere`; what is open is cut or goes on so."""
        self.mode = mode
        if mode in ("cut", "clear"):
            self.network.loop.call_soon_threadsafe(self._cut_all)

    def _cut_all(self):
        for writer in list(self.writers):
            self._cut(writer)

    def _cut(self, writer):
        self.cuts += 1
        with contextlib.suppress(OSError):
            # No farewell: the other side learns of it by a reset.
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def _accept(self, reader, writer):
        self.writers.add(writer)
        try:
            is_port = isinstance(self.target, tuple)
            opened = asyncio.open_connection(*self.target) if is_port else asyncio.open_unix_connection(self.target)
            there, back = await opened
        except OSError:
            self.writers.discard(writer)
            writer.transport.abort()
            return
        self.writers.add(back)
        # Of bytes that a connection still carries where connections are cut: questions and answers are both hit.
        left = [self.network.random.randrange(200, 20_000)]
        await asyncio.gather(self._carry(reader, back, left), self._carry(there, writer, left))
        for end in (writer, back):
            self.writers.discard(end)
            end.transport.abort()

    async def _carry(self, reader, writer, left):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while piece := await reader.read(PIECE):
                if self.mode == "slow":
                    await asyncio.sleep(self.network.random.uniform(0.05, 0.3) + len(piece) / 100_000)
                while self.mode == "nowhere":
                    await asyncio.sleep(0.1)
                if self.mode == "cut":
                    left[0] -= len(piece)
                    if left[0] < 0:
                        self._cut(writer)
                        return
                writer.write(piece)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
