import { readConfig } from "../../../../provider/settings/config";
import { unknownKeys, unknownSetting } from "../../../../provider/settings/unknown";

const sizes =
  "Set compute:service to neon for Neon's sizes, or to unknown, which refuses no size and shows no figure";

/** Settings of earlier versions. */
const removed = [
  { name: "allowUnlistedSizes", instead: sizes },
  { name: "sizeTable", instead: sizes },
  {
    name: "readSingle",
    instead: "The provider reads computes from the project's list",
  },
  {
    name: "restartOrder",
    instead: "Half of a branch's replicas keep running while others restart, and the primary is last",
  },
  {
    name: "pooledHost",
    instead:
      'Pass the rule to connectionString: pooled: "neon", or a pattern such as "{name}-pooler.{domain}"',
  },
  { name: "updatePlans", instead: "Use the plugin for saved plans: it needs no setting" },
  {
    name: "replicaType",
    instead: 'Every service that compute:service names calls a replica "read_only", and that is sent',
  },
  {
    name: "missingProject",
    instead:
      "If a project was deleted, take its computes out of the state with `pulumi state delete` and the URN of each",
  },
  {
    name: "figures",
    instead: "Notices show the figures of the service that compute:service names",
  },
];

it.each(removed)("$name is refused wherever it stands, with what to do instead", ({ name, instead }) => {
  const gone = "there is no such setting any more";
  expect(unknownKeys([`compute:${name}`], "app")).toEqual([name]);
  expect(unknownSetting(name, "stack")).toEqual({
    doing: `reading the configuration compute:${name}`,
    what: gone,
    fix: `${instead}. Remove it with \`pulumi config rm compute:${name}\``,
  });
  const doing = `reading the provider's argument ${name}`;
  expect(unknownSetting(name, "argument")).toEqual({ doing, what: gone, fix: `${instead}. Remove it` });

  const variable = `COMPUTE_${name.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
  expect(() => readConfig(() => undefined, { [variable]: "x" })).toThrow(
    `reading the environment's ${variable}: ${gone}. ${instead}. Unset ${variable}.`,
  );
  expect(() => readConfig(() => undefined, { [variable]: "" })).not.toThrow();
});
