/**
 * Runs the same small programs with both Node language hosts, the official one and the stand-in of tools/engine:
 * docs/contributing/engine.md says how the two differ.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hostEnvironment, hostsHere, hostsMissing, type Host } from "../support/hosts";
import { linkPackages, pulumiIn, type CommandResult } from "../support/stack";
import { temporaryFolder } from "../support/temporaryFolder";
import { cases, seeing, type Case } from "./programs/hosts";

describe(`each Node language host${hostsMissing()}`, () => {
  const folder = temporaryFolder();
  const environments = new Map<Host, NodeJS.ProcessEnv>();

  beforeAll(async () => {
    for (const host of hostsHere()) environments.set(host, await hostEnvironment(host, folder));
    const first = project("first", { files: {}, options: "typescript: false" });
    await pulumiIn(first, [...environments.values()][0]!).ok(["stack", "init", "test"]);
  });

  /** A project that always has the same name and stack, so that all cases share the stack that the first one made. */
  function project(name: string, { files, options = "{}", main, environment }: Partial<Case>): string {
    const place = path.join(folder, name);
    mkdirSync(place);
    if (environment?.["WITHOUT_SDK"] === undefined) linkPackages(place);
    const runtime = `runtime:\n  name: nodejs\n  options:\n    ${options}\n`;
    writeFileSync(
      path.join(place, "Pulumi.yaml"),
      `name: tested\n${runtime}${main ? `main: ${main}\n` : ""}`,
    );
    writeFileSync(path.join(place, "Pulumi.test.yaml"), 'config:\n  tested:plain: "value"\n');
    for (const [file, text] of Object.entries(files ?? {})) {
      mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
      writeFileSync(path.join(place, file), text);
    }
    return place;
  }

  async function preview(host: Host, place: string, more: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const own = path.join(folder, `${path.basename(place)}.${host}.json`);
    const environment = { ...environments.get(host)!, SEEN: own, ROOT: place, ...more };
    const { code, output } = await pulumiIn(place, environment).pulumi([
      "preview",
      "--stack=test",
      "--suppress-progress",
    ]);
    const seen: unknown = existsSync(own) ? JSON.parse(readFileSync(own, "utf8")) : undefined;
    return { code, seen, printed: output };
  }

  it.each(cases.map((one, index) => ({ ...one, index })))("$reason", async ({ index, ...one }) => {
    const place = project(`case-${String(index)}`, one);
    const outcomes = await Promise.all(hostsHere().map((host) => preview(host, place)));
    for (const { code, seen, printed } of outcomes) {
      expect(`${String(code)}: ${printed}`).toMatch(new RegExp(`^${String(one.code)}: `));
      if (one.seen !== undefined) expect(seen).toMatchObject(one.seen);
      if (one.printed !== undefined) expect(printed).toMatch(one.printed);
    }
    const [first, second = first] = outcomes.map((outcome) => comparable(outcome, one));
    expect(second).toEqual(first);
  });

  it("starts a plugin in the same folder and with the same arguments and variables as the other host", async () => {
    const place = project("with-plugin", {
      options: "typescript: false",
      files: {
        "index.js": `const { CustomResource } = require("@pulumi/pulumi"); new CustomResource("seen:index:Any", "any");`,
        "plugin/PulumiPlugin.yaml": "runtime:\n  name: nodejs\n  options: { nodeargs: --title=plugin }\n",
        "plugin/package.json": '{ "name": "seen", "main": "index.js" }',
        "plugin/index.js": seeing + "process.exit(5);",
      },
    });
    const lines = "plugins:\n  providers:\n    - name: seen\n      path: ./plugin\n";
    appendFileSync(path.join(place, "Pulumi.yaml"), lines);
    const outcomes = await Promise.all(hostsHere().map((host) => preview(host, place)));
    for (const { code, seen } of outcomes) {
      expect(code).not.toBe(0);
      expect(seen).toMatchObject({
        cwd: "",
        nodeArguments: [],
        variables: { PULUMI_NODEJS_TYPESCRIPT: "true" },
      });
    }
    const [first, second = first] = outcomes.map((outcome) => comparable(outcome, { inWordsOfTheirs: true }));
    expect(second).toEqual(first);
  });

  it("installs with npm", async () => {
    const place = project("installed", { files: { "package-lock.json": "{}", "package.json": "{}" } });
    const installed = hostsHere().map(async (host) => {
      const bin = path.join(folder, `npm.${host}`);
      const note = path.join(bin, "note");
      mkdirSync(bin);
      const script = `#!/bin/sh\necho "npm $* in $PWD" >>'${note}'\n`;
      writeFileSync(path.join(bin, "npm"), script, { mode: 0o755 });
      const own = environments.get(host)!;
      const environment = { ...own, PATH: `${bin}:${own["PATH"] ?? ""}` };
      await pulumiIn(place, environment).ok(["install", "--no-plugins"]);
      return readFileSync(note, "utf8");
    });
    const notes = await Promise.all(installed);
    for (const note of notes) expect(note).toMatch(new RegExp(`^npm install .*in ${place}$`, "m"));
    expect(new Set(notes).size).toBe(1);
  });
});

interface Outcome extends Pick<CommandResult, "code"> {
  readonly seen: unknown;
  readonly printed: string;
}

/** The output without what differs between runs: addresses, and the rows of resources that are not final. */
function comparable({ printed, seen, code }: Outcome, { inWordsOfTheirs }: Partial<Case>): object {
  const lasting = JSON.stringify(seen ?? null).replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT");
  const program = JSON.parse(lasting) as { variables?: Record<string, string> } | null;
  // An old SDK asks its host for something that the stand-in does not offer.
  delete program?.variables?.["PULUMI_NODEJS_SYNC"];
  const summary = printed.slice(printed.search(/^(Diagnostics|Resources):/m));
  // The streams are two pipes: no host promises which of them comes first.
  const lines = summary.split("\n").filter((line) => line.trim() !== "");
  return { code, program, ...(inWordsOfTheirs === undefined && { summary: lines.sort() }) };
}
