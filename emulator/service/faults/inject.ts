/**
 * Carries a fault out: delays, cuts or replaces the answer to a request.
 */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyText, contentType, type Answer, type Delivery } from "../http/answer";
import type { FaultEffect } from "./rules";

const page = "<!doctype html><html><body><h1>Service temporarily unavailable</h1></body></html>";

/**
 * Answers a request as its fault says.
 *
 * @param carryOut - carries the request out. A fault that answers before the request is carried out never calls it.
 */
export async function inject(
  fault: FaultEffect,
  carryOut: () => Answer,
  outgoing: ServerResponse,
): Promise<Delivery> {
  switch (fault.kind) {
    case "status":
    case "redirect":
    case "cut":
      if (fault.when === "after") carryOut();
      return replaceAnswer(fault, outgoing);
    case "delay": {
      const early = fault.when === "after" ? carryOut() : undefined;
      await wait(fault.delayMs);
      return { answer: early ?? carryOut() };
    }
    case "garbled":
      carryOut();
      return { answer: { status: 200, body: page, headers: { "Content-Type": "text/html" } } };
    case "wrongShape":
      return { answer: { ...carryOut(), body: fault.body } };
    case "truncate":
      return truncate(carryOut(), fault.keepBytes, outgoing);
    case "drip":
      return drip(carryOut(), fault, outgoing);
    case "endless":
      return flood(carryOut(), outgoing);
    // For these two kinds, `carryOut` itself returns the wrong answer: see `Service`.
    case "stale":
    case "loopCursor":
      return { answer: carryOut() };
  }
}

function replaceAnswer(
  fault: FaultEffect & { kind: "status" | "redirect" | "cut" },
  outgoing: ServerResponse,
): Delivery {
  switch (fault.kind) {
    case "status": {
      const { status, headers, body } = fault;
      return { answer: { status, ...(headers && { headers }), ...(body !== undefined && { body }) } };
    }
    case "redirect":
      return { answer: { status: fault.status ?? 307, headers: { Location: fault.location } } };
    case "cut":
      outgoing.destroy();
      return "sent";
  }
}

async function truncate(
  answer: Answer,
  keepBytes: number | undefined,
  outgoing: ServerResponse,
): Promise<"sent"> {
  const bytes = announce(answer, outgoing);
  const kept = bytes.subarray(0, keepBytes ?? Math.floor(bytes.length / 2));
  await new Promise((resolve) => outgoing.write(kept, resolve));
  outgoing.destroy();
  return "sent";
}

async function drip(
  answer: Answer,
  { everyMs, bytes: atOnce = 1 }: { everyMs: number; bytes?: number },
  outgoing: ServerResponse,
): Promise<"sent"> {
  const bytes = announce(answer, outgoing);
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += atOnce) {
    outgoing.write(bytes.subarray(at, at + atOnce));
    await wait(everyMs);
  }
  outgoing.end();
  return "sent";
}

/** Sends until the client closes the connection: a client needs its own limit. */
async function flood({ status }: Answer, outgoing: ServerResponse): Promise<"sent"> {
  // A 204 has no body: Node would send nothing, not even the head.
  outgoing.writeHead(status === 204 ? 200 : status, { "Content-Type": "application/json" });
  const block = Buffer.alloc(65_536, " ");
  const isClosed = new Promise((resolve) => outgoing.once("close", resolve));
  outgoing.write('{"endpoints":[');
  while (!outgoing.destroyed) {
    if (outgoing.write(block)) await wait(0);
    else await Promise.race([isClosed, new Promise((resolve) => outgoing.once("drain", resolve))]);
  }
  return "sent";
}

/** Sends the headers of the whole answer. @returns its body, which is still to be sent */
function announce(answer: Answer, outgoing: ServerResponse): Buffer {
  const bytes = Buffer.from(bodyText(answer) ?? "");
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    "Content-Type": contentType(answer),
    "Content-Length": bytes.length,
  });
  return bytes;
}

/** Waits in real time, without keeping the process alive. */
async function wait(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}
