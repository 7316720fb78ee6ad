"""A proxy that delays each answer, as a distant server would.

    delaying.py PORT MILLISECONDS      before the server on that port of this machine; prints its own port

Connections are kept alive and independent of each other; requests on one of them wait for each other.
"""

import asyncio
import sys


async def message(reader):
    """The first line, the header fields and the body of a request or an answer; `None` when the connection ends."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    line, *fields = head[:-4].split(b"\r\n")
    length = next((int(field.split(b":")[1]) for field in fields if field.lower().startswith(b"content-length:")), None)
    return line, fields, length


def kept(fields):
    hop = (b"connection:", b"keep-alive:", b"transfer-encoding:", b"content-length:")
    return [field for field in fields if not field.lower().startswith(hop)]


def written(line, fields, body, connection):
    return b"\r\n".join([line, *kept(fields), b"Content-Length: %d" % len(body), b"Connection: " + connection, b"", body])


async def answered(port, line, fields, body):
    """What the server says. It ends the connection after each answer, which is where the body ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(written(line.replace(b"HTTP/1.1", b"HTTP/1.0"), fields, body, b"close"))
    line, fields, length = await message(reader)
    body = await (reader.read() if length is None else reader.readexactly(length))
    writer.close()
    return written(line.replace(b"HTTP/1.0", b"HTTP/1.1"), fields, body, b"keep-alive")


async def serve(port, seconds, reader, writer):
    try:
        while (request := await message(reader)) is not None:
            due = asyncio.get_running_loop().time() + seconds
            line, fields, length = request
            body = await reader.readexactly(length or 0)
            answer = await answered(port, line, fields, body)
            await asyncio.sleep(max(0, due - asyncio.get_running_loop().time()))
            writer.write(answer)
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main(port, milliseconds):
    server = await asyncio.start_server(
        lambda reader, writer: serve(port, milliseconds / 1000, reader, writer), "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    asyncio.run(main(*map(int, sys.argv[1:])))
