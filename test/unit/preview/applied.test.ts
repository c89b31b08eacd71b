import { readFileSync } from "node:fs";
import path from "node:path";
import type { AppliedReport } from "../../../preview/applied/shape";
import type { Receipt } from "../../../provider/endpoint/receipt";
import { variants, type Variant } from "../../support/variants";
import { announced, events, notShown, preview, quiet, runApplied as run, unannounced } from "./updates";

/**
 * The report after an update. The fixtures are of the real engine (`pulumi preview --json`, then `pulumi up --yes --skip-preview
 * --json`): "orders" grows, "billing" stays, "legacy" is deleted, "fresh" is new. Debug lines are left out.
 */

const fixture = (name: string): string => readFileSync(path.join(__dirname, "appliedFixtures", name), "utf8");

const json = ({ printed }: ReturnType<typeof run>): AppliedReport => JSON.parse(printed) as AppliedReport;

const idle: Receipt = { happened: "idle", operations: "apply_config 0.3 s", announced: "restart" };
describe.each(variants)("an update of the real engine, with the %s variant", (variant: Variant) => {
  const files = { up: fixture(`${variant}.up.ndjson`), preview: fixture(`${variant}.preview.json`) };

  it.each([
    { words: ["preview"], comparedWith: "file" },
    { words: [], comparedWith: "receipts" },
  ])("is compared with $comparedWith", ({ words, comparedWith }) => {
    const ending = run(["--applied", "up", ...words, "--format", "json"], files);
    expect(ending.code).toBe(0);
    const report = json(ending);
    expect(report).toMatchObject({
      project: "tested",
      stack: "test",
      comparedWith,
      failed: false,
      interrupted: 2,
      unannounced: 0,
      notReached: [],
      longest: { label: "orders" },
    });
    expect(report.computes.map(({ label, comparison }) => `${label}: ${comparison}`)).toEqual([
      "orders: announced",
      "legacy: announced",
      "fresh: quiet",
    ]);
    expect(report.computes[0]).toMatchObject({
      announced: "restart",
      happened: expect.stringMatching(
        /^restarted \(apply_config 0\.1 s, start_compute 0\.1 s\): not active for at most 0\.1 s$/,
      ) as string,
    });
  });

  it.each([
    { form: "events", before: eventsOfPreview() },
    { form: "a document", before: files.preview },
  ])("counts what the run announced, not its own preview in the same output: $form", ({ before }) => {
    const up = `${before}\n${files.up}`;
    expect(json(run(["--applied", "up", "--format", "json"], { up }))).toEqual(
      json(run(["--applied", "up", "--format", "json"], files)),
    );
  });
});

function eventsOfPreview(): string {
  return JSON.stringify({ sequence: 0, summaryEvent: { isPreview: true, resourceChanges: {} } });
}

describe("what differs from the announcement", () => {
  it("comes first, then the longest, with totals", () => {
    const up = events({
      a: announced(800),
      b: announced(2_050),
      c: unannounced,
      d: notShown,
      e: quiet,
      f: idle,
    });
    const ending = run(["--applied", "up"], { up });
    expect(ending.code).toBe(30);
    expect(ending.complained).toContain("1 compute was interrupted, which was not announced");
    expect(ending.printed).toBe(`<!-- compute-applied -->

### What happened to the computes of \`app/dev\`

**1 compute was interrupted without an announcement.** Not active for at most 3.6 s in all; \`b\` longest, for 2.1 s.

| Compute | Announced | Happened | |
| --- | --- | --- | --- |
| \`c\` | no interruption | Restarted (start_compute 0.4 s): not active for at most 0.7 s | 🔴 not announced |
| \`d\` | restarts | No operation shows whether connections dropped (apply_config 0.3 s) | 🟡 not shown |
| \`f\` | restarts | Nothing was interrupted (apply_config 0.3 s): the compute ran nothing directly before | 🔵 less than announced |
| \`b\` | restarts | Restarted (apply_config 0.3 s, start_compute 0.6 s): not active for at most 2.1 s | 🟠 as announced |
| \`a\` | restarts | Restarted (apply_config 0.3 s, start_compute 0.6 s): not active for at most 0.8 s | 🟠 as announced |

<sub>Compared with what the run itself announced. Times are upper bounds, from the service's operations. Of 1 more compute no interruption was announced, and no operation shows one.</sub>
`);
  });

  it("says that a failed update may not have reached everything, and ends with 4", () => {
    const up = events({ a: announced(800), b: undefined }, { result: "failed", failing: ["b"] });
    const ending = run(["--applied", "up"], { up });
    expect(ending.code).toBe(4);
    expect(ending.printed).toContain("The update failed. It may have stopped before");
    expect(json(run(["--applied", "up", "--format", "json"], { up })).computes[0]).toMatchObject({
      label: "b",
      comparison: "failed",
    });
  });

  it("ends with 4 after an update that was stopped, though no error says so", () => {
    const up = events({ a: announced(800) }, { result: "canceled" });
    expect(run(["--applied", "up"], { up }).code).toBe(4);
  });

  it.each(["@someone", "www.example.com", "https://example.com", "a <b>", "#7"])(
    "quotes the name of an operation that could be more than a name: %s",
    (action) => {
      const up = events({ a: { ...notShown, operations: `${action} 1 s` } });
      const { printed } = run(["--applied", "up"], { up });
      expect(printed).toMatch(/\| (`[^`]*`|<code>.*<\/code>) \| 🟡/);
    },
  );

  it("takes words of newer versions for something that is not known", () => {
    const later = [
      { happened: "paused", operations: "" },
      { happened: "not shown", operations: "", announced: "pause" },
    ] as unknown as readonly Receipt[];
    const up = events({ a: later[0], b: later[1] });
    const ending = run(["--applied", "up", "--format", "text"], { up });
    expect(ending.code).toBe(0);
    expect(ending.printed).toContain("this version does not know what was observed");
    expect(ending.printed).toContain("announced  may be interrupted");
  });

  it("escapes foreign text, names its marker, and stays within its length", () => {
    const receipts = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`<b>@me|${String(index)}`, announced(index + 1)]),
    );
    const words = ["--applied", "up", "--marker", "prod", "--max-length", "10000"];
    const { printed } = run(words, { up: events(receipts) });
    expect(printed.startsWith("<!-- compute-applied: prod -->\n")).toBe(true);
    expect(printed.length).toBeLessThanOrEqual(10_000);
    expect(printed).toMatch(/10,000 characters: the last \d+ of 300 computes are left out/);
    expect(printed).not.toContain("<b>@me");
    expect(run([...words, "--plain"], { up: events(receipts) }).printed).not.toMatch(/<(sub|code|br)>/);
  });
});

describe("what is no update", () => {
  const unended = events({ a: unannounced }).split("\n").slice(0, -1).join("\n");
  const torn = events({ a: unannounced }).replace('"operations":"start_compute 0.4 s"', "");
  it.each([
    ["empty", "", "the event that ends an update is missing"],
    ["cut off", unended, "is missing: it is cut off"],
    ["cut off after its own preview", `${eventsOfPreview()}\n${unended}`, "is missing: it is cut off"],
    [
      "of events of which one is cut off",
      `${eventsOfPreview()}\n${torn}`,
      "an event is cut off, or has another form than expected",
    ],
    ["a preview", eventsOfPreview(), "these are the events of a preview alone"],
    ["no event", '{"steps": []}', "the event that ends an update is missing"],
  ])("is refused with what to run: %s", (_reason, up, says) => {
    const { code, complained } = run(["--applied", "up"], { up });
    expect(code).toBe(3);
    expect(complained).toContain(says);
    expect(complained).toContain("pulumi up --yes --json > up.json");
  });

  it.each([
    { words: ["--applied", "up", "--fail-on", "drop"], says: "neither --fail-on nor --allowed-by" },
    { words: ["--applied", "up", "a", "b"], says: "compares with one preview" },
    { words: ["--applied", "up", "--annotations", "github"], says: "no --annotations" },
    { words: ["--applied", "up", "-"], says: "from a file, not from stdin" },
  ])("is a wrong call: $words", ({ words, says }) => {
    const { code, complained } = run(words, {});
    expect(code).toBe(2);
    expect(complained).toContain(says);
  });

  it("reads the update from stdin", () => {
    expect(run(["--applied", "-"], { "-": events({ a: announced(800) }) }).code).toBe(0);
  });
});

it("is not compared with the preview of another stack, which announced nothing of it", () => {
  const files = { up: events({ a: announced(800) }), preview: preview(["a"], [], "prod") };
  const { code, complained } = run(["--applied", "up", "preview"], files);
  expect({ code, complained }).toEqual({
    code: 3,
    complained:
      "compute-preview: The preview is of app/prod, and the update of app/dev: pass the preview of that stack, or none.\n",
  });
});
