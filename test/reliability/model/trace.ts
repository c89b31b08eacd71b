/** What happens in a life, on stderr: set `MODEL_TRACE`. */
import { nameIn } from "../../support/miniEngineSteps";
import type { Ran } from "./invariants";
import type { Command } from "./life";
import type { World } from "./world";

const isTraced = process.env["MODEL_TRACE"] !== undefined;

/** Prints a command, and what it left. */
export function traceCommand({ sides, computes }: World, command: Command): void {
  if (!isTraced) return;
  const states = sides.map(({ engine }) =>
    engine.state().map((one) => `${nameIn(one)}=${one.id}${one.isToBeDeleted ? "(old)" : ""}`),
  );
  print(`${JSON.stringify(command)}\n  ${JSON.stringify(states)} service ${computes().join(" ")}`);
}

/** Prints a run: its programs, steps and writes, and what it said. */
export function traceRun({ network }: World, { sides, what, before, texts }: Ran): void {
  if (!isTraced) return;
  const programs = sides.map(
    ({ key, parts, last }) => ` ${key}: ${JSON.stringify(parts)}, steps ${JSON.stringify(last.steps)}`,
  );
  const writes = network.sent
    .slice(before.sent)
    .map(
      ({ by, method, endpointId, targetId, body }) =>
        ` ${by}: ${method} ${targetId ?? ""} ${JSON.stringify(body)} → ${endpointId ?? "nothing"}`,
    );
  const { kind, options, diesAfter } = what;
  print(
    [`  ${kind} ${JSON.stringify({ ...options, diesAfter })}`, ...programs, ...writes, ...texts].join(
      "\n    ",
    ),
  );
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
