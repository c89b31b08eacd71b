/** The table of arguments, names that were meant, and how long a lost create is looked for. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { argumentNames, attribute, attributeNames, effectOf, isOwn } from "../../../../provider/model/fields";
import type { ArgumentName, Effect } from "../../../../provider/model/fields";
import { nearestOf } from "../../../../provider/model/mistakes";
import { createShowsAfterMs, defaultTimeouts } from "../../../../provider/model/timing";

const textOf = (file: string): string => readFileSync(path.join(__dirname, "../../../..", file), "utf8");

/** The one line that says what changing an argument does, in the documentation of its field. */
const lines = {
  replace: "Changing it replaces the compute: its host goes away and open connections drop.",
  move: "Changing it moves the compute, which suspends it and drops open connections.",
  suspend: "Setting it to true suspends the compute and drops open connections.",
  restart: "Changing it restarts the compute and drops open connections.",
  unstated: "Changing it may drop open connections: the service does not document it.",
  none: "Changing it leaves open connections alone.",
} as const;

/** Names of the arguments with the comment above each. */
function documentedArguments(): ReadonlyMap<string, string> {
  const body = /export interface EndpointArgs \{\n(.*?)\n\}/s.exec(textOf("sdk/endpoint.ts"))?.[1] ?? "";
  // Of the members alone: what nests in one has comments of its own.
  const documented = body.matchAll(/^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\??:/gms);
  return new Map(
    [...documented].map(([, comment = "", name = ""]) => [name, comment.replaceAll(/\s*\*\s*/g, " ")]),
  );
}

/** Once more, by hand: a changed effect is a promise to users that changes. */
const expected: Readonly<Record<Effect, readonly ArgumentName[]>> = {
  replace: ["projectId", "type", "regionId"],
  move: ["branchId"],
  suspend: ["disabled"],
  restart: ["autoscalingLimitMinCu", "autoscalingLimitMaxCu", "restartTriggers"],
  unstated: ["settings", "poolerEnabled", "poolerMode", "passwordlessAccess"],
  none: ["suspendTimeoutSeconds", "name", "adopt", "onInterruption", "timeouts"],
};

describe("the table of arguments", () => {
  it.each(Object.entries(expected) as [Effect, ArgumentName[]][])(
    "has with effect %s: %j",
    (effect, names) => {
      expect(argumentNames.filter((name) => effectOf(name) === effect).sort()).toEqual([...names].sort());
      for (const name of names) expect(documentedArguments().get(name)).toContain(lines[effect]);
    },
  );

  it("has the documented arguments, and no other", () => {
    expect([...documentedArguments().keys()].sort()).toEqual([...argumentNames].sort());
  });

  it("names those that are never sent; all others have a wire name that no other has", () => {
    const own = ["adopt", "onInterruption", "restartTriggers", "timeouts"];
    expect(argumentNames.filter(isOwn).sort()).toEqual(own);
    expect(argumentNames.filter((name) => !isOwn(name))).toEqual(attributeNames);
    expect(new Set(attributeNames.map((name) => attribute(name).wire)).size).toBe(attributeNames.length);
  });
});

const known = ["onInterruption", "interruptionWindow", "apiKey", "baseUrl", "type", "adopt", "limitMinCus"];
it.each([
  { name: "onInteruption", meant: "onInterruption", reason: "a letter is missing" },
  { name: "onInterrruption", meant: "onInterruption", reason: "a letter is there twice" },
  { name: "onIntreruption", meant: "onInterruption", reason: "two letters are swapped" },
  { name: "onInterrupsion", meant: "onInterruption", reason: "a letter is another one" },
  { name: "api_key", meant: "apiKey", reason: "another language writes it so" },
  { name: "tpye", meant: "type", reason: "of a short name, one swap" },
  { name: "size", meant: undefined, reason: "of a short name, two letters are too many" },
  { name: "txye", meant: undefined, reason: "one letter moved, and another one came before it" },
  { name: "tpxe", meant: undefined, reason: "one letter moved, and another one came behind it" },
  { name: "colour", meant: undefined, reason: "nothing is near" },
  { name: "", meant: undefined, reason: "there is no name" },
  { name: "limitMinCu", meant: "limitMinCus", reason: "it is the nearest of several" },
])("$name means $meant: $reason", ({ name, meant }) => {
  expect(nearestOf(name, ["limitMaxCu", ...known])).toBe(meant);
});

it("a create without an answer is looked for as long as the documents say, well within its time", () => {
  const lookedForMs = createShowsAfterMs.reduce((sum, waitMs) => sum + waitMs, 0);
  expect(textOf("docs/ownership.md").replaceAll("\n", " ")).toContain(
    `A second replica is possible if the service's lists lag by more than ${lookedForMs / 1_000} seconds`,
  );
  expect(lookedForMs).toBeLessThan((defaultTimeouts.create * 1_000) / 10);
});
