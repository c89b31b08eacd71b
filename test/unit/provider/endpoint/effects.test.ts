import { readFileSync } from "node:fs";
import path from "node:path";
import {
  effects,
  ownArguments,
  argumentNames,
  type ArgumentName,
} from "../../../../provider/endpoint/effects";

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
  const source = readFileSync(path.join(__dirname, "..", "..", "..", "..", "sdk", "endpoint.ts"), "utf8");
  const body = /export interface EndpointArgs \{\n(.*?)\n\}/s.exec(source)?.[1] ?? "";
  const fields = body.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s+(\w+)\??:/gs);
  return new Map(
    [...fields].map(([, comment = "", name = ""]) => [name, comment.replaceAll(/\s*\*\s*/g, " ")]),
  );
}

describe("effects", () => {
  it.each<[ArgumentName, string]>([
    ["projectId", "replace"],
    ["type", "replace"],
    ["regionId", "replace"],
    ["branchId", "move"],
    ["disabled", "suspend"],
    ["autoscalingLimitMinCu", "restart"],
    ["autoscalingLimitMaxCu", "restart"],
    ["restartTriggers", "restart"],
    ["settings", "unstated"],
    ["poolerEnabled", "unstated"],
    ["poolerMode", "unstated"],
    ["passwordlessAccess", "unstated"],
    ["suspendTimeoutSeconds", "none"],
    ["adopt", "none"],
    ["onInterruption", "none"],
    ["timeouts", "none"],
  ])("says that %s means %s", (name, effect) => {
    expect(effects[name]).toBe(effect);
  });

  it("has an effect for every argument, and no other", () => {
    expect([...documentedArguments().keys()].sort()).toEqual([...argumentNames].sort());
  });

  it.each(argumentNames)("is what the documentation of %s says", (name) => {
    expect(documentedArguments().get(name)).toContain(lines[effects[name]]);
  });

  it("names the arguments that are never sent", () => {
    expect(ownArguments).toEqual(["adopt", "onInterruption", "restartTriggers", "timeouts"]);
  });
});
