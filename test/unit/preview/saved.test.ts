/** What `compute-preview --save` keeps of a preview: all that a report reads, and no secret. */
import { recordPreview, type Recorded } from "../../../preview/record";
import { runProcess } from "../../../preview/save";
import { savedText } from "../../../preview/saved";
import { fixture, fixtureNames, runPreview } from "./previews";
import { planOf } from "./peers/others";

const savedFrom = (text: string): string => savedText(Buffer.from(text));
const debug = (message: string, severity = "debug"): object => ({
  sequence: 2,
  diagnosticEvent: { severity, message },
});

describe("events", () => {
  it.each(fixtureNames)("are judged as before: %s", (name) => {
    for (const form of ["json", "markdown", "text"]) {
      const args = [`--format=${form}`, "--fail-on=drop,replace,delete,drift,may"];
      expect(runPreview(args, Buffer.from(savedText(fixture(name))))).toEqual(
        runPreview(args, fixture(name)),
      );
    }
  });

  it.each([
    [
      "as the engine names them",
      { sequence: 1, diagnosticEvent: { severity: "debug", message: "of-a-resource" } },
    ],
    [
      "as Python names them",
      { sequence: 1, diagnostic_event: { severity: "debug", message: "of-a-resource" } },
    ],
    [
      "as .NET and Go name them",
      { Sequence: 1, DiagnosticEvent: { Severity: "debug", Message: "of-a-resource" } },
    ],
    ["with another severity that no report reads", debug("of-a-resource", "info#err")],
    [
      "of a kind that no report reads",
      { sequence: 1, policyRemediationEvent: { after: { password: "of-a-resource" } } },
    ],
  ])("of which no report reads anything are gone: %s", (_reason, event) => {
    const end = { sequence: 9, summaryEvent: { isPreview: true, resourceChanges: { same: 1 } } };
    const text = [event, end].map((each) => `${JSON.stringify(each)}\n`).join("");
    expect(savedFrom(text)).toBe(`${JSON.stringify(end)}\n`);
  });

  it("that are cut off stay cut off, without the part of a message at their end", () => {
    const whole = JSON.stringify({ sequence: 1, preludeEvent: {} });
    expect(() => savedFrom(`${whole}\n${JSON.stringify(debug("of-a-resource")).slice(0, 50)}`)).toThrow(
      "cut off",
    );
    expect(runPreview([], Buffer.from(savedFrom(`${whole}\n`))).code).toBe(3);
  });
});

describe("a plan", () => {
  const secret = "s3cret-of-somebody";
  const endpoint = planOf({ sides: "autoscaling_limit_max_cu: 1 → 2" }).resource_changes;
  const other = (type: string, sides: string): readonly object[] =>
    planOf({ type, provider: undefined, sides }).resource_changes;

  it.each([
    [
      "a type that nobody knows",
      other("novel_thing", `token: ${secret} → ${secret}2; nested: {a: [${secret}]}`),
    ],
    ["a secret of Databricks", other("databricks_secret", `string_value: ${secret} → ${secret}2`)],
    ["a key of Neon", other("neon_api_key", `key: ${secret} → ${secret}2`)],
    ["a password of a role", other("neon_role", `password: ${secret} → ${secret}2`)],
    [
      "a sensitive setting",
      planOf({ sides: `pg_settings: {a: secret ${secret}} → {a: secret ${secret}2}` }).resource_changes,
    ],
    [
      "an attribute that the report reads, marked as sensitive",
      planOf({ sides: `name: secret ${secret} → secret ${secret}2` }).resource_changes,
    ],
  ])("loses the values of %s, and is judged as before", (_reason, changes) => {
    const plan = {
      ...planOf(),
      variables: { a: { value: secret } },
      resource_changes: [...endpoint, ...changes],
    };
    const saved = savedFrom(JSON.stringify(plan));
    expect(saved).not.toContain(secret);
    const args = ["--format=text", "--fail-on=drop"];
    const judged = runPreview(args, Buffer.from(JSON.stringify(plan)));
    expect(runPreview(args, Buffer.from(saved))).toEqual(judged);
    expect(judged.code).toBe(26);
  });

  it("keeps its drift, without the values that no report reads", () => {
    const plan = {
      ...planOf(),
      resource_drift: [...endpoint, ...other("neon_project", `history: ${secret} → 7`)],
    };
    const saved = savedFrom(JSON.stringify(plan));
    expect(saved).not.toContain(secret);
    for (const text of [JSON.stringify(plan), saved])
      expect(runPreview(["--fail-on=drift"], Buffer.from(text)).code).toBe(27);
  });

  it("of data sources and outputs alone is saved, and stays harmless", () => {
    const plan = {
      format_version: "1.2",
      planned_values: { outputs: { a: { value: secret } } },
      prior_state: { values: secret },
    };
    const saved = savedFrom(JSON.stringify(plan));
    expect(saved).not.toContain(secret);
    expect(runPreview(["--fail-on=drop"], Buffer.from(saved))).toEqual(
      runPreview(["--fail-on=drop"], Buffer.from(JSON.stringify(plan))),
    );
  });

  it("that leaves changes for a later plan says so", () => {
    const [later] = endpoint;
    const plan = {
      ...planOf(),
      complete: false,
      deferred_changes: [{ reason: "unknown", resource_change: { ...later, note: secret } }],
      action_invocations: [{ address: "action.a", type: "neon_restart", config: { key: secret } }],
      deferred_action_invocations: [
        { action_invocation: { address: "action.b", type: "neon_restart", key: secret } },
      ],
    };
    const saved = savedFrom(JSON.stringify(plan));
    expect(saved).not.toContain(secret);
    const args = ["--fail-on=drop"];
    expect(runPreview(args, Buffer.from(saved))).toEqual(runPreview(args, Buffer.from(JSON.stringify(plan))));
  });
});

describe("the command", () => {
  const run = async (args: readonly string[], input: string | undefined, recorded?: Partial<Recorded>) => {
    const files = new Map<string, string>();
    const said: string[] = [];
    const code = await runProcess(args, {
      read: () => {
        if (input === undefined) throw new Error("ENOENT");
        return Buffer.from(input);
      },
      list: () => undefined,
      isTerminal: input === undefined,
      print: (text) => said.push(text),
      complain: (text) => said.push(text),
      record: () =>
        Promise.resolve({ events: Buffer.from(""), document: Buffer.from(""), code: 0, ...recorded }),
      write: (file, text) => files.set(file, text),
      ask: (report) => Promise.resolve({ report, complaint: "" }),
    });
    return { code, files: Object.fromEntries(files), said: said.join("") };
  };
  const end = '{"sequence":9,"summaryEvent":{"isPreview":true,"resourceChanges":{"same":1}}}\n';
  const command = ["--save", "a/prod.ndjson", "--", "pulumi", "preview"];

  it("saves the input, and prints no report", async () => {
    expect(await run(["--save", "out.ndjson"], `${JSON.stringify(debug("secret"))}\n${end}`)).toEqual({
      code: 0,
      files: { "out.ndjson": end },
      said: "",
    });
  });

  it("saves both forms of a command's preview, and ends with its exit code", async () => {
    const step = {
      op: "update",
      urn: "u",
      newState: { inputs: { a: "secret" }, sourcePosition: "project:///a#1", dependencies: ["d"] },
    };
    const document = JSON.stringify({
      steps: [step],
      diagnostics: [],
      changeSummary: { update: 1 },
      duration: 5,
    });
    const recorded = {
      events: Buffer.from(end),
      document: Buffer.from(`warning: a policy\n${document}`),
      code: 255,
    };
    const kept = {
      op: "update",
      urn: "u",
      newState: { sourcePosition: "project:///a#1", dependencies: ["d"] },
    };
    expect(await run(command, undefined, recorded)).toEqual({
      code: 255,
      files: {
        "a/prod.ndjson": end,
        "a/prod.lines.json": `${JSON.stringify({ steps: [kept], changeSummary: { update: 1 }, duration: 5 })}\n`,
      },
      said: "",
    });
  });

  it.each([
    ["that has failed", 255, 255],
    ["that says it ended well", 0, 3],
  ])(
    "leaves an empty file, which is no all-clear, for a command without events %s",
    async (_reason, code, ended) => {
      const result = await run(command, undefined, { code });
      expect(result).toMatchObject({ code: ended, files: { "a/prod.ndjson": "" } });
      expect(result.said).toContain("it is empty");
    },
  );

  it("keeps nothing of an input that is no preview", async () => {
    const result = await run(["--save", "out.json"], '{"password": "of-a-resource"}');
    expect(result).toMatchObject({ code: 3, files: { "out.json": "" } });
    expect(result.said).toContain('it is JSON, but not a preview (an object with "password")');
  });

  it.each([
    [["a.json", "--save", "b.json", "--", "pulumi"], "--save takes one preview"],
    [["a.json", "b.json", "--save", "c.json"], "--save takes one preview"],
    [["--save", "out.json"], "needs a command, a file or a pipe"],
  ])("refuses %j", async (args, message) => {
    const result = await run(args, undefined);
    expect(result).toMatchObject({ code: 2, files: {} });
    expect(result.said).toContain(message);
  });

  it("fails if the program does not exist", async () => {
    await expect(recordPreview(["no-such-program"], process.env)).rejects.toThrow("ENOENT");
  });
});
