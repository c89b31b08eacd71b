/** Tables and figures of the pages, compared with the code. */
import { checkInputs } from "../../../provider/model/inputs";
import { argumentNames, effectOf, type Effect } from "../../../provider/model/fields";
import { factsOf } from "../../../provider/model/services";
import {
  autoscaling,
  computeSizes,
  fixedSize,
  maxConnections,
  type SizeArgs,
} from "../../../provider/model/sizes";
import { defaultTimeouts } from "../../../provider/model/timing";
import { defaultRateLimits } from "../../../provider/settings/table";
import { settings } from "../../../provider/settings/table";
import { actionFile } from "../action/runner";
import { textOf } from "./checkout";

const readme = textOf("README.md");
const withoutCode = (text: string): string => text.replaceAll("`", "");

/** The cells of each row of the first table below a line that begins so, by the first cell. */
function tableBelow(page: string, line: string): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = textOf(page).split(`\n${line}`);
  const [, table = ""] = /\n\|[-: |]+\n(\|.*?)\n(?!\|)/s.exec(section) ?? [];
  const rows = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  return new Map(rows.map(([, first = "", ...cells]) => [first, cells.slice(0, -1)]));
}
const namesIn = (table: ReadonlyMap<string, unknown>): string[] => [...table.keys()].map(withoutCode).sort();

describe("docs/reference.md on arguments", () => {
  const table = tableBelow("docs/reference.md", "## Arguments");
  const cellsOf = (name: string): readonly string[] => table.get(`\`${name}\``)!;
  const declared = { projectId: "p-1", branchId: "br-1" };
  const failuresOf = (args: Record<string, unknown>): number =>
    checkInputs({ ...declared, ...args }, { service: "interface", creates: false }).failures.length;

  it("has a row for every argument, and no other", () => {
    expect(namesIn(table)).toEqual([...argumentNames].sort());
  });

  const phrases = {
    replace: "**replaces** the compute: its host goes away, connections drop",
    restart: "**restarts** the compute: connections drop",
    move: "**moves** the compute, which suspends it: connections drop",
    suspend: "`true` **suspends** the compute: connections drop",
    unstated: "**may** drop connections",
    none: "none",
  } as const satisfies Record<Effect, string>;
  it.each(argumentNames)("says what changing %s does", (name) => {
    expect(cellsOf(name).at(-1)).toBe(phrases[effectOf(name)]);
  });

  it("says which arguments are required, and which have a default of ours", () => {
    const defaults = checkInputs(declared, { service: "interface", creates: true }).inputs;
    for (const name of argumentNames)
      if (name in declared) expect(cellsOf(name)[1]).toBe("required");
      else if (name in defaults) expect(cellsOf(name)[1]).toBe(`\`${String(defaults[name])}\``);
    const { create, update, delete: remove } = defaultTimeouts;
    expect(cellsOf("timeouts")[1]).toBe([create, update, remove].join(", "));
  });

  const sizes = computeSizes("interface").map(({ cu }) => cu);
  it.each([
    ["autoscalingLimitMinCu", sizes.join(", "), sizes, [0.75]],
    ["autoscalingLimitMaxCu", sizes.join(", "), sizes, [0.75]],
    ["suspendTimeoutSeconds", "60 to 604800", [60, 604800, 0, -1], [59, 604801, -2]],
    ["type", "`read_write`", ["read_write", "read_only"], ["primary"]],
    ["poolerMode", "`transaction`", ["transaction"], ["session"]],
    ["onInterruption", "`forbid-when-active`", ["warn", "forbid", "forbid-when-active"], ["ignore"]],
    ["timeouts", "1 to 86400", [{ create: 1 }, { delete: 86400 }], [{ update: 0 }]],
    ["adopt", "`ep-…`", ["ep-a"], ["br-a"]],
    ["branchId", "`br-…`", ["br-a"], ["ep-a", ""]],
  ])("gives the range of %s as it is checked", (...[name, range, good, bad]) => {
    expect(cellsOf(name)[2]).toContain(range);
    expect(good.map((value) => failuresOf({ [name]: value }) > 0)).toEqual(good.map(() => false));
    expect(bad.map((value) => failuresOf({ [name]: value }) > 0)).toEqual(bad.map(() => true));
  });

  it("has the outputs of the class, and no other", () => {
    const section = textOf("docs/reference.md").split("\n## Outputs\n\n")[1]!.split("\n\n")[0]!;
    const outputs = textOf("sdk/endpoint.ts").matchAll(/declare readonly (\w+):/g);
    const told = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(told.sort()).toEqual([...outputs].map(([, name]) => name).sort());
  });
});

describe("docs/reference.md on settings", () => {
  const table = tableBelow("docs/reference.md", "## Configuration");

  it("has a row for every setting with both ways to set it, and no other", () => {
    const rows = [...table].map(([key, cells]) => [key, cells[0]!].map(withoutCode).join(" "));
    expect(rows.sort()).toEqual(
      Object.values(settings)
        .map(({ key, variable }) => `${key} ${variable}`)
        .sort(),
    );
  });

  it.each(Object.values(settings))("says what $key does, as the plugin's schema does", ({ key, meaning }) => {
    const [told = ""] = table.get(`\`${key}\``)!.slice(-1);
    expect(told.replaceAll(/\[(.*?)\]\(.*?\)/g, "$1")).toBe(meaning);
  });
});

it("the README makes the report of the events, the form that shows most", () => {
  const block = readme.split("\n```").find((text) => text.includes("| npx compute-preview"))!;
  expect(block).toMatch(/^export PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true +#.*\npulumi preview --json/m);
});

describe("docs/action.md", () => {
  const page = textOf("docs/action.md");
  const cellsBelow = (head: string): ReadonlyMap<string, readonly string[]> =>
    tableBelow("docs/action.md", `\n| ${head} `);

  it("has the inputs that there are, with their defaults, and the outputs", () => {
    const inputs = Object.entries(actionFile.inputs).map(([name, { default: text = "" }]) => [
      name,
      text.replaceAll(/\$\{\{ | \}\}/g, ""),
    ]);
    const told = [...cellsBelow("input")].map(([name, [text = ""]]) => [name, text].map(withoutCode));
    expect(told).toEqual(inputs);
    const outputs = [...cellsBelow("output").keys()].flatMap(
      (cell) => cell.match(/(?<=`)[\w-]+(?=`)/g) ?? [],
    );
    expect(outputs).toEqual(Object.keys(actionFile.outputs));
  });

  it("shows addresses without /api/v2, as the table of settings asks for", () => {
    const addresses = [...page.matchAll(/^ +base-url: (\S+)$/gm)].map(([, address]) => address);
    expect(addresses).toEqual(Array.from({ length: 3 }, () => "https://compute.example.com"));
  });
});

it("docs/teams.md has the rates that are kept to by default", () => {
  const { perMinute, perSecond } = defaultRateLimits;
  expect(textOf("docs/teams.md")).toContain(`${perMinute} requests a minute and ${perSecond} a second`);
});

it("docs/contributing/interface.md has the sizes that the provider knows", () => {
  const known = computeSizes("interface").map(({ cu, ramGb, localFileCacheGb, maxConnections: most }) => [
    String(cu),
    [`${ramGb} GB`, `${localFileCacheGb} GB`, String(most)],
  ]);
  expect([...tableBelow("docs/contributing/interface.md", "### 8.1 Sizes")]).toEqual(known);
});

it("docs/neon.md has the figures that the provider has of Neon", () => {
  const told = tableBelow("docs/neon.md", "## What is different there");
  const at = (size: SizeArgs): string | undefined => maxConnections(size, "neon")?.toLocaleString("en");
  const range = at(autoscaling(0.25, 2));
  expect(range).toBe(at(fixedSize(2)));
  expect(told.get("max_connections")![0]).toBe(
    `by both limits: ${at(fixedSize(0.25))} for 0.25 CU, ${at(fixedSize(1))} for 1, ${range} for 2 and for 0.25 to 2, ` +
      `${at(autoscaling(1, 8))} for 1 to 8; from 100 to ${at(fixedSize(56))}`,
  );
  const { sizes, ranges, suspendsUpToCu, fileCacheShare, fileCacheBelowCu } = factsOf("neon")!;
  const even = Array.from({ length: 20 }, (_, index) => 18 + 2 * index);
  expect(sizes.filter((cu) => cu < 1 || cu > ranges!.mostCu)).toEqual([0.25, 0.5, ...even]);
  expect(told.get("sizes")![0]).toBe("0.25, 0.5, 1 to 16 CU, then even numbers from 18 to 56");
  expect(told.get("autoscaling")![0]).toBe(
    `up to ${ranges?.mostCu} CU, and at most ${ranges?.spanCu} CU between the limits`,
  );
  const cache = `${fileCacheShare * 100} % of the RAM; from ${fileCacheBelowCu} CU on`;
  expect(told.get("file cache")![0]).toContain(cache);
  expect(told.get("autosuspend")![0]).toContain(`above ${suspendsUpToCu} CU a compute never suspends`);
});

it("the emulator lists the options that it takes in --help, and no others", () => {
  const source = textOf("emulator/main.ts");
  const [, block = ""] = /const options = \{(.*?)\n\} as const;/s.exec(source)!;
  const [, usage = ""] = /const usage = `(.*?)`;/s.exec(source)!;
  const taken = [...block.matchAll(/^ {2}"?([\w-]+)"?: \{/gm)].map(([, option]) => `--${option!}`);
  expect(
    usage
      .match(/^ {2}--[\w-]+/gm)!
      .map((option) => option.trim())
      .sort(),
  ).toEqual(taken.sort());
});
