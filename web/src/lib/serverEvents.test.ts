import { expect, test } from "vitest";
import { eventData } from "./serverEvents";

test("messages come whole, however the stream is cut, and comments are none", async () => {
  const text = 'data: {"kind":"missed"}\n\n:\n\ndata: {"kind":"agent","agent":"ラボ"}\n\ndata: cut';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(stream) {
        for (let at = 0; at < bytes.length; at += size) stream.enqueue(bytes.slice(at, at + size));
        stream.close();
      },
    });
    const events: string[] = [];
    for await (const data of eventData(body)) events.push(data);
    expect(events).toEqual(['{"kind":"missed"}', '{"kind":"agent","agent":"ラボ"}']);
  }
});
