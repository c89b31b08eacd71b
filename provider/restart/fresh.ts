/**
 * Which computes start anew in this run: a restart of one of them would drop the connections of a compute that has
 * everything a restart brings.
 */
import type { EndpointRef } from "../api/client";
import { keyOf } from "../endpoint/ownership";
import type { Interruption } from "../pure/interruption";
import type { Receipt } from "../pure/receipt";

export type Fresh = "created" | "restarted";

export interface FreshComputes {
  /** A check has found a new resource of a compute. @param adopts - whether it takes over an existing compute. */
  planCreate(adopts: boolean): void;
  /** A diff has found what this run does to a compute. */
  planChange(ref: EndpointRef, change: FreshChange): void;
  /** A create has made the compute. */
  created(ref: EndpointRef): void;
  /** An update has ended. @param receipt - what it did to the compute; undefined if it sent nothing. */
  updated(ref: EndpointRef, receipt: Pick<Receipt, "happened"> | undefined): void;
  /** A restart of the compute was sent, and has ended. */
  restarted(ref: EndpointRef): void;
  /** What the run has done to a compute; undefined if it has not started it anew. */
  done(ref: EndpointRef): Fresh | undefined;
  /** What the run is going to do to a compute. */
  planned(ref: EndpointRef): Fresh | undefined;
  /** Whether a compute whose id is not known yet is one that this run creates, as far as the run knows. */
  isUnknownCreated(): boolean;
  /** Restarts a compute unless that is done by now, and one after the other. */
  once<T>(ref: EndpointRef, restart: () => Promise<T>): Promise<T>;
}

interface FreshChange {
  readonly changes: boolean;
  readonly replaces: boolean;
  readonly announced: Interruption | undefined;
}

/** What leaves a compute that ran with a new start behind it, or before its next connection. */
const starting: ReadonlySet<string> = new Set([
  "restarted",
  "suspended",
  "idle",
] satisfies Receipt["happened"][]);

export function trackFreshComputes(): FreshComputes {
  const planned = new Map<string, Fresh>();
  const done = new Map<string, Fresh>();
  const running = new Map<string, Promise<unknown>>();
  let creates = false;
  /** Computes whose ids a preview may not know, although they exist. */
  let keepsUnknown = false;
  return {
    planCreate: (adopts) => {
      if (adopts) keepsUnknown = true;
      else creates = true;
    },
    planChange: (ref, { changes, replaces, announced }) => {
      if (replaces) planned.set(keyOf(ref), "created");
      // The dynamic provider's outputs are unknown while an update is planned.
      else if (changes) keepsUnknown = true;
      if (replaces || announced?.certain !== true || announced.effect === "unstated") return;
      planned.set(keyOf(ref), "restarted");
    },
    created: (ref) => {
      done.set(keyOf(ref), "created");
    },
    updated: (ref, receipt) => {
      if (receipt !== undefined && starting.has(receipt.happened)) done.set(keyOf(ref), "restarted");
    },
    restarted: (ref) => {
      done.set(keyOf(ref), "restarted");
    },
    done: (ref) => done.get(keyOf(ref)),
    planned: (ref) => planned.get(keyOf(ref)),
    isUnknownCreated: () => creates && !keepsUnknown,
    once: async <T>(ref: EndpointRef, restart: () => Promise<T>): Promise<T> => {
      const key = keyOf(ref);
      const before = running.get(key);
      const own = (before ?? Promise.resolve()).then(restart, restart);
      running.set(key, own);
      return own;
    },
  };
}
