import { readFileSync } from "node:fs";
import path from "node:path";
import { actionFile } from "../action/runner";

const page = readFileSync(path.join(__dirname, "../../../docs/action.md"), "utf8");

/** What stands in code in the first cells of the table that begins so. */
function namesBelow(head: string): readonly string[] {
  const table = page
    .slice(page.indexOf(`| ${head} `))
    .split("\n\n")[0]!
    .trim();
  const rows = table.split("\n").slice(2);
  return rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/`(.+?)`/g)].map(([, name]) => name!));
}

describe("docs/action.md", () => {
  it("has the inputs that there are, with their defaults", () => {
    expect(namesBelow("input")).toEqual(Object.keys(actionFile.inputs));
    for (const [name, { default: text = "" }] of Object.entries(actionFile.inputs)) {
      const row = new RegExp(`^\\| \`${name}\` +\\| (.*?) +\\|`, "m").exec(page)![1]!;
      expect({ name, told: row.replaceAll("`", "").trim() }).toEqual({
        name,
        told: text.replaceAll(/\$\{\{ | \}\}/g, ""),
      });
    }
  });

  it("has the outputs that there are", () => {
    expect(namesBelow("output")).toEqual(Object.keys(actionFile.outputs));
  });

  it("shows addresses without /api/v2, as the table of settings asks for", () => {
    const addresses = [...page.matchAll(/^ +base-url: (\S+)$/gm)].map(([, address]) => address);
    expect(addresses).toEqual(Array.from({ length: 3 }, () => "https://compute.example.com"));
  });
});
