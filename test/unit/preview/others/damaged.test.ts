/** What is not whole is not read, however harmless the rest looks. */
import { runPreview, type Ran } from "../previews";
import { beside, kinds, planOf } from "./plans";

const harmless = JSON.stringify(planOf(beside({}, {})));
const restart = JSON.stringify(planOf(beside({}, { autoscaling_limit_max_cu: 4 })));
const pretty = JSON.stringify(planOf(beside({}, { autoscaling_limit_max_cu: 4 })), undefined, 2);
const half = restart.slice(0, restart.length / 2);

const read = (text: string): Ran => runPreview([`--fail-on=${kinds}`, "--format=text"], Buffer.from(text));

describe("a document with damage", () => {
  it.each<[reason: string, text: string, says: string]>([
    ["begins a second time", `${harmless}\n${half}`, "cut off"],
    ["begins twice, and ends once", `${half}\n${harmless}`, "cut off"],
    [
      "has a brace too many",
      pretty.replace('"planned_values": {}', '"planned_values": {}}'),
      "broken on line 3 ",
    ],
    [
      "closes early",
      `${harmless},"resource_changes":[{"address":"neon_endpoint.app"}]}`,
      "broken on line 1 ",
    ],
    ["closes early, and goes on below", `${harmless}\n  "resource_changes": []\n}`, "broken on line 1 "],
    ["has a quote too few", pretty.replace('"update"', '"update'), "cut off"],
  ])("that %s is not read", (_reason, text, says) => {
    const ran = read(text);
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toContain(says);
    expect(ran.err).toContain("`terraform plan -out plan`");
  });

  it.each<[reason: string, text: string]>([
    ["the encoded end of a line", `${restart}%0A\n::set-output name=stderr::`],
    ["an object that a program prints", `${restart}\n{\n  name: 'x',\n}\n`],
    ["a quoted line", `${restart}\n"done"\n`],
    ["a command in brackets", `[command]/opt/terraform show -json plan\n${restart}\n::debug::exitcode: 0`],
  ])("is none for %s around it", (_reason, text) => {
    expect(read(text).code).toBe(24);
  });
});

describe("events that a tool passes on without their numbers", () => {
  const urn = "urn:pulumi:dev::shop::neon:index/endpoint:Endpoint::db";
  const state = (most: number): object => ({
    id: "ep-db",
    inputs: { autoscalingLimitMaxCu: most },
    outputs: { autoscalingLimitMaxCu: most },
  });
  const event = (type: string, body: object): string => JSON.stringify({ timestamp: 1, type, [type]: body });
  const change = { op: "update", urn, old: state(1), new: { ...state(2), id: undefined } };

  it("are read", () => {
    const lines = [event("preludeEvent", {}), event("resourcePreEvent", { metadata: change })];
    expect(read([...lines, event("summaryEvent", {})].join("\n")).code).toBe(24);
    expect(read(lines.join("\n"))).toMatchObject({ code: 3 });
  });

  it("have errors without the engine's colours", () => {
    const message = "<{%fg 1%}>error: <{%reset%}>no such <{%bold%}>branch<{%reset%}>";
    const ran = read(
      [event("diagnosticEvent", { message, severity: "error" }), event("summaryEvent", {})].join("\n"),
    );
    expect(ran.code).toBe(4);
    expect(ran.out).toContain("error: no such branch");
  });
});
