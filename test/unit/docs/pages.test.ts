/** Compares the tables in pages with the code. */
import { Controls } from "../../../emulator/service/controls/controls";
import { timelineMembers } from "../../../emulator/service/model/timelines";
import { controlRoutes } from "../../../emulator/service/controls/routes";
import { checkInputs } from "../../../provider/model/inputs";
import { argumentNames, effectOf, type Effect } from "../../../provider/model/fields";
import { defaultTimeouts } from "../../../provider/model/timing";
import { settings } from "../../../provider/settings/table";
import { actionFile } from "../action/runner";
import { filesOf, textOf } from "./checkout";

const withoutCode = (text: string): string => text.replaceAll("`", "");

/** The first table below the line that begins with `line`: the first cell of each row, with the row's other cells. */
function tableBelow(page: string, line: string): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = textOf(page).split(`\n${line}`);
  const [, table = ""] = /\n\|[-: |]+\n(\|.*?)\n(?!\|)/s.exec(section) ?? [];
  const rows = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  return new Map(rows.map(([, first = "", ...cells]) => [first, cells.slice(0, -1)]));
}
const codeIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`(.+?)`/g)].map(([, code = ""]) => code);
const namesIn = (table: ReadonlyMap<string, unknown>): string[] => [...table.keys()].map(withoutCode).sort();

describe("docs/reference.md on arguments", () => {
  const table = tableBelow("docs/reference.md", "## Arguments");
  const cellsOf = (name: string): readonly string[] => table.get(`\`${name}\``)!;
  const declared = { projectId: "p-1", branchId: "br-1" };

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

  it("says which arguments are required, and which have a default that the provider sets", () => {
    const defaults = checkInputs(declared, { service: "interface", creates: true }).inputs;
    for (const name of argumentNames)
      if (name in declared) expect(cellsOf(name)[1]).toBe("required");
      else if (name in defaults) expect(cellsOf(name)[1]).toBe(`\`${String(defaults[name])}\``);
    const { create, update, delete: remove } = defaultTimeouts;
    expect(cellsOf("timeouts")[1]).toBe([create, update, remove].join(", "));
  });

  it("has the outputs of the class, and no other", () => {
    const section = textOf("docs/reference.md").split("\n## Outputs\n\n")[1]!.split("\n\n")[0]!;
    const outputs = textOf("sdk/endpoint.ts").matchAll(/declare readonly (\w+):/g);
    expect([...codeIn(section)].sort()).toEqual([...outputs].map(([, name]) => name).sort());
  });
});

describe("docs/reference.md on settings", () => {
  const table = tableBelow("docs/reference.md", "## Configuration");

  it("has a row for every setting, with its key and its variable, and no other row", () => {
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

describe("docs/pull-requests.md", () => {
  const cellsBelow = (head: string): ReadonlyMap<string, readonly string[]> =>
    tableBelow("docs/pull-requests.md", `\n| ${head} `);

  it("has every input of action.yml with its default, and every output", () => {
    const inputs = Object.entries(actionFile.inputs).map(([name, { default: text = "" }]) => [
      name,
      text.replaceAll(/\$\{\{ | \}\}/g, ""),
    ]);
    const told = [...cellsBelow("input")].map(([name, [text = ""]]) => [name, text].map(withoutCode));
    expect(told).toEqual(inputs);
    const outputs = [...cellsBelow("output").keys()].flatMap(codeIn);
    expect(outputs).toEqual(Object.keys(actionFile.outputs));
  });
});

describe("docs/emulator.md", () => {
  const table = tableBelow("docs/emulator.md", "## Controls");

  it("has every function of the controls, and no other", () => {
    const members = Object.getOwnPropertyNames(Controls.prototype).filter((name) => name !== "constructor");
    // `clock` is a property of each object, not of the prototype.
    expect([...table.keys()].flatMap(codeIn).sort()).toEqual([...members, "clock"].sort());
  });

  it("has every option of a timeline, and no other", () => {
    const [, after = ""] = textOf("docs/emulator.md").split("### Options of a timeline");
    const [section = ""] = after.split(/^#+ /m);
    const named = codeIn(section).filter((name) => !["scheduling", "running", "true"].includes(name));
    expect(named.sort()).toEqual([...timelineMembers].sort());
  });

  it("has every route of the controls, and no other", () => {
    const routes = [...table.values()].flatMap(([cell = ""]) => codeIn(cell));
    expect(routes.sort()).toEqual(Object.keys(controlRoutes).sort());
  });
});

describe("CONTRIBUTING.md on adding an argument", () => {
  const [, section = ""] = textOf("CONTRIBUTING.md").split("## Adding an argument");
  const places = [...section.matchAll(/^\d+\. (?:.|\n(?!\d|\n))+/gm)].map(([text]) => text);

  it("counts its places", () => {
    const words = ["six", "seven", "eight", "nine", "ten"];
    expect(section).toContain(`There are ${words[places.length - 6]!} places.`);
  });

  it("names every file that names an argument which interrupts nothing on its own", () => {
    const files = places.flatMap(codeIn).filter((name) => name.endsWith(".ts"));
    const sources = filesOf("*.ts").filter((file) => !file.endsWith(".test.ts"));
    const naming = sources.filter((file) => /\bpasswordless(Access|_access)\b/.test(textOf(file)));
    const others = {
      "emulator/service/model/counters.ts": "it interrupts nothing on its own",
      // Neon ignores it, and the emulator's Postgres servers ask for a password.
      "provider/model/services.ts": "not every service has it",
      "emulator/extras/computes/hosted.ts": "the emulator carries it out",
    };
    const isOther = (file: string): boolean => file in others;
    expect(naming.filter((file) => !isOther(file)).sort()).toEqual(
      files.filter((file) => !isOther(file)).sort(),
    );
  });
});
