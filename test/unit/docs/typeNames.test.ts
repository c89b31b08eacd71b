import { filesOf, textOf } from "./checkout";

const rooms = ["provider", "sdk", "preview", "import", "action"];
const sources = filesOf(...rooms).filter((file) => file.endsWith(".ts"));

/** Users import either from the package or from its plugin, so that a program is the same with both. */
const ofBothVariants: readonly string[] = ["Endpoint", "EndpointRestart"];

describe("a type's name", () => {
  it("means one thing in provider, sdk, preview, import and action", () => {
    const places = new Map<string, string[]>();
    for (const file of sources) {
      for (const [, name = ""] of textOf(file).matchAll(
        /^(?:export )?(?:interface|type|class|abstract class) (\w+)/gm,
      ))
        places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect(places.size).toBeGreaterThan(150);
    const twice = [...places].filter(([name, files]) => files.length > 1 && !ofBothVariants.includes(name));
    expect(twice).toEqual([]);
  });
});
