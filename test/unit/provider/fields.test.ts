import { readFileSync } from "node:fs";
import path from "node:path";
import {
  argumentNames,
  attribute,
  attributeNames,
  effectOf,
  isOwn,
  type ArgumentName,
  type Effect,
} from "../../../provider/model/fields";

/** The one line that says what changing an argument does, in the documentation of its field. */
const lines = {
  replace: "Changing it replaces the compute: its host goes away and open connections drop.",
  move: "Changing it moves the compute, which suspends it and drops open connections.",
  suspend: "Setting it to true suspends the compute and drops open connections.",
  restart: "Changing it restarts the compute and drops open connections.",
  unstated: "Changing it may drop open connections: the interface does not say.",
  none: "Changing it leaves open connections alone.",
} as const;

/** Names of the arguments with the comment above each. */
function documentedArguments(): ReadonlyMap<string, string> {
  const source = readFileSync(path.join(__dirname, "..", "..", "..", "sdk", "endpoint.ts"), "utf8");
  const body = /export interface EndpointArgs \{\n(.*?)\n\}/s.exec(source)?.[1] ?? "";
  // Of the members alone: what nests in one has comments of its own.
  const documented = body.matchAll(/^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\??:/gms);
  return new Map(
    [...documented].map(([, comment = "", name = ""]) => [name, comment.replaceAll(/\s*\*\s*/g, " ")]),
  );
}

/** Once more, by hand: a changed effect is a promise to users that changes. */
const expected: Readonly<Record<ArgumentName, Effect>> = {
  projectId: "replace",
  type: "replace",
  regionId: "replace",
  branchId: "move",
  disabled: "suspend",
  autoscalingLimitMinCu: "restart",
  autoscalingLimitMaxCu: "restart",
  restartTriggers: "restart",
  settings: "unstated",
  poolerEnabled: "unstated",
  poolerMode: "unstated",
  passwordlessAccess: "unstated",
  suspendTimeoutSeconds: "none",
  name: "none",
  adopt: "none",
  onInterruption: "none",
  timeouts: "none",
};

describe("the table of arguments", () => {
  it.each(Object.entries(expected) as [ArgumentName, Effect][])("says that %s means %s", (name, effect) => {
    expect(effectOf(name)).toBe(effect);
  });

  it("has an effect for every argument, and no other", () => {
    expect([...documentedArguments().keys()].sort()).toEqual([...argumentNames].sort());
  });

  it.each(argumentNames)("is what the documentation of %s says", (name) => {
    expect(documentedArguments().get(name)).toContain(lines[effectOf(name)]);
  });

  it("names the arguments that are never sent", () => {
    expect(argumentNames.filter(isOwn).sort()).toEqual([
      "adopt",
      "onInterruption",
      "restartTriggers",
      "timeouts",
    ]);
  });

  it("is complete: what is not its own is an attribute, with a wire name that no other has", () => {
    expect(argumentNames.filter((name) => !isOwn(name))).toEqual(attributeNames);
    const wires = attributeNames.map((name) => attribute(name).wire);
    expect(new Set(wires).size).toBe(wires.length);
  });
});
