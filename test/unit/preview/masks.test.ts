/**
 * Masks either side of every value that decides over an interruption. What a mask hides may have changed, so that no such preview
 * may pass.
 */
import { bridgedOf, planOf } from "./peers/others";
import { digest, runPreview, step, unknownId } from "./previews";

// An unknown new value of an Endpoint is `may`, which the other kinds do not cover.
const gate = (preview: object): number =>
  runPreview(["--fail-on=drop,replace,delete,may"], Buffer.from(JSON.stringify(preview))).code;
const withoutMay = (preview: object): number =>
  runPreview(["--fail-on=drop,replace,delete"], Buffer.from(JSON.stringify(preview))).code;

const declared = {
  ...{ projectId: "p", branchId: "br-a", type: "read_write", regionId: "eu", disabled: false },
  ...{ autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2 },
};
const settled = { ...declared, suspendTimeoutSeconds: 600 };
const own = (): object => JSON.parse(digest([step({ old: declared, new: settled })]).toString()) as object;

const block = "[{autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2}]";
const inputs: Readonly<Record<string, object>> = {
  "an Endpoint without a verdict": own(),
  "a plan": planOf({ sides: "disabled: false; pooler_enabled: true; region_id: eu" }),
  "a plan with the official provider": planOf({ provider: "neondatabase/neon", sides: "disabled: false" }),
  "a plan of a project with its first compute": planOf({
    type: "neon_project",
    sides: `name: a → b; primary_compute: ${block}`,
  }),
  "a preview of a bridged provider": bridgedOf({ sides: "disabled: false; region_id: eu" }),
  "a preview of a bridged project": bridgedOf({
    type: "neon:index/project:Project",
    sides: `name: a → b; primary_compute: ${block}`,
  }),
};

/** Values that decide over an interruption, in the spelling of either tool. A project has those of its first compute. */
const decisive = {
  compute: /^(?:(?:project|branch|region)_?id|type|disabled|autoscaling_?limit_?(?:min|max)_?cu)$/i,
  project: /^primary_?compute(?:\.\d+\.autoscaling_?limit_?(?:min|max)_?cu)?$/i,
};

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  /** Such as `old branch_id`. A state of Pulumi has a value twice, in its inputs and in its outputs. */
  readonly side: string;
}

/** The member of a step, or of a change, that has each side. */
const sideNames: Readonly<Record<string, string>> = {
  ...{ before: "old", oldState: "old", after: "new", newState: "new" },
};

function placesIn(
  holder: Record<string, unknown>,
  what: RegExp,
  path: readonly string[] = [],
): readonly Place[] {
  return Object.entries(holder).flatMap(([name, value]): readonly Place[] => {
    const here = [...path, name];
    const [side] = path.flatMap((each) => sideNames[each] ?? []);
    const member = here.join(".").replace(/^.*\.(?:before|after|inputs|outputs)\./, "");
    const place = { holder, name, side: `${side ?? ""} ${member}` };
    const isDecisive = side !== undefined && what.test(member);
    const inside =
      typeof value === "object" && value !== null ? placesIn(value as typeof holder, what, here) : [];
    return isDecisive ? [place, ...inside] : inside;
  });
}

const masks = ["***", "br-***-1", "[secret]", "[MASKED]", unknownId];

describe.each(Object.entries(inputs))("%s", (_what, input) => {
  it("passes unless a value is masked", () => {
    expect(gate(input)).toBe(0);
  });

  it.each(masks)("never passes with %s on either side of a value, or on both", (mask) => {
    const what = JSON.stringify(input).includes("rimary") ? decisive.project : decisive.compute;
    const places = placesIn(input as Record<string, unknown>, what);
    const keys = [...new Set(places.flatMap(({ side }) => [side, side.replace(/^\S+ /, "")]))];
    expect(keys.length).toBeGreaterThan(5);
    const passed = keys.filter((key) => {
      const masked = places.filter(({ side }) => side === key || side.endsWith(` ${key}`));
      const old = masked.map(({ holder, name }) => holder[name]);
      for (const { holder, name } of masked) holder[name] = mask;
      const code = key.startsWith("new ") && mask === unknownId ? gate(input) : withoutMay(input);
      for (const [index, { holder, name }] of masked.entries()) holder[name] = old[index];
      return code === 0;
    });
    expect(passed).toEqual([]);
  });
});

it("a compute of Lakebase counts as deleted if a mask hides whether it is the primary", () => {
  const leaves = (sides: string): object =>
    planOf({ type: "databricks_postgres_endpoint", actions: "delete", sides });
  expect(gate(leaves("endpoint_id: primary"))).toBe(0);
  for (const mask of [
    "endpoint_id: '***'",
    "replace_existing: '***'",
    "endpoint_id: primary; replace_existing: '***'",
  ])
    expect(gate(leaves(mask))).not.toBe(0);
});
