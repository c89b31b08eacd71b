/**
 * Splices a harmless preview and an interrupting one into one text, in each way that logs, shells and CI systems do. No such
 * text may pass: only the harmless preview would be judged.
 */
import { savedText } from "../../../preview/saved";
import { asMuchAs } from "../../support/extent";
import { planOf } from "./peers/others";
import { eventLines, leaves, previewOf, runPreview, settles, step, type StepParts } from "./previews";

const gate = (text: string | Buffer): number =>
  runPreview(["--fail-on=drop,replace,delete"], Buffer.from(text)).code;

const eventsOf = (parts: StepParts): string => {
  const { oldState: old, newState, ...rest } = step(parts) as Record<string, unknown>;
  return eventLines(
    { resourcePreEvent: { metadata: { ...rest, old, new: newState ?? null } } },
    { summaryEvent: { isPreview: true, resourceChanges: { [parts.op ?? "update"]: 1 } } },
  ).toString();
};

const calm = {
  document: previewOf(settles).toString(),
  events: eventsOf(settles),
  plan: JSON.stringify(planOf({})),
};
const bad = {
  document: previewOf(leaves).toString(),
  events: eventsOf(leaves),
  plan: JSON.stringify(planOf({ actions: "delete" })),
};
const pretty = (text: string): string => JSON.stringify(JSON.parse(text), undefined, 2);
const calms = [calm.document, pretty(calm.document), calm.plan, pretty(calm.plan), calm.events];
const bads = [bad.document, pretty(bad.document), bad.plan, pretty(bad.plan), bad.events];

const behind = (prefix: string, text: string): string => text.replaceAll(/^/gm, prefix);

it("the harmless previews of these tests pass alone, and the others are refused", () => {
  for (const text of calms) expect(gate(text)).toBe(0);
  for (const text of bads) expect(gate(text)).toBe(20);
});

const junctions: readonly (readonly [what: string, prefix: string])[] = [
  ["nothing", ""],
  ["a space", " "],
  ["a tab", "\t"],
  ["a comma", ","],
  ["a byte order mark", "\uFEFF"],
  ["a colour", "\u001b[36m"],
  ["a prefix", "prod | "],
  ["a prefix with a quote", `prod "eu" {1} `],
  ["a log's time", "2026-11-20T08:00:00.123Z "],
  ["a time in brackets", "[08:00:00] "],
  ["a time in another form", "2026/11/20 08:00:00 "],
  ["a log's time and its stream", "2026-11-20T08:00:00.123Z stdout F "],
  ["Buildkite's time", "\u001b_bk;t=1791850000123\u0007"],
  ["the step of Google Cloud Build", `Step #1 - "preview": `],
];

it.each(junctions)("a preview behind another one is refused, with %s between them", (_what, prefix) => {
  for (const first of calms)
    for (const second of bads)
      for (const joined of [
        `${first}${behind(prefix, second)}`,
        `${first}\n${behind(prefix, second)}`,
        `${first}\r\n\n${behind(prefix, second)}\r\nDone in 3.21s.\n`,
        `${behind(prefix, second)}\n${first}`,
        behind(prefix, `${first}\n${second}`),
        `> npm run preview\n${behind(prefix, first)}${second}`,
        `${behind(prefix, first)}\n  ${second}`,
      ])
        expect([joined, gate(joined)]).toEqual([joined, 3]);
});

const every = asMuchAs({ quick: 41, full: 7 });

it.each(junctions)(
  "a preview that is cut off behind another one is refused, with %s between them",
  (...row) => {
    const [, prefix] = row;
    for (const second of bads)
      for (let end = 1; end < second.length; end += end < 40 ? 1 : every) {
        const cut = behind(prefix, second.slice(0, end));
        const texts = [
          `${calm.document}${cut}`,
          `${calm.plan}\n${cut}`,
          `${calm.document} ${cut}\nDone in 3.21s.\n`,
        ];
        for (const text of texts) expect(gate(text)).toBe(3);
      }
  },
);

it("a preview never passes with another one spliced into it, at whatever place", () => {
  for (const first of [pretty(calm.document), pretty(calm.plan), calm.events])
    for (const second of [bad.document, bad.plan, pretty(bad.plan), bad.events])
      for (let place = 0; place <= first.length; place += every)
        expect(gate(`${first.slice(0, place)}${second}${first.slice(place)}`)).not.toBe(0);
});

it.each([
  ["its beginning is missing", pretty(bad.plan).split("\n").slice(3).join("\n")],
  ["it is a member of something else", JSON.stringify({ result: JSON.parse(bad.plan) as object })],
  [
    "each of its lines is JSON of a log",
    pretty(bad.document)
      .split("\n")
      .map((log) => JSON.stringify({ log, stream: "stdout" }))
      .join("\n"),
  ],
])("a part of another preview is refused even if %s", (_reason, part) => {
  for (const first of calms) expect(gate(`${first}\n${part}`)).toBe(3);
});

it("a preview in UTF-16 is refused behind one in UTF-8, as PowerShell 5.1 appends it", () => {
  expect(gate(Buffer.concat([Buffer.from(calm.plan), Buffer.from(`\uFEFF${bad.plan}`, "utf16le")]))).toBe(3);
});

it("--save does not lose a preview behind the events", () => {
  for (const second of [bad.document, behind("prod | ", pretty(bad.plan)), behind("prod | ", bad.events)])
    expect(() => savedText(Buffer.from(`${calm.events}\n${second}`))).toThrow("it has 2 previews");
});

it.each([
  ["JSON of other programs", '{"level":"warn","at":{"line":3}}\ninfo: {"level":"info"} {"a":1}, {"b":2}'],
  ["an object that a program prints", "config {\n  a: { b: 1 },\n  c: '{}'\n}\n{\n  a: 1 }\n{\nmore"],
  ["an error about JSON", `error: expected "{" but got "["\nUnexpected token '{' in JSON`],
  ["a plan for people", 'resource "neon_endpoint" "app" {\n  ~ max = 1 -> 2\n}\nPlan: 1 to add {…}'],
  ["a command with braces", "+ jq '{ resource_changes }' plan.json\n$ echo ${HOME} {a,b}\n[command] {x}"],
])("a preview is read beside %s", (_what, lines) => {
  for (const first of calms) {
    expect(gate(`${lines}\n${first}`)).toBe(0);
    expect(gate(`${first}\n${lines}\nend`)).toBe(0);
  }
  for (const second of bads) expect(gate(`${lines}\n${second}\n${lines}\nend`)).toBe(20);
});

describe("a preview whose changes a filter has taken away is refused", () => {
  const resource = (values: object): object => ({
    root_module: {
      child_modules: [
        {
          resources: [
            { address: "module.a.neon_endpoint.app", mode: "managed", type: "neon_endpoint", values },
          ],
        },
      ],
    },
  });
  const planned = (size: number, more: object = {}): string =>
    JSON.stringify({
      ...{ format_version: "1.2", planned_values: resource({ size }), applyable: true, complete: true },
      ...{ prior_state: { values: resource({ size: 1 }) }, ...more },
    });

  it.each([
    ["none is left, and a compute gets another size", planned(2)],
    ["the list is empty", planned(2, { resource_changes: [] })],
    [
      "others are left",
      planned(2, { resource_changes: (JSON.parse(calm.plan) as { resource_changes: [] }).resource_changes }),
    ],
    ["a compute is created", planned(2, { prior_state: {} })],
    ["a compute is deleted", planned(2, { planned_values: { root_module: {} } })],
  ])("in a plan of which %s", (_reason, text) => {
    expect(runPreview(["--fail-on=drop"], Buffer.from(text))).toMatchObject({
      code: 3,
      err: expect.stringContaining("it is incomplete: module.a.neon_endpoint.app") as string,
    });
  });

  it("but a plan without changes is read, and so is one of only a refresh", () => {
    expect(gate(planned(1))).toBe(0);
    expect(gate(planned(1, { planned_values: { root_module: {} }, applyable: false }))).toBe(0);
  });

  const urn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
  const refresh = {
    op: "refresh",
    urn: "urn:pulumi:dev::shop::compute:index:Endpoint::app",
    oldState: { id: "ep-app" },
  };
  it.each([
    ["delete", 2],
    ["replace", 1],
    ["create", 1],
  ])("in a document beside a refresh, which counts %s: %i", (op, count) => {
    const counted = (changeSummary: object): number =>
      gate(JSON.stringify({ steps: [{ op: "same", urn }, refresh], changeSummary, duration: 1 }));
    expect(counted({ [op]: count })).toBe(3);
    expect(counted({ same: 1, update: 1 })).toBe(0);
  });
});
