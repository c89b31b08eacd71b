import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk";
import { writtenOf, type KnownParts } from "../../../sdk/connectionString";
import * as native from "../../../sdk/native";

afterEach(() => {
  delete process.env["COMPUTE_POOLED_HOST"];
  pulumi.runtime.setConfig("compute:pooledHost", "");
});

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

  it.each<{ args: Args; is: string; reason: string }>([
    { args: { password: undefined }, is: "app@ep-a.eu.example/shop?sslmode=require", reason: "no password" },
    {
      args: { sslMode: "verify-full" },
      is: "app:secret-1@ep-a.eu.example/shop?sslmode=verify-full",
      reason: "told",
    },
    { args: { host: "ep-a.localhost" }, is: "app:secret-1@ep-a.localhost/shop", reason: "this machine" },
    {
      args: { host: "127.0.0.1:5433" },
      is: "app:secret-1@127.0.0.1:5433/shop",
      reason: "this machine's port",
    },
    { args: { host: "[::1]:5433" }, is: "app:secret-1@[::1]:5433/shop", reason: "this machine's IPv6" },
    {
      args: { host: "localhost", sslMode: "require" },
      is: "app:secret-1@localhost/shop?sslmode=require",
      reason: "told of this machine",
    },
    {
      args: { host: "localhost.example", pooled: false },
      is: "app:secret-1@localhost.example/shop?sslmode=require",
      reason: "another machine of that name",
    },
  ])("is $is: $reason", async ({ args, is }) => {
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

  it("names the pooled host by the rule of the stack, and by the environment's where the stack has none", async () => {
    pulumi.runtime.setConfig("compute:pooledHost", "neon");
    expect(new URL(await valueOf({ pooled: true })).host).toBe("ep-a-pooler.eu.example");
    expect(new URL(await valueOf({ pooled: pulumi.output(true) })).host).toBe("ep-a-pooler.eu.example");
    process.env["COMPUTE_POOLED_HOST"] = "pool.{name}.{domain}";
    expect(new URL(await valueOf({ pooled: true })).host).toBe("ep-a-pooler.eu.example");
    pulumi.runtime.setConfig("compute:pooledHost", "");
    expect(new URL(await valueOf({ pooled: true })).host).toBe("pool.ep-a.eu.example");
    expect(new URL(await valueOf({ pooled: false })).host).toBe("ep-a.eu.example");
  });

  it("of a pooler is refused without a rule, with the setting and the fix, before anything is known", () => {
    const password = pulumi.output(new Promise<string>(() => undefined));
    const told =
      "making a connection string: neither compute:pooledHost nor COMPUTE_POOLED_HOST says what the service calls a " +
      "pooled host, and the interface has none. Set compute:pooledHost or COMPUTE_POOLED_HOST to your service's rule: neon, " +
      "or a pattern such as {name}-pooler.{domain}, where {name} is the host up to its first dot and {domain} the rest; " +
      "or leave pooled out.";
    expect(() => make({ pooled: true, password })).toThrow(told);
    expect(failureOf({ pooled: true })).toBe(told);
    pulumi.runtime.setConfig("compute:pooledHost", "neom");
    expect(() => make({ pooled: true })).toThrow(
      /^reading the configuration compute:pooledHost: it is "neom"/,
    );
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
    { args: { password: "hidden\0" }, told: "the password holds a character that no client can send" },
    { args: { role: "hidden\ud800" }, told: "the role holds a character that no client can send" },
  ])("is refused where $told, and tells no value", ({ args, told }) => {
    const message = failureOf(args);
    expect(message).toContain(`making a connection string: ${told}. `);
    expect(message).not.toContain("hidden");
  });

  it("is refused for a host without a domain where a pooled one is asked for", () => {
    pulumi.runtime.setConfig("compute:pooledHost", "neon");
    expect(failureOf({ pooled: true, host: "database" })).toContain("the host has no domain");
  });
});
