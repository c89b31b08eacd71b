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
    ["npm run prints what it runs", Buffer.from(`\n> shop@1.0.0 local\n> node tools.js\n\n${text}`)],
    ["PowerShell writes UTF-16", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["a byte order mark comes first", Buffer.from(`\uFEFF${text}`)],
    ["lines end as on Windows", Buffer.from(text.replaceAll("\n", "\r\n"))],
  ])("is read where %s", (_reason, bytes) => {
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
  const unended = lines.filter((line) => !/"(summary|cancel)Event"/.test(line));
  it.each([
    ["nothing came", "", "the input is empty"],
    ["only line breaks came", "\n\n", "the input is empty"],
    ["the pipe broke", json.slice(0, 5_000), "it is cut off after 5000 characters"],
    ["the pipe broke between events", unended.join("\n"), "it is cut off"],
    ["the second one is cut off", [...lines, ...unended].join("\n"), "it goes on after the end of a preview"],
    ["it is of two previews", [...lines, ...lines].join("\n"), "it goes on after the end of a preview"],
    ["the pipe broke in an event", lines.join("\n").slice(0, -1_000), "it is cut off"],
    ["--json was left out", "Previewing update (dev):\n", "--json was left out"],
    ["the CLI wrote an error", "error: no stack selected\n", "it is no JSON"],
    ["it is a stack export", '{"version":3,"deployment":{}}', "a stack export"],
    ["it is stack output", '{"host":"secret-host"}', "an object with host"],
    ["it is a list", "[]", "a list"],
    ["a step has no URN", '{"steps":[{"op":"same"}]}', "steps.0.urn"],
  ])("is an error where %s", (_reason, text, says) => {
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
