import { readConfig } from "../../../../provider/settings/config";
import { unknownKeys, unknownSetting } from "../../../../provider/settings/unknown";

const sizes =
  "Set compute:service to neon for Neon's sizes, or to unknown, which refuses no size and shows no figure";

/** Settings of earlier versions. */
const removed = [
  {
    name: "allowUnlistedSizes",
    variable: "COMPUTE_ALLOW_UNLISTED_SIZES",
    instead: sizes,
  },
  {
    name: "sizeTable",
    variable: "COMPUTE_SIZE_TABLE",
    instead: sizes,
  },
  {
    name: "readSingle",
    variable: "COMPUTE_READ_SINGLE",
    instead: "The provider reads computes from the project's list",
  },
  {
    name: "restartOrder",
    variable: "COMPUTE_RESTART_ORDER",
    instead: "Half of a branch's replicas keep running while others restart, and the primary is last",
  },
  {
    name: "pooledHost",
    variable: "COMPUTE_POOLED_HOST",
    instead:
      'Pass the rule to connectionString: pooled: "neon", or a pattern such as "{name}-pooler.{domain}"',
  },
  {
    name: "figures",
    variable: "COMPUTE_FIGURES",
    instead: "Notices show the figures of the service that compute:service names",
  },
];

describe.each(removed)("$name, which an earlier version had,", ({ name, variable, instead }) => {
  const gone = "there is no such setting any more";

  it("is refused in the stack's configuration, with what to do instead", () => {
    expect(unknownKeys([`compute:${name}`], "app")).toEqual([name]);
    expect(unknownSetting(name, "stack")).toEqual({
      doing: `reading the configuration compute:${name}`,
      what: gone,
      fix: `${instead}. Remove it with \`pulumi config rm compute:${name}\``,
    });
  });

  it("is refused as a provider's argument", () => {
    expect(unknownSetting(name, "argument")).toEqual({
      doing: `reading the provider's argument ${name}`,
      what: gone,
      fix: `${instead}. Remove it`,
    });
  });

  it("is refused in the environment, and not where the variable is empty", () => {
    expect(() => readConfig(() => undefined, { [variable]: "x" })).toThrow(
      `reading the environment's ${variable}: ${gone}. ${instead}. Unset ${variable}.`,
    );
    expect(() => readConfig(() => undefined, { [variable]: "" })).not.toThrow();
  });
});
