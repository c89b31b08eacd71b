/**
 * What a service calls the pooled host of a compute: the interface has one host alone (interface 2.1), so the rule is
 * the service's, and is configured.
 *
 * Pure: stack programs read it.
 */
import type { Unreadable } from "../errors";

/** Makes the pooled host of a compute's host. */
export interface PooledHostRule {
  /** @returns undefined for a host without a domain, and a host that is pooled already as it is. */
  readonly pooledHostOf: (host: string) => string | undefined;
}

/** Documented at neon.com/docs/connect/connection-pooling, as of 2026-01-24: `-pooler` behind the endpoint's id. */
const named = new Map([["neon", "{name}-pooler.{domain}"]]);

/** What a rule looks like, for the messages that ask for one. */
export const pooledHostForm =
  "your service's rule: neon, or a pattern such as {name}-pooler.{domain}, " +
  "where {name} is the host up to its first dot and {domain} the rest";

/** @param source - as `compute:pooledHost` has it: the name of a service, or a pattern. */
export function pooledHostRuleFrom(source: string): PooledHostRule | Unreadable {
  const pattern = named.get(source) ?? source;
  const between = pattern.replace("{name}", "").replace("{domain}", "");
  // Without a word of its own between the two, the pooled host would be the host itself.
  if (
    between.length !== pattern.length - "{name}{domain}".length ||
    !/^[\w.:-]*[a-z\d][\w.:-]*$/i.test(between)
  )
    return {
      what: `it is "${source.slice(0, 60)}", which is no rule for a host`,
      fix: `Set it to ${pooledHostForm}`,
      example: "neon",
    };
  const form = pattern.replaceAll(".", "\\.").replace("{name}", "[^.]+").replace("{domain}", ".+");
  const pooled = new RegExp(`^${form}$`);
  return { pooledHostOf: (host) => (pooled.test(host) ? host : filledIn(pattern, host)) };
}

function filledIn(pattern: string, host: string): string | undefined {
  const [, name, domain] = /^([^.]+)\.(.+)$/.exec(host) ?? [];
  if (name === undefined || domain === undefined) return undefined;
  return pattern.replace("{name}", name).replace("{domain}", domain);
}
