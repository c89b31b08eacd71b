import { pooledHostRuleFrom } from "../../../provider/settings/pooledHosts";

/** What a rule makes of a host; the problem's text where the rule cannot be read. */
function pooled(rule: string, host: string): string | undefined {
  const read = pooledHostRuleFrom(rule);
  return "pooledHostOf" in read ? read.pooledHostOf(host) : read.what;
}

it.each([
  {
    rule: "neon",
    host: "ep-a.eu.example",
    is: "ep-a-pooler.eu.example",
    reason: "documented by the service",
  },
  {
    rule: "{name}-pool.{domain}",
    host: "ep-a.b.c",
    is: "ep-a-pool.b.c",
    reason: "a suffix of the first label",
  },
  { rule: "pool.{name}.{domain}", host: "ep-a.b.c", is: "pool.ep-a.b.c", reason: "a label in front" },
  { rule: "{name}.pool.{domain}:6432", host: "ep-a.b", is: "ep-a.pool.b:6432", reason: "a port of its own" },
  { rule: "{name}.{domain}:6432", host: "ep-a.b", is: "ep-a.b:6432", reason: "the port alone" },
  { rule: "neon", host: "ep-a.b:5433", is: "ep-a-pooler.b:5433", reason: "the host's own port stays" },
  { rule: "neon", host: "ep-a-pooler.b", is: "ep-a-pooler.b", reason: "pooled already" },
  { rule: "neon", host: "ep-axpooler.b", is: "ep-axpooler-pooler.b", reason: "no dot or dash is a wildcard" },
  { rule: "neon", host: "database", is: undefined, reason: "nothing to put the suffix before" },
])("$rule makes of $host $is: $reason", ({ rule, host, is }) => {
  expect(pooled(rule, host)).toBe(is);
});

it.each([
  { rule: "neom", reason: "the name of no service" },
  { rule: "{name}-pooler", reason: "the domain is lost" },
  { rule: "pooler.{domain}", reason: "all computes would have one host" },
  { rule: "{name}.{domain}", reason: "the host itself" },
  { rule: "{name}-.{domain}", reason: "the host itself, with a mark" },
  { rule: "https://{name}-pooler.{domain}/", reason: "an address, not a host" },
  { rule: "{name}{name}-pooler.{domain}", reason: "a name twice" },
])("$rule is refused: $reason", ({ rule }) => {
  expect(pooled(rule, "ep-a.b")).toBe(`it is "${rule}", which is no rule for a host`);
});
