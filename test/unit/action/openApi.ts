/**
 * Compares requests with GitHub's own OpenAPI: path, method, parameters and body.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";

type Schema = Parameters<typeof z.fromJSONSchema>[0];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema & { readonly type?: string };
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: Schema & { properties: object } } };
  };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

let openApi: OpenApi | undefined;

function readOpenApi(): OpenApi {
  const file = require.resolve("@octokit/openapi/generated/api.github.com.json");
  return (openApi ??= JSON.parse(readFileSync(file, "utf8")) as OpenApi);
}

export interface Request {
  readonly method: string;
  /** Below the server, with its query. */
  readonly route: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** @returns what GitHub's OpenAPI does not have of a request. */
export function objectionsTo({ method, route, body = {} }: Request): readonly string[] {
  const { pathname, searchParams } = new URL(route, "https://api.github.com/");
  const { paths, components } = readOpenApi();
  const found = Object.entries(paths)
    .map(([template, operations]) => ({
      operation: operations[method.toLowerCase()],
      values: valuesIn(template, pathname),
    }))
    // Of two that fit, the one with fewer parameters: `/user` and not `/{owner}`.
    .filter(({ operation, values }) => operation !== undefined && values !== undefined)
    .sort((left, right) => left.values!.size - right.values!.size)[0];
  const name = `${method} ${pathname}`;
  if (found === undefined) return [`${name}: there is no such route`];
  const parameters = (found.operation!.parameters ?? []).map((one) =>
    "$ref" in one ? components.parameters[one.$ref.split("/").at(-1)!]! : one,
  );
  const given = [
    ...[...found.values!].map(([key, value]) => ({ in: "path", key, value })),
    ...[...searchParams].map(([key, value]) => ({ in: "query", key, value })),
  ];
  const schema = found.operation!.requestBody?.content["application/json"].schema;
  return [
    ...given.flatMap(({ in: place, key, value }) => {
      const parameter = parameters.find((one) => one.in === place && one.name === key);
      if (parameter === undefined) return [`${name}: no parameter ${key}`];
      return fits(parameter.schema, parameter.schema.type === "integer" ? Number(value) : value)
        ? []
        : [`${name}: ${key} is ${value}`];
    }),
    ...Object.keys(body)
      .filter((key) => !Object.hasOwn(schema?.properties ?? {}, key))
      .map((key) => `${name}: no member ${key}`),
    ...(schema === undefined || fits(schema, body) ? [] : [`${name}: the body is ${JSON.stringify(body)}`]),
  ];
}

function valuesIn(template: string, pathname: string): ReadonlyMap<string, string> | undefined {
  const [parts, given] = [template.split("/"), pathname.split("/")];
  if (parts.length !== given.length) return undefined;
  const values = new Map<string, string>();
  for (const [index, part] of parts.entries()) {
    const value = decodeURIComponent(given[index]!);
    if (/^\{\w+\}$/.test(part)) values.set(part.slice(1, -1), value);
    else if (part !== value) return undefined;
  }
  return values;
}

function fits(schema: Schema, value: unknown): boolean {
  return z.fromJSONSchema(schema).safeParse(value).success;
}
