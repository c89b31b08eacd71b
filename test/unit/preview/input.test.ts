import { UnreadableInputError } from "../../../preview/read/json";
import { readPreview } from "../../../preview/read/preview";
import { reportOf } from "../../../preview/judge/report";
import { digest, fixture, fixtureReport, step } from "./previews";

describe("the forms of the input", () => {
  it("tells the same of the streaming form", () => {
    const events = fixtureReport("changes.ndjson");
    expect(events).toEqual({ ...fixtureReport("changes.json"), form: "events" });
  });

  const text = fixture("changes.json").toString();
  it.each([
    {
      reason: "npm run prints what it runs",
      bytes: Buffer.from(`\n> shop@1.0.0 local\n> node tools.js\n\n${text}`),
    },
    { reason: "PowerShell writes UTF-16", bytes: Buffer.from(`\uFEFF${text}`, "utf16le") },
    { reason: "a byte order mark comes first", bytes: Buffer.from(`\uFEFF${text}`) },
    { reason: "lines end as on Windows", bytes: Buffer.from(text.replaceAll("\n", "\r\n")) },
  ])("is read where $reason", ({ bytes }) => {
    expect(reportOf(readPreview(bytes))).toEqual(fixtureReport("changes.json"));
  });

  it("reads what engines add later", () => {
    const added = { ...step({ new: { branchId: "br-b" } }), novelty: { of: ["a", "kind"] } };
    expect(readPreview(digest([added], { novelty: true })).steps).toHaveLength(1);
  });
});

describe("what is no preview", () => {
  const json = fixture("changes.json").toString();
  const lines = fixture("changes.ndjson").toString().trim().split("\n");
  const isEnd = (line: string): boolean => line.includes('"summaryEvent"') || line.includes('"cancelEvent"');
  it.each([
    { reason: "nothing came", text: "", says: "the input is empty" },
    { reason: "only line breaks came", text: "\n\n", says: "the input is empty" },
    { reason: "the pipe broke", text: json.slice(0, 5_000), says: "it is cut off after 5000 characters" },
    {
      reason: "the pipe broke between events",
      text: lines.filter((line) => !isEnd(line)).join("\n"),
      says: "it is cut off",
    },
    {
      reason: "it is of two previews, of which the second is cut off",
      text: [...lines, ...lines.filter((line) => !isEnd(line))].join("\n"),
      says: "it goes on after the end of a preview",
    },
    {
      reason: "it is of two previews",
      text: [...lines, ...lines].join("\n"),
      says: "it goes on after the end of a preview",
    },
    { reason: "the pipe broke in an event", text: lines.join("\n").slice(0, -1_000), says: "it is cut off" },
    { reason: "--json was left out", text: "Previewing update (dev):\n", says: "--json was left out" },
    { reason: "the CLI wrote an error", text: "error: no stack selected\n", says: "it is no JSON" },
    { reason: "it is a stack export", text: '{"version":3,"deployment":{}}', says: "a stack export" },
    { reason: "it is stack output", text: '{"host":"secret-host"}', says: "an object with host" },
    { reason: "it is a list", text: "[]", says: "a list" },
    { reason: "a step has no URN", text: '{"steps":[{"op":"same"}]}', says: "steps.0.urn" },
  ])("is an error where $reason", ({ text, says }) => {
    const read = (): unknown => readPreview(Buffer.from(text));
    expect(read).toThrow(UnreadableInputError);
    expect(read).toThrow(says);
    expect(read).toThrow("Run `pulumi preview --json`");
    expect(read).not.toThrow("secret-host");
  });
});

describe("a preview that did not come to its end", () => {
  it.each(["canceled", "failed", "something later"])("has failed where its events say %s", (result) => {
    const text = fixture("changes.ndjson").toString();
    const ended = text.replace('"result":"succeeded"', `"result":"${result}"`);
    expect(readPreview(Buffer.from(text)).failed).toBe(false);
    expect(readPreview(Buffer.from(ended)).failed).toBe(true);
  });

  it("has failed where its document has only what came before the plan: the error is on stderr", () => {
    const diagnostics = [{ severity: "warning", message: "warning: Could not find a package.json file\n" }];
    const report = reportOf(readPreview(Buffer.from(JSON.stringify({ diagnostics }))));
    expect(report).toMatchObject({ failed: true, computes: [], errors: [] });
    const ofNothing = { diagnostics, duration: 1_000 };
    expect(readPreview(Buffer.from(JSON.stringify(ofNothing))).failed).toBe(false);
  });
});
