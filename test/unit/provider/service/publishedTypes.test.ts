/**
 * Compares the provider with the types that Neon publishes (npm package @neon/sdk). None of the package's code runs. When a new
 * version changes the types, a test here fails.
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

/** The declaration of a published type. */
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

/** The words of a union. */
function wordsOf(name: string): readonly string[] {
  const type = declarationOf(name);
  const parts = ts.isUnionTypeNode(type) ? type.types : [type];
  return parts.map((part) => part.getText().replaceAll("'", ""));
}

/** The wire names of the arguments that a create or an update sends. The path has projectId, so it is not among them. */
const wiresOf = (...sent: readonly string[]): readonly string[] =>
  attributeNames.filter((name) => sent.includes(attribute(name).sent)).map((name) => attribute(name).wire);

/** Members on the wire that the provider sends or reads but Neon does not have, each with its reason. */
const notOfNeon: Readonly<Record<string, string>> = {};

const provisioner = "how the service runs the compute: it is not documented, and the service chooses it";

describe.each([
  { name: "EndpointCreateRequest", sent: wiresOf("create", "change"), deprecated: ["pooler_enabled"] },
  { name: "EndpointUpdateRequest", sent: wiresOf("change"), deprecated: ["branch_id", "pooler_enabled"] },
])("$name", ({ name, sent, deprecated }) => {
  const members = endpointIn(name);

  it("accepts every member that is sent, except those that Neon does not have", () => {
    expect(sent.filter((wire) => !members.has(wire))).toEqual(sent.filter((wire) => wire in notOfNeon));
  });

  it("has no other member, except those listed here with a reason", () => {
    const notSent: Readonly<Record<string, string>> = { provisioner };
    expect([...members.keys()].filter((wire) => !sent.includes(wire))).toEqual(Object.keys(notSent));
  });

  // Deprecated members are sent if a program declares them. docs/your-service.md says what they do at Neon.
  it("deprecates the members that docs/your-service.md explains", () => {
    const tags = [...members].filter(([, member]) => ts.getJSDocDeprecatedTag(member) !== undefined);
    expect(tags.map(([wire]) => wire)).toEqual(deprecated);
    const page = textOf("docs", "your-service.md");
    const { withoutEffect = [] } = factsOf("neon")!;
    for (const argument of ["branchId", ...withoutEffect]) expect(page).toContain(`| \`${argument}\``);
    expect(page).toContain("leave `poolerEnabled`, `poolerMode` and `passwordlessAccess` out");
    expect(withoutEffect).toEqual(["poolerEnabled", "poolerMode", "passwordlessAccess"]);
  });
});

describe("an answer", () => {
  /** Members of an endpoint that the provider does not read, each with its reason. */
  const unread: Readonly<Record<string, string>> = {
    creation_source: "who made the compute: it changes nothing",
    provisioner,
    compute_release_version: "the service updates it on its own",
  };
  /** Members of an operation that the provider does not read, each with its reason. */
  const unreadOfOperation: Readonly<Record<string, string>> = {
    retry_at:
      "a failed operation counts as failed, also if the service tries again: nothing says that it will succeed",
    total_duration_ms: "the times of its creation and its end are read, since the interface has them too",
  };

  it.each([
    ["Endpoint", Object.keys(apiEndpointSchema.shape), unread],
    ["Operation", Object.keys(apiOperationSchema.shape), unreadOfOperation],
  ])(
    "with an %s has every member that is read, and no other, except those listed here with a reason",
    (name, read, reasons) => {
      const members = [...membersOf(name).keys()];
      expect(read.filter((member) => !members.includes(member))).toEqual(
        read.filter((member) => member in notOfNeon),
      );
      expect(members.filter((member) => !read.includes(member)).sort()).toEqual(Object.keys(reasons).sort());
    },
  );

  it("has settings, of which a program can declare only pg_settings; the others are sent back unchanged", () => {
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
    expect(textOf("docs", "your-service.md")).toContain(`| ${actions.length} actions;`);
  });
});

it("the types are of the version that docs/your-service.md names, and the README mentions them", () => {
  const { version } = JSON.parse(textOf(published, "package.json")) as { version: string };
  expect(textOf("docs", "your-service.md")).toContain(`\`@neon/sdk\` ${version}`);
  expect(textOf("README.md")).toMatch(
    /never run against the live service[^]*compares \[the interface\]\([^)]*\) with Neon's published types/,
  );
});
