/** Compares requests with GitHub's own OpenAPI: route, method, names of parameters, and body. */
import { readFileSync } from "node:fs";
import { z } from "zod";

interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": {
        readonly schema: Parameters<typeof z.fromJSONSchema>[0] & { readonly properties: object };
      };
    };
  };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, { readonly name: string }>> };
}

let openApi: OpenApi | undefined;

function readOpenApi(): OpenApi {
  const file = require.resolve("@octokit/openapi/generated/api.github.com.json");
  return (openApi ??= JSON.parse(readFileSync(file, "utf8")) as OpenApi);
}

export interface Request {
  readonly method: string;
  /** The path on the server, with its query. */
  readonly route: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** @returns the parts of a request that GitHub's OpenAPI does not allow. */
export function objectionsTo({ method, route, body = {} }: Request): readonly string[] {
  const { pathname, searchParams } = new URL(route, "https://api.github.com/");
  const { paths, components } = readOpenApi();
  const isFor = (template: string): boolean =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname);
  // If two templates match, the one with fewer parameters counts: `/user`, not `/{owner}`.
  const [operation] = Object.entries(paths)
    .filter(([template, operations]) => method.toLowerCase() in operations && isFor(template))
    .sort(([one], [other]) => one.split("{").length - other.split("{").length)
    .map(([, operations]) => operations[method.toLowerCase()]!);
  const name = `${method} ${pathname}`;
  if (operation === undefined) return [`${name}: there is no such route`];
  const known = (operation.parameters ?? []).map(
    (one) => one.name ?? components.parameters[one.$ref!.split("/").at(-1)!]!.name,
  );
  const schema = operation.requestBody?.content["application/json"].schema;
  const members = Object.keys(schema?.properties ?? {});
  const isBody = schema === undefined || z.fromJSONSchema(schema).safeParse(body).success;
  return [
    ...[...searchParams.keys()].filter((key) => !known.includes(key)).map((key) => `no parameter ${key}`),
    ...Object.keys(body)
      .filter((key) => !members.includes(key))
      .map((key) => `no member ${key}`),
    ...(isBody ? [] : [`the body is ${JSON.stringify(body)}`]),
  ].map((objection) => `${name}: ${objection}`);
}
