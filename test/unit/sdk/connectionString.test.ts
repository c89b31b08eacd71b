import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk";
import { writtenOf, type KnownParts } from "../../../sdk/connectionString";
import * as native from "../../../sdk/native";

type Args = Partial<dynamic.ConnectionStringArgs>;

/** Of parts that are known: an output that fails does so in several promises, which only Pulumi's runner hears all of. */
function failureOf(args: Partial<KnownParts>): string {
  try {
    return `nothing is wrong with ${writtenOf({ ...parts, ...args })}`;
  } catch (error) {
    expect(error).toBeInstanceOf(pulumi.RunError);
    return (error as Error).message;
  }
}

const parts = { host: "ep-a.eu.example", role: "app", password: "secret-1", database: "shop" };

describe.each([
  { variant: "pulumi-compute-endpoint", sdk: dynamic },
  { variant: "pulumi-compute-endpoint/native", sdk: native },
])("the connection string of $variant", ({ sdk }) => {
  const make = (args: Args): pulumi.Output<string> => sdk.connectionString({ ...parts, ...args });
  const valueOf = (args: Args = {}): Promise<string> =>
    (make(args) as unknown as { readonly promise: () => Promise<string> }).promise();
  it("is a secret, whatever it is made of", async () => {
    for (const password of ["plain", pulumi.secret("hidden"), undefined])
      expect(await pulumi.isSecret(make({ password }))).toBe(true);
  });

  it("has every part, and asks for an encrypted connection", async () => {
    expect(await valueOf()).toBe("postgresql://app:secret-1@ep-a.eu.example/shop?sslmode=require");
  });

  it.each<[is: string, reason: string, args: Args]>([
    ["app@ep-a.eu.example/shop?sslmode=require", "no password", { password: undefined }],
    ["app:secret-1@ep-a.eu.example/shop?sslmode=verify-full", "told", { sslMode: "verify-full" }],
    ["app:secret-1@ep-a.localhost/shop", "this machine", { host: "ep-a.localhost" }],
    ["app:secret-1@127.0.0.1:5433/shop", "this machine's port", { host: "127.0.0.1:5433" }],
    ["app:secret-1@[::1]:5433/shop", "this machine's IPv6", { host: "[::1]:5433" }],
    [
      "app:secret-1@localhost/shop?sslmode=require",
      "told of this machine",
      { host: "localhost", sslMode: "require" },
    ],
    ["app:secret-1@localhost.example/shop?sslmode=require", "another machine", { host: "localhost.example" }],
  ])("is %s: %s", async (is, _reason, args) => {
    expect(await valueOf(args)).toBe(`postgresql://${is}`);
  });

  it("gives back the same parts, whatever characters they hold", async () => {
    const odd = { role: "o'brien@corp:%41", password: 'p/a?s#s w&rd+*()!=é🙂[]"\\', database: "my db/ü?x=1" };
    const url = new URL(await valueOf(odd));
    expect([url.username, url.password, url.pathname.slice(1)].map(decodeURIComponent)).toEqual(
      Object.values(odd),
    );
    expect(url.host).toBe(parts.host);
    expect(url.search).toBe("?sslmode=require");
    expect(url.href).toMatch(/^[\w:/@.%?=-]+$/);
  });

  it("names the pooled host by the service's rule", async () => {
    expect(new URL(await valueOf({ pooled: "neon" })).host).toBe("ep-a-pooler.eu.example");
    expect(new URL(await valueOf({ pooled: pulumi.output("pool.{name}.{domain}") })).host).toBe(
      "pool.ep-a.eu.example",
    );
    expect(new URL(await valueOf({ pooled: undefined })).host).toBe("ep-a.eu.example");
  });

  it("of a pooler is refused for what is no rule, before anything is known", () => {
    const password = pulumi.output(new Promise<string>(() => undefined));
    const told =
      "making a connection string: pooled is true, which is no rule for a pooled host, and the interface has none. Set it " +
      "to your service's rule: neon, or a pattern such as {name}-pooler.{domain}; or leave it out.";
    // A program in JavaScript, and one of an earlier version.
    expect(() => make({ pooled: true as unknown as string, password })).toThrow(told);
    expect(() => make({ pooled: "neom" })).toThrow(/pooled is "neom", which is no rule/);
  });

  it.each(["role", "database"])("without a %s is refused before anything is known", (part) => {
    const host = pulumi.output(new Promise<string>(() => undefined));
    for (const missing of [undefined, null])
      expect(() => make({ host, [part]: missing })).toThrow(
        `making a connection string: there is no ${part}. Pass the argument ${part}.`,
      );
  });

  it("has no password where it is null, as where it is left out", async () => {
    expect(await valueOf({ password: null as unknown as string })).toBe(
      "postgresql://app@ep-a.eu.example/shop?sslmode=require",
    );
  });
});

describe("a pooled host", () => {
  it.each([
    ["ep-a-pooler.eu.example", "neon", "ep-a.eu.example", "documented by the service"],
    ["ep-a-pool.b.c", "{name}-pool.{domain}", "ep-a.b.c", "a suffix of the first label"],
    ["pool.ep-a.b.c", "pool.{name}.{domain}", "ep-a.b.c", "a label in front"],
    ["ep-a.pool.b:6432", "{name}.pool.{domain}:6432", "ep-a.b", "a port of its own"],
    ["ep-a.b:6432", "{name}.{domain}:6432", "ep-a.b", "the port alone"],
    ["ep-a-pooler.b:5433", "neon", "ep-a.b:5433", "the host's own port stays"],
    ["ep-a-pooler.b", "neon", "ep-a-pooler.b", "pooled already"],
    ["ep-axpooler-pooler.b", "neon", "ep-axpooler.b", "no dot or dash is a wildcard"],
  ])("is %s by the rule %s of %s: %s", (is, rule, host) => {
    expect(writtenOf({ ...parts, host, pooled: rule })).toContain(`@${is}/`);
  });

  it.each([
    { rule: "neom", reason: "the name of no service" },
    { rule: "{name}-pooler", reason: "the domain is lost" },
    { rule: "pooler.{domain}", reason: "all computes would have one host" },
    { rule: "{name}.{domain}", reason: "the host itself" },
    { rule: "{name}-.{domain}", reason: "the host itself, with a mark" },
    { rule: "https://{name}-pooler.{domain}/", reason: "an address, not a host" },
    { rule: "{name}{name}-pooler.{domain}", reason: "a name twice" },
  ])("is refused by the rule $rule: $reason", ({ rule }) => {
    expect(failureOf({ pooled: rule })).toContain(`pooled is "${rule}", which is no rule for a pooled host`);
  });
});

describe("a connection string", () => {
  it.each<{ args: Partial<KnownParts>; told: string }>([
    { args: { host: undefined }, told: "there is no host" },
    { args: { host: "" }, told: "there is no host" },
    { args: { host: "https://ep-hidden.example" }, told: "the host is not a name alone" },
    { args: { host: "ep-hidden.example/db" }, told: "the host is not a name alone" },
    { args: { role: "" }, told: "the role is empty" },
    { args: { password: "" }, told: "the password is empty" },
    { args: { database: "" }, told: "the database is empty" },
    { args: { database: undefined as unknown as string }, told: "there is no database" },
    { args: { role: null as unknown as string }, told: "there is no role" },
    { args: { password: "hidden\0" }, told: "the password holds a character that no client can send" },
    { args: { role: "hidden\ud800" }, told: "the role holds a character that no client can send" },
  ])("is refused where $told, and tells no value", ({ args, told }) => {
    const message = failureOf(args);
    expect(message).toContain(`making a connection string: ${told}. `);
    expect(message).not.toContain("hidden");
  });

  it("is refused for a host without a domain where a pooled one is asked for", () => {
    expect(failureOf({ pooled: "neon", host: "database" })).toContain("the host has no domain");
  });
});
