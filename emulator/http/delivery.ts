import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./routes";
import type { FaultEffect } from "../faults/rules";

/** What the fault leaves to do: send an answer, or nothing, since the connection has been dealt with. */
export type Delivery = { readonly answer: Answer } | "sent";

const page = "<!doctype html><html><body><h1>Service temporarily unavailable</h1></body></html>";

/**
 * Lets a fault happen that lies before the change.
 *
 * @returns undefined where the request goes on as usual.
 */
export async function failBefore(
  effect: FaultEffect,
  outgoing: ServerResponse,
): Promise<Delivery | undefined> {
  if (effect.kind === "delay") {
    await wait(effect.delayMs);
    return undefined;
  }
  if (effect.kind === "status" || effect.kind === "redirect" || effect.kind === "cut") {
    return replace(effect, outgoing);
  }
  return undefined;
}

/** Lets a fault happen to the answer of a request that was carried out. */
export async function failAfter(
  effect: FaultEffect,
  answer: Answer,
  outgoing: ServerResponse,
): Promise<Delivery> {
  switch (effect.kind) {
    case "status":
    case "redirect":
    case "cut":
      return replace(effect, outgoing);
    case "delay":
      await wait(effect.delayMs);
      return { answer };
    case "garbled":
      return { answer: { status: 200, body: page, headers: { "Content-Type": "text/html" } } };
    case "wrongShape":
      return { answer: { ...answer, body: effect.body } };
    case "truncate":
      return truncate(answer, effect.keepBytes, outgoing);
    case "drip":
      return drip(answer, effect, outgoing);
    case "endless":
      return flood(answer, outgoing);
    case "stale":
    case "loopCursor":
      return { answer };
  }
}

function replace(
  effect: FaultEffect & { kind: "status" | "redirect" | "cut" },
  outgoing: ServerResponse,
): Delivery {
  switch (effect.kind) {
    case "status": {
      const { status, headers, body } = effect;
      return { answer: { status, ...(headers && { headers }), ...(body !== undefined && { body }) } };
    }
    case "redirect":
      return { answer: { status: effect.status ?? 307, headers: { Location: effect.location } } };
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
  const bytes = startWhole(answer, outgoing);
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
  const bytes = startWhole(answer, outgoing);
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += atOnce) {
    outgoing.write(bytes.subarray(at, at + atOnce));
    await wait(everyMs);
  }
  outgoing.end();
  return "sent";
}

/** Never ends by itself: who reads it has to have a limit. */
async function flood(answer: Answer, outgoing: ServerResponse): Promise<"sent"> {
  outgoing.writeHead(answer.status, { "Content-Type": "application/json" });
  const block = Buffer.alloc(65_536, " ");
  const isClosed = new Promise((resolve) => outgoing.once("close", resolve));
  outgoing.write('{"endpoints":[');
  while (!outgoing.destroyed) {
    if (outgoing.write(block)) await wait(0);
    else await Promise.race([isClosed, new Promise((resolve) => outgoing.once("drain", resolve))]);
  }
  return "sent";
}

function startWhole(answer: Answer, outgoing: ServerResponse): Buffer {
  const bytes = Buffer.from(bodyText(answer) ?? "");
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    "Content-Type": contentType(answer),
    "Content-Length": bytes.length,
  });
  return bytes;
}

/** The body as it is sent: text as it is, anything else as JSON. */
export function bodyText(answer: Answer): string | undefined {
  if (answer.body === undefined || typeof answer.body === "string") return answer.body;
  return JSON.stringify(answer.body);
}

export function contentType(answer: Answer): string {
  return typeof answer.body === "string" ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
}

/** Real time, and no reason for a process to stay alive. */
async function wait(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}
