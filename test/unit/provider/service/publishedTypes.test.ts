/**
 * The provider against the types that Neon publishes (npm package @neon/sdk): types alone, none of its code runs. A new
 * version of them shows here what has changed.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as ts from "typescript";
import { apiEndpointSchema, apiOperationSchema } from "../../../../provider/service/schemas";
import { attribute, attributeNames } from "../../../../provider/model/fields";
import { factsOf } from "../../../../provider/model/services";
import { outcomeOf } from "../../../../provider/service/observation";

const root = path.join(__dirname, "..", "..", "..", "..");
const textOf = (...file: readonly string[]): string => readFileSync(path.join(root, ...file), "utf8");
const published = path.join("node_modules", "@neon", "sdk");
const types = ts.createSourceFile(
  "types.d.ts",
  textOf(published, "dist", "client", "types.gen.d.ts"),
  ts.ScriptTarget.ES2022,
  true,
);

/** What a published type is declared as. */
function declarationOf(name: string): ts.TypeNode {
  const found = types.statements
    .filter(ts.isTypeAliasDeclaration)
    .find((statement) => statement.name.text === name);
  if (found === undefined) throw new Error(`@neon/sdk publishes no type ${name}`);
  return found.type;
}

/** The members of a published type by name. */
function membersOf(name: string, type = declarationOf(name)): ReadonlyMap<string, ts.TypeElement> {
  if (!ts.isTypeLiteralNode(type)) throw new Error(`${name} is no object`);
  return new Map(type.members.map((member) => [member.name?.getText() ?? "", member]));
}

/** The members of the endpoint in a request. */
function endpointIn(name: string): ReadonlyMap<string, ts.TypeElement> {
  const member = membersOf(name).get("endpoint");
  if (member === undefined || !ts.isPropertySignature(member) || member.type === undefined)
    throw new Error(`${name} has no endpoint`);
  return membersOf(`the endpoint of ${name}`, member.type);
}

/** The texts of a union. */
function wordsOf(name: string): readonly string[] {
  const type = declarationOf(name);
  const parts = ts.isUnionTypeNode(type) ? type.types : [type];
  return parts.map((part) => part.getText().replaceAll("'", ""));
}

/** What a create sends, and what an update sends: projectId is a part of the path. */
const wiresOf = (...sent: readonly string[]): readonly string[] =>
  attributeNames.filter((name) => sent.includes(attribute(name).sent)).map((name) => attribute(name).wire);

/** Members that the provider sends and reads, by their names on the wire, and that Neon does not have: each with its reason. */
const notOfNeon: Readonly<Record<string, string>> = {};

const provisioner = "how the service runs the compute: it is not documented, and the service chooses it";

describe.each([
  { name: "EndpointCreateRequest", sent: wiresOf("create", "change"), deprecated: ["pooler_enabled"] },
  { name: "EndpointUpdateRequest", sent: wiresOf("change"), deprecated: ["branch_id", "pooler_enabled"] },
])("$name", ({ name, sent, deprecated }) => {
  const members = endpointIn(name);

  it("takes every member that is sent, but those that Neon does not have", () => {
    expect(sent.filter((wire) => !members.has(wire))).toEqual(sent.filter((wire) => wire in notOfNeon));
  });

  it("has no other member without a reason", () => {
    const notSent: Readonly<Record<string, string>> = { provisioner };
    expect([...members.keys()].filter((wire) => !sent.includes(wire))).toEqual(Object.keys(notSent));
  });

  // They are sent where a program declares them: docs/neon.md says what they do there.
  it("deprecates what docs/neon.md says of it", () => {
    const tags = [...members].filter(([, member]) => ts.getJSDocDeprecatedTag(member) !== undefined);
    expect(tags.map(([wire]) => wire)).toEqual(deprecated);
    const page = textOf("docs", "neon.md");
    const { withoutEffect = [] } = factsOf("neon")!;
    for (const argument of ["branchId", ...withoutEffect]) expect(page).toContain(`| \`${argument}\``);
    expect(page).toContain("leave `poolerEnabled`, `poolerMode` and `passwordlessAccess` out");
    expect(withoutEffect).toEqual(["poolerEnabled", "poolerMode", "passwordlessAccess"]);
  });
});

describe("an answer", () => {
  /** Members of an endpoint that nothing here reads, each with its reason. */
  const unread: Readonly<Record<string, string>> = {
    creation_source: "who made the compute: it changes nothing",
    provisioner,
    compute_release_version: "the service updates it by itself",
  };
  /** Members of an operation that nothing here reads. */
  const unreadOfOperation: Readonly<Record<string, string>> = {
    retry_at:
      "a failed operation that the service tries again is read as failed: nothing says that it will end",
    total_duration_ms: "the times of its creation and its end are read, which the interface has too",
  };

  it.each([
    ["Endpoint", Object.keys(apiEndpointSchema.shape), unread],
    ["Operation", Object.keys(apiOperationSchema.shape), unreadOfOperation],
  ])("that is an %s has every member that is read, and no other without a reason", (name, read, reasons) => {
    const members = [...membersOf(name).keys()];
    expect(read.filter((member) => !members.includes(member))).toEqual(
      read.filter((member) => member in notOfNeon),
    );
    expect(members.filter((member) => !read.includes(member)).sort()).toEqual(Object.keys(reasons).sort());
  });

  it("has settings of which pg_settings alone are declared; the others are sent back as they were", () => {
    expect([...membersOf("EndpointSettingsData").keys()]).toEqual([
      "pg_settings",
      "pgbouncer_settings",
      "preload_libraries",
    ]);
  });

  it("has no state, type, pooler mode or status that the provider does not know", () => {
    expect(wordsOf("EndpointState")).toEqual(["init", "active", "idle"]);
    expect(wordsOf("EndpointType")).toEqual(["read_only", "read_write"]);
    expect(wordsOf("EndpointPoolerMode")).toEqual(["transaction"]);
    expect(wordsOf("OperationStatus").filter((status) => outcomeOf(status) === "unknown")).toEqual([]);
    const actions = wordsOf("OperationAction");
    expect(actions).toEqual(expect.arrayContaining(["apply_config", "start_compute", "suspend_compute"]));
    expect(textOf("docs", "neon.md")).toContain(`| ${actions.length} actions;`);
  });
});

it("is of the version that docs/neon.md and the README name", () => {
  const { version } = JSON.parse(textOf(published, "package.json")) as { version: string };
  expect(textOf("docs", "neon.md")).toContain(`\`@neon/sdk\` ${version}`);
  expect(textOf("README.md")).toMatch(
    /never run against the live service[^]*compares \[the interface\]\([^)]*\) with Neon's published types/,
  );
});
