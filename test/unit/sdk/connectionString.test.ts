import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk";
import { writtenOf, type KnownParts } from "../../../sdk/connectionString";
import * as native from "../../../sdk/native";

type Args = Partial<dynamic.ConnectionStringArgs>;

const parts = { host: "ep-a.eu.example", role: "app", password: "secret-1", database: "shop" };

/** Takes plain values: an output that fails rejects several promises, and only Pulumi's runner handles all of them. */
function failureOf(args: object): string {
  try {
    return `nothing is wrong with ${writtenOf({ ...parts, ...(args as Partial<KnownParts>) })}`;
  } catch (error) {
    expect(error).toBeInstanceOf(pulumi.RunError);
    return (error as Error).message;
  }
}

describe.each([
  { variant: "pulumi-compute-endpoint", sdk: dynamic },
  { variant: "pulumi-compute-endpoint/native", sdk: native },
])("the connection string of $variant", ({ sdk }) => {
  // A program in JavaScript may pass anything.
  const make = (args: object): pulumi.Output<string> => sdk.connectionString({ ...parts, ...(args as Args) });
  const valueOf = (args: object = {}): Promise<string> =>
    (make(args) as unknown as { readonly promise: () => Promise<string> }).promise();

  it("is a secret, even without a secret part", async () => {
    for (const password of ["plain", pulumi.secret("hidden"), undefined])
      expect(await pulumi.isSecret(make({ password }))).toBe(true);
  });

  it.each<[is: string, reason: string, args: object]>([
    ["app:secret-1@ep-a.eu.example/shop?sslmode=require", "every part, and encrypted", {}],
    ["app@ep-a.eu.example/shop?sslmode=require", "no password", { password: undefined }],
    [
      "app:secret-1@ep-a.eu.example/shop?sslmode=require",
      "null, as if not set",
      { pooled: null, sslMode: null },
    ],
    ["app:secret-1@ep-a.eu.example/shop?sslmode=verify-full", "another mode", { sslMode: "verify-full" }],
    ["app:secret-1@ep-a.localhost/shop", "this machine", { host: "ep-a.localhost" }],
    ["app:secret-1@[::1]:5433/shop", "this machine's IPv6", { host: "[::1]:5433" }],
    [
      "app:secret-1@localhost/shop?sslmode=require",
      "this machine, and a mode",
      { host: "localhost", sslMode: "require" },
    ],
    ["app:secret-1@localhost.example/shop?sslmode=require", "another machine", { host: "localhost.example" }],
    [
      "app:secret-1@pool.ep-a.eu.example/shop?sslmode=require",
      "a rule that is an output",
      { pooled: pulumi.output("pool.{name}.{domain}") },
    ],
  ])("is %s: %s", async (is, _reason, args) => {
    expect(await valueOf(args)).toBe(`postgresql://${is}`);
  });

  it("gives back the same parts, whatever characters they hold", async () => {
    const odd = { role: "o'brien@corp:%41", password: 'p/a?s#s w&rd+*()!=é🙂[]"\\', database: "my db/ü?x=1" };
    const url = new URL(await valueOf(odd));
    const read = [url.username, url.password, url.pathname.slice(1)].map(decodeURIComponent);
    expect(read).toEqual(Object.values(odd));
    expect(url.host).toBe(parts.host);
    expect(url.search).toBe("?sslmode=require");
    expect(url.href).toMatch(/^[\w:/@.%?=-]+$/);
  });

  it.each<[says: string, args: object]>([
    ["pooled is true, which is not a rule for pooled hosts. Set it to", { pooled: true }],
    ["the role is missing. Pass the argument role.", { role: null }],
  ])("is refused even before its host is known: %s", (says, args) => {
    const host = pulumi.output(new Promise<string>(() => undefined));
    expect(() => make({ host, ...args })).toThrow(`building a connection string: ${says}`);
  });
});

it.each([
  ["ep-a-pooler.eu.example", "neon", "ep-a.eu.example", "documented by the service"],
  ["pool.ep-a.b.c", "pool.{name}.{domain}", "ep-a.b.c", "a label in front"],
  ["ep-a.pool.b:6432", "{name}.pool.{domain}:6432", "ep-a.b", "the rule has a port"],
  ["ep-a-pooler.b:5433", "neon", "ep-a.b:5433", "the host's own port stays"],
  ["ep-a-pooler.b", "neon", "ep-a-pooler.b", "the host is pooled already"],
])("a pooled host is %s by the rule %s for %s: %s", (is, rule, host) => {
  expect(writtenOf({ ...parts, host, pooled: rule })).toContain(`@${is}/`);
});

it.each([
  { rule: "neom", reason: "no service has this name" },
  { rule: "{name}-pooler", reason: "the domain is lost" },
  { rule: "pooler.{domain}", reason: "all computes would have one host" },
  { rule: "{name}.{domain}", reason: "it gives the host itself" },
  { rule: "https://{name}-pooler.{domain}/", reason: "it gives an address, not a host" },
])("the rule $rule for pooled hosts is refused: $reason", ({ rule }) => {
  expect(failureOf({ pooled: rule })).toContain(`pooled is "${rule}", which is not a rule for pooled hosts`);
});

it.each<[told: string, args: object]>([
  ["the host is missing", { host: undefined }],
  ["the host is missing", { host: null }],
  ["the host contains more than a host name and a port", { host: "https://ep-hidden.example" }],
  ["the role is empty", { role: "" }],
  ["the password is empty", { password: "" }],
  ["the password contains a character that no client can send", { password: "hidden\0" }],
  ["the role contains a character that no client can send", { role: "hidden\ud800" }],
  ["the host has no domain", { pooled: "neon", host: "database" }],
])("a connection string is refused where %s, and the error shows no value: %j", (told, args) => {
  const message = failureOf(args);
  expect(message).toContain(`building a connection string: ${told}`);
  expect(message).not.toContain("hidden");
});
