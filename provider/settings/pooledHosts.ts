/**
 * Derives the pooled host of a compute from its host. The interface has only one host (interface 2.1), so the rule
 * depends on the service, and is configured.
 *
 * Pure: stack programs read it.
 */
import type { Unreadable } from "../errors";

/** Derives a pooled host. */
export interface PooledHostRule {
  /** @returns undefined for a host without a domain; a pooled host is returned unchanged. */
  readonly pooledHostOf: (host: string) => string | undefined;
}

/** Documented at neon.com/docs/connect/connection-pooling, as of 2026-01-24: `-pooler` after the endpoint's id. */
const named = new Map([["neon", "{name}-pooler.{domain}"]]);

/** The form of a rule, for error messages. */
export const pooledHostForm =
  "your service's rule: neon, or a pattern such as {name}-pooler.{domain}, " +
  "where {name} is the host up to its first dot and {domain} the rest";

/** @param source - the value of `compute:pooledHost`: the name of a service, or a pattern. */
export function pooledHostRuleFrom(source: string): PooledHostRule | Unreadable {
  const pattern = named.get(source) ?? source;
  const between = pattern.replace("{name}", "").replace("{domain}", "");
  // Without text of its own between the two, the pooled host would be the host itself.
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
