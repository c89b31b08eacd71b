/** How `compute-verify` is called, what it refuses, and what it writes. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import * as z from "zod";
import { verificationSchema } from "../../../tools/schema/report";
import { argumentNames, fields } from "../../../provider/model/fields";
import { changesFor } from "../../../verify/changes";
import { askOn } from "../../../verify/question";
import { prepareConnection } from "../../../verify/connection";
import { resultOf } from "../../../verify/result";
import type { Receipt } from "../../../provider/lifecycle/receipt";
import { temporaryFolder } from "../../support/temporaryFolder";
import { closeBenches, openBench } from "./running";

afterEach(closeBenches);

describe("a call of compute-verify", () => {
  it.each<readonly [reason: string, args: readonly string[], says: string]>([
    ["an id of another kind", ["--project", "br-a"], "--project takes the id of a project such as"],
    ["an id of another kind", ["--branch", "ep-a"], "--branch takes the id of a branch such as"],
    ["the same branch twice", ["--move-to", "BRANCH"], "--move-to names the same branch as --branch"],
    ["a role without a database", ["--role", "app"], "--role and --database belong together"],
    ["a limit that is not a number", ["--timeout", "soon"], "--timeout takes a whole number of seconds"],
    ["an unknown option", ["--force"], "Unknown option '--force'"],
  ])("is refused with a fix, and nothing is sent: %s", async (_reason, args, says) => {
    const bench = await openBench();
    const { code, told } = await bench.verify(...args.map((arg) => arg.replace("BRANCH", bench.branchId)));
    expect({ code, sent: bench.emulator.requests().length }).toEqual({ code: 2, sent: 0 });
    expect(told).toMatch(/^compute-verify: /);
    expect(told).toContain(says);
  });

  it("prints its options, and its version", async () => {
    const bench = await openBench();
    const help = await bench.verify("--help");
    expect([help.code, help.printed]).toEqual([
      0,
      expect.stringMatching(/^Usage: compute-verify .*\nExit codes: /s),
    ]);
    expect((await bench.verify("--version")).printed).toBe("pulumi-compute-endpoint 1.2.3\n");
  });

  it("does not overwrite a file, and says so before it creates anything", async () => {
    const bench = await openBench();
    const { code, told } = await bench.verifyWith({ exists: () => true });
    expect({ code, sent: bench.emulator.requests().length }).toEqual({ code: 2, sent: 0 });
    expect(told).toContain("out.json already exists. Choose another file with --out");
  });

  it("says that the result could not be written, and names what is worse in the exit code", async () => {
    const write = (): never => {
      throw new Error("ENOENT: no such file or directory, open 'none/out.json'");
    };
    const bench = await openBench();
    const { code, told, printed } = await bench.verifyWith({ write });
    expect([code, told]).toEqual([1, expect.stringContaining("the result could not be written: ENOENT")]);
    expect(printed).toContain("0 missed");
    bench.emulator.addFault({ kind: "status", status: 403, method: "DELETE", times: 99 });
    expect((await bench.verifyWith({ write })).code).toBe(4);
  });

  it.each(["branchId", "otherId"] as const)("refuses a branch that has computes: %s", async (name) => {
    const bench = await openBench();
    const made = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench[name],
      type: "read_only",
    });
    const { code, told } = await bench.verify();
    expect(code).toBe(2);
    expect(told).toContain(`already has computes (${made.endpoint.id}), and nothing was created`);
    expect(bench.left()).toEqual([made.endpoint.id]);
  });
});

describe("the question before the run", () => {
  it("says what will be created, and what that may cost", async () => {
    const bench = await openBench({ switches: { service: "neon" } });
    const { told } = await bench.verify();
    expect(told).toContain(`two computes on branch ${bench.branchId} of project ${bench.projectId}`);
    expect(told).toContain("a primary and a replica of 0.25 CU");
    expect(told).toContain(
      "size up, size down, maximum only, suspend timeout, Postgres setting, name, restart",
    );
    expect(told).toContain("the service may charge for that");
    expect(told).toContain("It changes nothing that existed before.");
  });

  it.each<readonly [reason: string, answer: boolean | undefined, code: number, says: string]>([
    ["yes", true, 0, "0 missed"],
    ["no", false, 2, "nothing was created: the answer was not yes"],
    [
      "nobody to ask",
      undefined,
      2,
      "there is no terminal to ask for confirmation, and nothing was created. Add --yes",
    ],
  ])("is decided by its answer: %s", async (...[, answer, code, says]) => {
    const bench = await openBench({ switches: { service: "neon" } });
    const ask = answer === undefined ? undefined : () => Promise.resolve(answer);
    const ended = await bench.verifyWith({ ask, isUnconfirmed: true });
    expect([ended.code, `${ended.told}${ended.printed}`]).toEqual([code, expect.stringContaining(says)]);
    expect(bench.left()).toEqual([]);
  });
});

it.each([
  ["yes\n", true],
  ["YES\n", true],
  ["no\n", false],
  ["", false],
])("the answer on the terminal is read, or its end without an answer (Ctrl-D): %j", async (text, isYes) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(text);
  expect(await askOn({ input, output }, "Continue?", new AbortController().signal)).toBe(isYes);
});

describe("the table of changes", () => {
  it("has every argument that a change of a compute can send", () => {
    const sent = argumentNames.filter((name) => "sent" in fields[name] && fields[name].sent === "change");
    const known = { service: "interface", state: {}, moveTo: "br-other" } as never;
    const tried = changesFor({ service: "interface", moveTo: "br-other" }).flatMap(({ args }) =>
      Object.keys(args(known)),
    );
    // Interface 2.1 has only one pooler mode.
    expect(new Set(tried)).toEqual(
      new Set([...sent, "restartTriggers"].filter((name) => name !== "poolerMode")),
    );
  });

  it("has a move only with a second branch, and only changes that have an effect at the service", () => {
    const titles = changesFor({ service: "neon", moveTo: undefined }).map(({ title }) => title);
    const all = changesFor({ service: "interface", moveTo: "br-other" }).map(({ title }) => title);
    // Neon has neither a pooler to switch nor access without a password.
    const left = ["move", "pooler", "passwordless access"];
    expect(all).toEqual(expect.arrayContaining(left));
    expect(titles).toEqual(all.filter((title) => !left.includes(title)));
  });
});

describe("the result of a change", () => {
  const restart = { effect: "restart", certain: true } as const;
  const may = { effect: "unstated", certain: false } as const;
  const none = { effect: "none", certain: true } as const;
  const saw = (happened: Receipt["happened"]): Receipt => ({ happened, operations: "" });

  it.each([
    [restart, saw("not restarted"), undefined, "false alarm"],
    [restart, saw("not shown"), undefined, "cannot tell"],
    [restart, saw("not shown"), {}, "false alarm"],
    // The service and the connection contradict each other.
    [restart, saw("not restarted"), { lost: "57P01" }, "cannot tell"],
    [restart, saw("restarted"), {}, "cannot tell"],
    [may, saw("restarted"), {}, "cannot tell"],
    [none, saw("restarted"), {}, "cannot tell"],
    [none, saw("suspended"), {}, "cannot tell"],
    // A lost connection that nothing announced is a miss, whatever the service lists.
    [none, saw("not restarted"), { lost: "57P01" }, "missed"],
    [restart, saw("idle"), undefined, "cannot tell"],
    [may, saw("restarted"), undefined, "true"],
    [may, saw("not restarted"), undefined, "true"],
    [none, saw("suspended"), undefined, "missed"],
    [none, saw("not shown"), { lost: "57P01" }, "missed"],
    [none, saw("not shown"), {}, "true"],
    [none, saw("not shown"), undefined, "cannot tell"],
    [none, saw("idle"), undefined, "true"],
  ] as const)(
    "announced as %o, with receipt %o and connection %o, is %s",
    (...[announced, receipt, connection, result]) => {
      expect(resultOf(announced, receipt, connection)).toBe(result);
    },
  );
});

describe("the JSON", () => {
  const strict = JSON.parse(
    JSON.stringify(verificationSchema()).replaceAll(
      '"type":"object","properties"',
      '"type":"object","additionalProperties":false,"properties"',
    ),
  ) as Parameters<typeof z.fromJSONSchema>[0];
  const isValid = (value: unknown): boolean => z.fromJSONSchema(strict).safeParse(value).success;

  it("matches its schema, even after a run that was stopped", async () => {
    const bench = await openBench({ isWatched: true });
    const { report } = await bench.verify();
    expect(report).toMatchObject({ version: 1, packageVersion: "1.2.3", service: "interface", left: 0 });
    expect(isValid(report)).toBe(true);
    expect(isValid({ ...report, counts: undefined })).toBe(false);
    expect(isValid({ ...report, novelty: 1 })).toBe(false);
    bench.emulator.addFault({ kind: "status", status: 403, method: "POST", times: 9 });
    const stopped = (await bench.verify()).report;
    expect(stopped).toMatchObject({ ended: "stopped", failure: { kind: "refused" }, changes: [] });
    expect(isValid(stopped)).toBe(true);
  });

  it("has placeholders for ids, including those of branches that a change names", async () => {
    const { change } = await (await openBench()).verify();
    expect(change("move").announced.notice).toMatch(/^move: branchId … → … drops open connections/);
  });

  it("keeps words that contain the name of the role: `app` and `apply_config`", async () => {
    const { change } = await (await openBench({ isWatched: true })).verify();
    expect(change("size up").service?.operations[0]?.action).toBe("apply_config");
  });
});

describe("a connection", () => {
  const login = { role: "app", database: "app" };
  const withPackage = (): string => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "node_modules/pg"), { recursive: true });
    const pool =
      "module.exports = { Pool: class { constructor(options) { globalThis.verifyPool = options; } on() {} } };\n";
    writeFileSync(path.join(folder, "node_modules/pg/index.js"), pool);
    return folder;
  };
  const optionsWith = (environment: NodeJS.ProcessEnv): unknown => {
    const open = prepareConnection({
      login,
      environment: { PGPASSWORD: "secret", ...environment },
      folder: withPackage(),
    });
    if (typeof open === "string") throw new Error(open);
    open({ endpointId: "ep-a", host: "ep-a.example.com" });
    return (globalThis as { readonly verifyPool?: unknown }).verifyPool;
  };

  it("needs a password, and the user's own pg", () => {
    const folder = temporaryFolder();
    expect(prepareConnection({ login, environment: {}, folder })).toContain("PGPASSWORD is not set");
    expect(prepareConnection({ login, environment: { PGPASSWORD: "secret" }, folder })).toContain(
      "npm install pg",
    );
  });

  it("goes to the compute's host, encrypted", () => {
    expect(optionsWith({})).toMatchObject({
      user: "app",
      database: "app",
      host: "ep-a.example.com",
      ssl: true,
      max: 1,
    });
  });

  it("counts as lost after half a minute without an answer", () => {
    expect(optionsWith({})).toMatchObject({ query_timeout: 30_000 });
  });

  it("goes to PGHOST with the compute's id as an option, encrypted as PGSSLMODE says", () => {
    const options = optionsWith({ PGHOST: "127.0.0.1", PGSSLMODE: "disable" });
    expect(options).toMatchObject({ host: "127.0.0.1", options: "endpoint=ep-a" });
    expect(options).not.toHaveProperty("ssl");
  });

  it("is left out if it cannot be opened, and the reason is printed before the question", async () => {
    const bench = await openBench({ switches: { service: "neon" }, isWatched: true });
    const { code, told, report } = await bench.verifyWith({ prepareConnection: () => "there is none" });
    expect([code, report?.counts.true]).toEqual([0, 10]);
    expect(told).toContain("It holds no connection open: there is none.");
  });
});
