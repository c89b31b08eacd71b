/**
 * Says whose connections an interruption drops.
 */
import type { ComputeReport, ConnectedApplication } from "../shape";
import { counted } from "../judge/summary";
import { someOf, type Quote } from "./words";

const mostApplications = 8;

/** `37 open connections at 07:02 UTC: checkout 30, metabase 7`; undefined without `--connections`. */
export function connectionsLine({ connections }: ComputeReport, quote: Quote): string | undefined {
  if (connections === undefined) return undefined;
  const { status, reason, at, applications, hidden } = connections;
  if (status === "not asked") return `whose connections: not asked, because ${reason ?? ""}`;
  if (status === "failed") return `whose connections: could not ask: ${quote(reason ?? "")}`;
  const time = `at ${at?.slice(11, 16) ?? ""} UTC`;
  const open = connections.open ?? 0;
  if (open === 0) return `open connections: none ${time}`;
  const texts = applications.map((application) => applicationText(application, quote));
  const note =
    hidden === 0
      ? ""
      : `; to show ${hidden === open ? "their" : "all"} transactions, the role needs pg_monitor`;
  return `${counted(open, "open connection")} ${time}: ${someOf(texts, mostApplications, "and ").join(", ")}${note}`;
}

/** `checkout 30 (2 in a transaction, the longest for 4 min)`. */
function applicationText(
  { name, open, inTransaction, oldestSeconds }: ConnectedApplication,
  quote: Quote,
): string {
  const whose = `${name.trim() === "" ? "without a name" : quote(name)} ${open}`;
  if (inTransaction === 0) return whose;
  const longest = `${inTransaction === 1 ? "" : ", the longest"} for ${ageText(oldestSeconds ?? 0)}`;
  return `${whose} (${inTransaction} in a transaction${longest})`;
}

function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h`;
}
