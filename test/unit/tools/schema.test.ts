import { readFileSync } from "node:fs";
import path from "node:path";
import { settings } from "../../../provider/settings/table";
import { checkInputs } from "../../../provider/model/inputs";
import {
  argumentNames,
  dynamicType,
  effectOf,
  nativeType,
  outputNames,
} from "../../../provider/model/fields";
import { computeSizes } from "../../../provider/model/sizes";
import { createInvoke } from "../../../provider/host/plugin/invoke";
import { checkoutFolder } from "../../../tools/checkout";
import { placesOf, pluginSchema } from "../../../tools/schema/schema";
import type { EnumType, ObjectType, Property } from "../../../tools/schema/types";

interface Schema {
  readonly config: { readonly variables: Record<string, Property> };
  readonly provider: { readonly inputProperties: Record<string, Property> };
  readonly types: Record<string, ObjectType | EnumType>;
  readonly resources: Record<
    string,
    ObjectType & {
      readonly inputProperties: Record<string, Property>;
      readonly requiredInputs: readonly string[];
      readonly stateInputs: ObjectType;
      readonly aliases: readonly { readonly type: string }[];
    }
  >;
  readonly functions: Record<string, { readonly inputs: ObjectType; readonly outputs: ObjectType }>;
}

const schema = pluginSchema() as unknown as Schema;
const endpoint = schema.resources[nativeType]!;
const inputs = endpoint.inputProperties;
const required = { projectId: "p-1", branchId: "br-1" };

function check(args: Record<string, unknown>): ReturnType<typeof checkInputs> {
  return checkInputs(args, { service: "interface", creates: false });
}

const isAccepted = (args: Record<string, unknown>): boolean =>
  check({ ...required, ...args }).failures.length === 0;

/** The type that a property refers to. */
function typeOf(property: Property): ObjectType | EnumType | undefined {
  return schema.types[property.$ref?.replace("#/types/", "") ?? ""];
}

/** The words of a text: its line breaks do not matter. */
const words = (text: string | undefined): string =>
  (text ?? "")
    .split(/[\s*]+/)
    .join(" ")
    .trim();

/** The comment above a member in the source of the TypeScript SDK, as an editor shows it. */
function commentOf(name: string): string {
  const source = readFileSync(path.join(checkoutFolder, "sdk/endpoint.ts"), "utf8");
  const body = /export interface EndpointArgs \{\n(.*?)\n\}/s.exec(source)![1]!;
  return words(new RegExp(String.raw`/\*\*((?:(?!\*/).)*)\*/\s+${name}\??:`, "s").exec(body)![1]);
}

describe("the package's source in the schema", () => {
  it("is the repository of package.json", () => {
    expect(placesOf("https://github.com/acme/pulumi-compute-endpoint")).toEqual({
      publisher: "acme",
      homepage: "https://github.com/acme/pulumi-compute-endpoint#readme",
      repository: "https://github.com/acme/pulumi-compute-endpoint",
      logoUrl: "https://raw.githubusercontent.com/acme/pulumi-compute-endpoint/main/docs/images/logo.svg",
      pluginDownloadURL: "github://api.github.com/acme/pulumi-compute-endpoint",
    });
  });

  it("is left out while package.json has a placeholder: every state would have the placeholder in a provider's name", () => {
    expect(placesOf("https://github.com/OWNER/pulumi-compute-endpoint")).toEqual({});
    expect(JSON.stringify(schema)).not.toContain("OWNER");
  });
});

describe("the arguments", () => {
  it("are those of the table, and no other", () => {
    expect(Object.keys(inputs)).toEqual(argumentNames);
  });

  it.each(argumentNames)(
    "describe %s as the TypeScript SDK does, and say whether changing it replaces",
    (name) => {
      expect(words(inputs[name]?.description)).toBe(commentOf(name));
      expect(inputs[name]?.replaceOnChanges).toBe(effectOf(name) === "replace" ? true : undefined);
    },
  );

  it("are required where a declaration is refused without them", () => {
    const missing = argumentNames.filter((name) => {
      const without = Object.entries(required).filter(([given]) => given !== name);
      return check(Object.fromEntries(without)).failures.length > 0;
    });
    expect(endpoint.requiredInputs).toEqual(missing);
  });

  it("have no defaults: `pulumi do … patch` would write them over what a compute has", () => {
    expect(argumentNames.filter((name) => inputs[name]?.default !== undefined)).toEqual([]);
    expect(check(required).inputs).toEqual({ ...required, type: "read_write" });
  });

  const choices = argumentNames.flatMap((name) => {
    const type = typeOf(inputs[name]!);
    return type !== undefined && "enum" in type
      ? [{ name, values: type.enum.map(({ value }) => value) }]
      : [];
  });

  it.each(choices)("offer every word that $name accepts", ({ name, values }) => {
    expect(values.map((value) => isAccepted({ [name]: value }))).toEqual(values.map(() => true));
    const { reason } = check({ ...required, [name]: "else" }).failures[0]!;
    const told = [...reason.split("must be")[1]!.matchAll(/"([\w-]+)"/g)].map(([, word]) => word);
    expect([...values].sort()).toEqual(told.sort());
  });
});

describe("the resource", () => {
  it("has the outputs of the class, and says which are always there", () => {
    expect(Object.keys(endpoint.properties).sort()).toEqual([...outputNames].sort());
    expect(endpoint.required).toEqual(["endpointId", "host", "projectId", "branchId", "type"]);
  });

  it("takes over the dynamic provider's resources, and is read with its project", () => {
    expect(endpoint.aliases).toEqual([{ type: dynamicType }]);
    expect(Object.keys(endpoint.stateInputs.properties)).toEqual(["projectId"]);
  });

  it("does not show properties that only the provider sets", () => {
    expect(JSON.stringify(schema)).not.toMatch(/"(interruption|__\w+)":/);
  });
});

describe("the configuration", () => {
  it("has every setting, with its meaning and its variable", () => {
    expect(Object.keys(schema.config.variables)).toEqual(Object.keys(settings));
    for (const [name, { meaning, variable }] of Object.entries(settings)) {
      const property = schema.config.variables[name]!;
      expect(property.description?.toLowerCase()).toContain(meaning.toLowerCase());
      expect(property.description).toContain(variable);
    }
    expect(schema.provider.inputProperties).toEqual(schema.config.variables);
  });

  it("marks only the key as a secret, and leaves the environment to the plugin", () => {
    const secrets = Object.entries(schema.config.variables).filter(([, { secret }]) => secret === true);
    expect(secrets.map(([name]) => name)).toEqual(["apiKey"]);
    // With `defaultInfo`, an SDK would put the key into the state.
    expect(JSON.stringify(schema)).not.toContain("defaultInfo");
  });
});

describe("the functions", () => {
  const fail = (): never => {
    throw new Error("not asked");
  };
  const call = createInvoke({ config: fail }, fail);

  it("are those of the plugin", async () => {
    const names = Object.keys(schema.functions).map((token) => token.replace("compute:index:", ""));
    await expect(call("compute:index:other", {})).rejects.toThrow(`The functions are ${names.join(", ")}`);
  });

  it.each(Object.entries(schema.functions))(
    "name the required arguments of %s",
    async (token, { inputs: args }) => {
      await expect(call(token, {})).rejects.toThrow(`missing: ${args.required!.join(", ")}`);
    },
  );
});

it("no description names a function that only TypeScript has: the descriptions are the docstrings of every SDK", () => {
  expect(JSON.stringify(schema)).not.toMatch(/\b(fixedSize|autoscaling|computeSizes?|maxConnections)\b[`(]/);
});

it.each(["autoscalingLimitMinCu", "autoscalingLimitMaxCu"])(
  "the description of %s lists the sizes",
  (name) => {
    const told = words(inputs[name]?.description);
    const steps = (first: number, last: number, step: number): number[] =>
      Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step);
    const [, most, mostOdd, firstEven, mostEven] =
      /0\.25, 0\.5, or a whole number from 1 to (\d+); on Neon from 1 to (\d+), or an even number from (\d+) to (\d+)/
        .exec(told)!
        .map(Number) as [number, number, number, number, number];
    const cu = (service: "interface" | "neon"): number[] => computeSizes(service).map((size) => size.cu);
    expect(cu("interface")).toEqual([0.25, 0.5, ...steps(1, most, 1)]);
    expect(cu("neon")).toEqual([0.25, 0.5, ...steps(1, mostOdd, 1), ...steps(firstEven, mostEven, 2)]);
  },
);
