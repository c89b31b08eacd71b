/** The table of arguments, corrections of misspelt names, and how long a lost create is looked for. */
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
  // Only the members' own comments: nested members have theirs.
  const documented = body.matchAll(/^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\??:/gms);
  return new Map(
    [...documented].map(([, comment = "", name = ""]) => [name, comment.replaceAll(/\s*\*\s*/g, " ")]),
  );
}

/** The effects, listed a second time by hand: whoever changes one here changes a promise to users. */
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
    "has these arguments with the effect %s: %j",
    (effect, names) => {
      expect(argumentNames.filter((name) => effectOf(name) === effect).sort()).toEqual([...names].sort());
      for (const name of names) expect(documentedArguments().get(name)).toContain(lines[effect]);
    },
  );

  it("has the documented arguments, and no other", () => {
    expect([...documentedArguments().keys()].sort()).toEqual([...argumentNames].sort());
  });

  it("names the arguments that are never sent; each of the others has its own wire name", () => {
    const own = ["adopt", "onInterruption", "restartTriggers", "timeouts"];
    expect(argumentNames.filter(isOwn).sort()).toEqual(own);
    expect(argumentNames.filter((name) => !isOwn(name))).toEqual(attributeNames);
    expect(new Set(attributeNames.map((name) => attribute(name).wire)).size).toBe(attributeNames.length);
  });
});

const known = ["onInterruption", "interruptionWindow", "apiKey", "baseUrl", "type", "adopt", "limitMinCus"];
it.each([
  { name: "onInteruption", meant: "onInterruption", reason: "a letter is missing" },
  { name: "onInterrruption", meant: "onInterruption", reason: "a letter is doubled" },
  { name: "onIntreruption", meant: "onInterruption", reason: "two letters are swapped" },
  { name: "onInterrupsion", meant: "onInterruption", reason: "a letter is wrong" },
  { name: "api_key", meant: "apiKey", reason: "it is spelt as in another language" },
  { name: "tpye", meant: "type", reason: "a short name may have one swap" },
  { name: "size", meant: undefined, reason: "two wrong letters are too many in a short name" },
  { name: "txye", meant: undefined, reason: "one letter moved, with a wrong one before it" },
  { name: "tpxe", meant: undefined, reason: "one letter moved, with a wrong one after it" },
  { name: "colour", meant: undefined, reason: "nothing is near" },
  { name: "", meant: undefined, reason: "there is no name" },
  { name: "limitMinCu", meant: "limitMinCus", reason: "it is the nearest of several" },
])("$name means $meant: $reason", ({ name, meant }) => {
  expect(nearestOf(name, ["limitMaxCu", ...known])).toBe(meant);
});

it("a create without an answer is looked for as long as the pages say, well within a create's timeout", () => {
  const lookedForMs = createShowsAfterMs.reduce((sum, waitMs) => sum + waitMs, 0);
  expect(textOf("docs/what-happens-when.md").replaceAll("\n", " ")).toContain(
    `If the service's lists lag by more than ${lookedForMs / 1_000} seconds, a replica can be created twice`,
  );
  expect(lookedForMs).toBeLessThan((defaultTimeouts.create * 1_000) / 10);
});
