import { readFileSync } from "node:fs";
import path from "node:path";
import { settings } from "../../../provider/settings/table";
import { checkInputs } from "../../../provider/endpoint/planning/inputs";
import { argumentNames, effectOf, type Effect } from "../../../provider/pure/fields";
import { computeSize, computeSizes } from "../../../provider/pure/sizes";
import { defaultTimeouts } from "../../../provider/pure/timing";

const root = path.join(__dirname, "..", "..", "..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");
const readme = textOf("README.md");
const reference = textOf("docs/reference.md");

/** The cells of the rows below a heading whose first cell is code, by that first cell. */
function tableBelow(heading: string): ReadonlyMap<string, readonly string[]> {
  const section = reference.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    rows.map((row) => {
      const cells = row.split("|").map((cell) => cell.trim());
      return [cells[1]!.replaceAll("`", ""), cells.slice(2, -1)];
    }),
  );
}

/** What the README says of each effect. */
const phrases = {
  replace: "**replaces** the compute: its host goes away, connections drop",
  restart: "**restarts** the compute: connections drop",
  move: "**moves** the compute, which suspends it: connections drop",
  suspend: "`true` **suspends** the compute: connections drop",
  unstated: "**may** drop connections",
  none: "none",
} as const satisfies Record<Effect, string>;

describe("the table of arguments", () => {
  const table = tableBelow("Arguments");
  const rangeOf = (name: string): string => table.get(name)![2]!;
  const declared = { projectId: "p-1", branchId: "br-1" };
  const failuresOf = (args: Record<string, unknown>): number =>
    checkInputs({ ...declared, ...args }, { service: "interface", creates: false }).failures.length;

  it("has a row for every argument, and no other", () => {
    expect([...table.keys()].sort()).toEqual([...argumentNames].sort());
  });

  it.each(argumentNames)("says what changing %s does", (name) => {
    expect(table.get(name)!.at(-1)).toBe(phrases[effectOf(name)]);
  });

  it("says which arguments are required, and which have a default of ours", () => {
    const defaults = checkInputs(declared, { service: "interface", creates: true }).inputs;
    const expected = argumentNames.map((name) => {
      if (name in declared) return [name, "required"];
      return name in defaults
        ? [name, `\`${String(defaults[name])}\``]
        : [name, expect.any(String) as string];
    });
    expect([...table].map(([name, cells]) => [name, cells[1]]).sort()).toEqual(expected.sort());
    const { create, update, delete: remove } = defaultTimeouts;
    expect(table.get("timeouts")![1]).toBe([create, update, remove].join(", "));
  });

  it.each(["autoscalingLimitMinCu", "autoscalingLimitMaxCu"])("lists the sizes of %s", (name) => {
    expect(rangeOf(name)).toContain(
      computeSizes("interface")
        .map(({ cu }) => cu)
        .join(", "),
    );
  });

  it.each([
    ["suspendTimeoutSeconds", "60 to 604800", [60, 604800, 0, -1], [59, 604801, -2]],
    ["type", "`read_write`", ["read_write", "read_only"], ["primary"]],
    ["poolerMode", "`transaction`", ["transaction"], ["session"]],
    ["onInterruption", "`forbid-when-active`", ["warn", "forbid", "forbid-when-active"], ["ignore"]],
    ["timeouts", "1 to 86400", [{ create: 1 }, { delete: 86400 }], [{ update: 0 }]],
    ["adopt", "`ep-…`", ["ep-a"], ["br-a"]],
    ["branchId", "`br-…`", ["br-a"], ["ep-a", ""]],
  ])("gives the range of %s as it is checked", (...[name, range, good, bad]) => {
    expect(rangeOf(name)).toContain(range);
    expect(good.map((value) => failuresOf({ [name]: value }))).toEqual(good.map(() => 0));
    expect(bad.map((value) => failuresOf({ [name]: value }))).toEqual(bad.map(() => 1));
  });
});

describe("the table of settings", () => {
  const table = tableBelow("Configuration");

  it("has a row for every setting with both ways to set it, and no other", () => {
    const rows = [...table].map(([key, cells]) => [key, cells[0]!.replaceAll("`", "")]);
    const known = Object.values(settings).map(({ key, variable }) => [key, variable]);
    expect(rows.sort()).toEqual(known.sort());
  });

  it.each(Object.values(settings))("says what $key does, as the plugin's schema does", ({ key, meaning }) => {
    const withoutLinks = table
      .get(key)!
      .at(-1)!
      .replaceAll(/\[(.*?)\]\(.*?\)/g, "$1");
    expect(withoutLinks).toBe(meaning);
  });
});

describe("the preview", () => {
  it("has the figures of the two sizes", () => {
    const [from, to] = [computeSize(0.25, "interface")!, computeSize(1, "interface")!];
    expect(readme).toContain("warning: restart: size 0.25 → 1 CU drops open connections (active now, ");
    expect(readme).toContain(
      `; max_connections ${from.maxConnections} to ${to.maxConnections}, RAM ${from.ramGb} to ${to.ramGb} GB, ` +
        `file cache ${from.localFileCacheGb} to ${to.localFileCacheGb} GB\n`,
    );
  });
});

describe("the report", () => {
  it("is made of the events, the form that shows most", () => {
    const block = readme.split("\n```").find((text) => text.includes("| npx compute-preview"))!;
    expect(block).toMatch(
      /^export PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true +#.*\npulumi preview --json \|/m,
    );
  });
});

describe("the outputs", () => {
  it("are those of the class, and no other", () => {
    const section = reference.split("\n## Outputs\n\n")[1]!.split("\n\n")[0]!;
    const told = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const declared = [...textOf("sdk/endpoint.ts").matchAll(/declare readonly (\w+):/g)].map(
      ([, name]) => name,
    );
    expect(told.sort()).toEqual(declared.sort());
  });
});

describe("the emulator", () => {
  it("lists the options that it takes in --help, and no others", () => {
    const source = textOf("emulator/main.ts");
    const block = /const options = \{(.*?)\n\} as const;/s.exec(source)![1]!;
    const taken = [...block.matchAll(/^ {2}"?([\w-]+)"?: \{/gm)].map(([, option]) => `--${option!}`);
    const usage = /const usage = `(.*?)`;/s.exec(source)![1]!;
    expect([...usage.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option).sort()).toEqual(taken.sort());
  });
});
