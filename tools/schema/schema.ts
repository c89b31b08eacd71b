/**
 * The native plugin's schema, which describes this package to the engine and to the generators of SDKs. It is made from
 * the tables and comments that the provider itself uses, so that no argument is described twice.
 */
import { z } from "zod";

import { settings } from "../../provider/settings/table";
import { buildSchema } from "../../provider/model/inputs";
import {
  argumentNames,
  attribute,
  attributeNames,
  dynamicType,
  effectOf,
  type ArgumentName,
} from "../../provider/model/fields";
import { downloadAddressOf } from "../../provider/version";
import { manifest } from "../checkout";
import { declarationsOf, type Declaration, type Member } from "./declarations";
import {
  pascalCase,
  reference,
  toType,
  token,
  type JsonSchema,
  type ObjectType,
  type Properties,
  type Property,
  type Types,
} from "./types";

/** Types that are not named after their argument. All other types are. */
const typeNames: Partial<Record<ArgumentName, string>> = {
  type: "ComputeType",
  onInterruption: "InterruptionPolicy",
};

/** TypeScript has one type of number; other languages also have integers. These members are integers. */
const wholeNumbers = ["pageSize", "failuresCount"];

/** @returns the document, ready for JSON. */
export function pluginSchema(): Readonly<Record<string, unknown>> {
  const types: Types = {};
  const inputs = inputProperties(types);
  addFacts(types, inputs);
  const config = configProperties();
  const { version, description, license, keywords, repository } = manifest;
  return {
    name: "compute",
    displayName: "Compute endpoint",
    version,
    description,
    license,
    keywords,
    ...placesOf(repository.url.replace(/^git\+|\.git$/g, "")),
    // Makes the generators write whole packages, with this version and a go.mod.
    meta: { supportPack: true },
    language: languages,
    // No variable has a `defaultInfo.environment`: with it, a generated SDK would read the environment in the program,
    // and the key would enter the state as an input of the provider. The plugin reads the environment itself.
    config: { variables: config },
    provider: { description: "Where the service is, and how the provider uses it.", inputProperties: config },
    types,
    resources: { [token("Endpoint")]: endpointResource(inputs) },
    functions: lookups(types),
  };
}

const languages = {
  // For TypeScript, the plugin adds the name of the npm package if the project has it
  // (provider/host/plugin/engineSchema.ts).
  python: {
    packageName: "pulumi_compute_endpoint",
    pyproject: { enabled: true },
    requires: { pulumi: ">=3.216.0,<4.0.0" },
  },
  // A path without a host: programs point to the folder of the generated SDK with a `replace` line.
  go: { importBasePath: "pulumi-compute-endpoint/sdk/go/compute", respectSchemaVersion: true },
};

/**
 * The members that Pulumi's registry asks for, all made from the one address in package.json. They are left out while
 * the address has no owner. Otherwise generated SDKs would pass on a download address with the placeholder, and the
 * engine would name the provider after this address in every state.
 */
export function placesOf(repository: string): Readonly<Record<string, string>> {
  const pluginDownloadURL = downloadAddressOf(repository);
  if (pluginDownloadURL === undefined) return {};
  const [owner = "", name = ""] = new URL(repository).pathname.slice(1).split("/");
  return {
    publisher: owner,
    homepage: `${repository}#readme`,
    repository,
    logoUrl: `https://raw.githubusercontent.com/${owner}/${name}/main/docs/images/logo.svg`,
    pluginDownloadURL,
  };
}

const declarations = new Map(
  ["sdk/endpoint.ts", "sdk/lookups.ts", "provider/facts.ts"].flatMap((file) => [...declarationsOf(file)]),
);

function declaration(name: string): Declaration {
  return found(declarations, name);
}

function member(of: Declaration, name: string): Member {
  return found(of.members, name);
}

function found<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`Making the schema: ${name} is declared nowhere.`);
  return one;
}

function textOf(name: string): string {
  return declaration(name).comment.join("\n\n");
}

const args = declaration("EndpointArgs");

/** What a check accepts, as zod describes it. */
function schemaOf(
  check: z.ZodType,
): JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> } {
  return z.toJSONSchema(check, { io: "input" }) as unknown as ReturnType<typeof schemaOf>;
}

const declarable = schemaOf(buildSchema("interface"));

/** The properties that a program may set; the types that they need go into `types`. */
function inputProperties(types: Types): Properties {
  const entries = argumentNames.map((name) => {
    const json = declarable.properties[name] ?? {};
    const { comment } = member(args, name);
    const described = { name: typeNames[name] ?? pascalCase(name), comment: comment.slice(0, -1) };
    const property: Property = {
      ...toType(json, { ...described, types, declared: declarations.get(member(args, name).type) }),
      // No default is declared, since `pulumi do … patch` would overwrite the compute's value with it. The provider's
      // check fills in defaults.
      description: comment.join("\n\n"),
      // Tells readers of the SDK that a change replaces the compute; the diff decides. On an output, this would become
      // an option of each resource.
      ...(effectOf(name) === "replace" ? { replaceOnChanges: true } : {}),
    };
    return [name, property] as const;
  });
  return Object.fromEntries(entries);
}

function resource(name: string, inputProperties: Properties, more: object): unknown {
  const { properties, required } = objectOf(declaration(`${name}Resource`).members, inputProperties);
  return { description: textOf(name), properties, required, inputProperties, ...more };
}

function endpointResource(inputs: Properties): unknown {
  const projectId = member(declaration("EndpointResource"), "projectId");
  return resource("Endpoint", inputs, {
    requiredInputs: declarable.required,
    // `get` reads a compute by its id, which is unique only in its project.
    stateInputs: objectOf(new Map([["projectId", projectId]]), inputs),
    // `pulumi do … list`: the interface lists the computes of one project.
    listInputs: {
      properties: { projectId: inputs["projectId"], branchId: inputs["branchId"] },
      required: ["projectId"],
    },
    // Lets the resource take over a compute that the dynamic provider made.
    aliases: [{ type: dynamicType }],
  });
}

/**
 * A member of the service's answers. Some have the name of an argument, and others have their own names.
 *
 * The service may answer with words that cannot be declared. So a type is an enumeration only if the sources declare it as a
 * choice of words.
 */
function factOf(name: string, { comment, type }: Member, inputs: Properties): Property {
  const { description: _, replaceOnChanges: __, ...input } = inputs[name] ?? {};
  const isOwn = !(name in inputs);
  const told = comment.length > 0 || isOwn ? comment : member(args, name).comment.slice(0, -1);
  return {
    ...(isOwn || (type === "string" && "$ref" in input) ? plain(name, type) : input),
    ...(told.length > 0 && { description: told.join("\n\n") }),
  };
}

function plain(name: string, type: string): Property {
  if (type === "number") return { type: wholeNumbers.includes(name) ? "integer" : "number" };
  if (type === "boolean" || type === "string") return { type };
  throw new Error(`Making the schema: ${name} is a ${type}, for which there is no rule.`);
}

/** The answers of lookups. Those about a compute also contain each attribute. */
function addFacts(types: Types, inputs: Properties): void {
  const attributes = attributeNames.map((name): [string, Member] => [
    name,
    { comment: [], isOptional: true, type: attribute(name).kind },
  ]);
  const members = { EndpointFacts: attributes, OperationFacts: [] };
  for (const [name, more] of Object.entries(members))
    types[token(name)] = {
      ...objectOf(new Map([...more, ...declaration(name).members]), inputs),
      description: textOf(name),
    };
}

function objectOf(members: ReadonlyMap<string, Member>, inputs: Properties = {}): ObjectType {
  return {
    type: "object",
    properties: Object.fromEntries([...members].map(([name, found]) => [name, factOf(name, found, inputs)])),
    required: [...members].filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
  };
}

/** The functions, each with the arguments of its TypeScript form. */
function lookups(types: Types): unknown {
  const cursor = { type: "string", description: "Where the next page begins; absent on the last page." };
  const page = listOf("operations", "OperationFacts", { cursor });
  const arguments_ = objectOf(declaration("ListOperationsArgs").members);
  return {
    [token("getEndpoint")]: lookup("getEndpoint", types[token("EndpointFacts")]),
    [token("getPrimary")]: lookup("getPrimary", types[token("EndpointFacts")]),
    [token("listEndpoints")]: lookup("listEndpoints", listOf("endpoints", "EndpointFacts")),
    [token("getOperation")]: lookup("getOperation", types[token("OperationFacts")]),
    [token("listOperations")]: {
      ...lookup("listOperations", page),
      // An invoke returns one page, while the TypeScript form reads all pages.
      description: "One page of the operations of a project, newest first.",
      inputs: {
        ...arguments_,
        properties: {
          ...arguments_.properties,
          cursor: { type: "string", description: "The page to read: the `cursor` of the page before it." },
        },
      },
    },
  };
}

function lookup(name: string, outputs: unknown): Readonly<Record<string, unknown>> {
  const inputs = objectOf(declaration(`${pascalCase(name)}Args`).members);
  return { description: textOf(name), inputs, outputs };
}

function listOf(name: string, of: string, more: Properties = {}): ObjectType {
  return {
    type: "object",
    properties: { [name]: { type: "array", items: reference(of) }, ...more },
    required: [name],
  };
}

function configProperties(): Properties {
  const entries = Object.values(settings).map((setting) => {
    const { name, kind, meaning, variable } = setting;
    const otherPlace =
      "strictestCounts" in setting
        ? `Its environment variable is ${variable}.`
        : `It overrides ${variable} in the environment.`;
    const words = typeof kind === "object" ? ` One of ${kind.join(", ")}.` : "";
    const property: Property = {
      type: kind === "flag" ? "boolean" : kind === "count" ? "integer" : "string",
      description: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.${words} ${otherPlace}`,
      ...(kind === "secret" ? { secret: true } : {}),
    };
    return [name, property] as const;
  });
  return Object.fromEntries(entries);
}
