"""Uploads as `kerncast` sends them, of many agents at once."""

import asyncio
import random
import resource
import time

# Of collector/src/client: waits before another attempt, each up to twice as long; the longest that a server may ask for; for how
# long an upload comes again where the server is only busy; for how long an answer is waited for.
WAITS, LONGEST, BUSY_FOR, PATIENCE = (0.25, 1, 3), 30, 600, 120
GOOD = range(200, 300)
# Bytes that a connection is given at once.
PIECE = 64 << 10


def open_files(most):
    """Lets this process have so many files open, as far as it may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, most), hard))


async def attempts(port, path, token, pieces, answered):
    """The text of the answer where it is a good one; none where it never is.

    `answered(status, text)` hears of every answer; status 0 where there was none.
    """
    waits, start = iter(WAITS), time.monotonic()
    while True:
        status, after, text = await post(port, path, token, pieces)
        answered(status, text)
        if status in GOOD:
            return text
        if status not in (0, 429) and status < 500:
            return None
        told = min(after, LONGEST)
        wait_s = next(waits, None)
        if wait_s is None:
            if b'"urn:kerncast:busy"' not in text or time.monotonic() - start + told > BUSY_FOR:
                return None
            wait_s = WAITS[-1]
        await asyncio.sleep(max(wait_s, told) * random.uniform(1, 2))


async def post(port, path, token, pieces):
    """Status, seconds to wait and text of the answer to JSON in pieces, which a thousand may share; status 0: none came."""
    head = (f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\nconnection: close\r\n"
            f"content-type: application/json\r\ncontent-length: {sum(map(len, pieces))}\r\n\r\n")
    writer = None
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            waiting = bytearray(head.encode())
            for piece in pieces:
                waiting += piece
                if len(waiting) >= PIECE:
                    writer.write(bytes(waiting))
                    waiting.clear()
                    await writer.drain()
            writer.write(bytes(waiting))
            answer = await reader.read()
        head, _, text = answer.partition(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        after = [line.split(":")[1] for line in lines if line.startswith("retry-after:")]
        if "transfer-encoding: chunked" in lines:
            text = unchunked(text)
        return int(lines[0].split()[1]), float(after[0]) if after else 0, text
    except (OSError, TimeoutError, IndexError, asyncio.IncompleteReadError):
        return 0, 0, b""
    finally:
        if writer:
            writer.close()


def unchunked(body):
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size or b"0", 16)
        whole, body = whole + body[:length], body[length + 2:]
        if length == 0:
            break
    return whole
