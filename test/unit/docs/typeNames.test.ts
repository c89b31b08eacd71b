import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "..", "..", "..");
const sources = execFileSync("git", ["ls-files", "provider", "sdk", "preview", "import", "action"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file.endsWith(".ts"));

/** Users import either from the package or from its plugin, so that a program is the same with both. */
const ofBothVariants: readonly string[] = ["Endpoint", "EndpointRestart"];

describe("a type's name", () => {
  it("means one thing in provider, sdk, preview, import and action", () => {
    const places = new Map<string, string[]>();
    for (const file of sources) {
      const text = readFileSync(path.join(root, file), "utf8");
      for (const [, name = ""] of text.matchAll(
        /^(?:export )?(?:interface|type|class|abstract class) (\w+)/gm,
      ))
        places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect(places.size).toBeGreaterThan(150);
    const twice = [...places].filter(([name, files]) => files.length > 1 && !ofBothVariants.includes(name));
    expect(twice).toEqual([]);
  });
});
