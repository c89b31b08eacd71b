/**
 * Builds connection strings from a compute's host.
 */
import * as pulumi from "@pulumi/pulumi";
import { explained } from "./explained";

/** libpq's values: how a client checks the service's certificate, and whether it encrypts the connection. */
export type SslMode = "disable" | "allow" | "prefer" | "require" | "verify-ca" | "verify-full";

/** The parts of a connection string. Each may be an output, and a secret. */
export interface ConnectionStringArgs {
  /** The `host` of an Endpoint or of a lookup. */
  readonly host: pulumi.Input<string | undefined>;
  /** The Postgres role to connect as. */
  readonly role: pulumi.Input<string>;
  /** If there is no password, clients take it from elsewhere, such as PGPASSWORD. */
  readonly password?: pulumi.Input<string | undefined>;
  /** The database to connect to. */
  readonly database: pulumi.Input<string>;
  /**
   * To connect through the service's pooler: how its host is named. Either `neon`, or a pattern such as
   * `{name}-pooler.{domain}`, where `{name}` is the host up to its first dot and `{domain}` the rest. Default: no
   * pooler.
   */
  readonly pooled?: pulumi.Input<string | undefined>;
  /** Default `require`; no default for a host on this machine, which has no certificate. */
  readonly sslMode?: pulumi.Input<SslMode | undefined>;
}

/** The arguments with known values. */
export type KnownParts = pulumi.Unwrap<ConnectionStringArgs>;

/**
 * A connection string such as `postgresql://role:password@host/database?sslmode=require`, as a secret output.
 *
 * Role, password and database are percent-encoded. The service's API names no pooled host, so `pooled` says how to form it.
 *
 * @example
 * ```ts
 * const password = new pulumi.Config().requireSecret("password");
 * export const url = connectionString({ host: app.host, role: "app", password, database: "shop" });
 * ```
 *
 * @throws if a part is missing or empty, or if `pooled` is not a rule. The program fails before anything is changed.
 */
export function connectionString(args: ConnectionStringArgs): pulumi.Output<string> {
  // Checked here and not in `apply`, which would run only in the update if another part is not known yet.
  for (const part of ["role", "database"] as const) refuseMissing(part, args[part]);
  if (!pulumi.Output.isInstance(args.pooled) && !(args.pooled instanceof Promise)) patternOf(args.pooled);
  return pulumi.secret(pulumi.output(args).apply(writtenOf));
}

/** The string, for known parts. @throws if a part is not valid. */
export function writtenOf({ host, role, password, database, pooled, sslMode }: KnownParts): string {
  const pattern = patternOf(pooled);
  const place = pattern === undefined ? hostPart(host) : pooledHost(hostPart(host), pattern);
  const user = encoded("role", role);
  const secret = isMissing(password) ? "" : `:${encoded("password", password)}`;
  const mode = sslMode ?? (isOnThisMachine(place) ? undefined : "require");
  const query = mode === undefined ? "" : `?sslmode=${mode}`;
  return `postgresql://${user}${secret}@${place}/${encoded("database", database)}${query}`;
}

/** Values stay out of the messages: each may be a secret. */
function refused(what: string, fix: string): pulumi.RunError {
  return explained(`building a connection string: ${what}. ${fix}.`);
}

function hostPart(host: string | undefined): string {
  if (isMissing(host) || host === "")
    throw refused(
      "the host is missing",
      "Pass the host of a compute: some services return it only once the compute runs",
    );
  if (/^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host)) return host;
  throw refused(
    "the host contains more than a host name and a port",
    "Pass the host as the service returns it",
  );
}

/** Refuses a missing part: a program in JavaScript may pass no value, and the string would contain the word "undefined". */
function refuseMissing(part: string, value: unknown): void {
  if (isMissing(value)) throw refused(`the ${part} is missing`, `Pass the argument ${part}`);
}

/** Pulumi treats null as not set. */
function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** @returns the text, with each character that has a meaning in an address encoded. */
function encoded(part: "role" | "password" | "database", text: string): string {
  refuseMissing(part, text);
  if (text === "") throw refused(`the ${part} is empty`, `Pass a ${part}`);
  // Clients in C end the text at a zero byte, and half a surrogate pair cannot be written in UTF-8.
  if (/\0|\p{Surrogate}/u.test(text))
    throw refused(`the ${part} contains a character that no client can send`, `Choose another ${part}`);
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Documented at neon.com/docs/connect/connection-pooling, as of 2026-01-24: `-pooler` after the endpoint's id. */
const rules = new Map([["neon", "{name}-pooler.{domain}"]]);

/** The pattern of a rule; undefined without a rule. */
function patternOf(rule: unknown): string | undefined {
  if (isMissing(rule) || rule === false) return undefined;
  const pattern = typeof rule === "string" ? (rules.get(rule) ?? rule) : "";
  const between = pattern.replace("{name}", "").replace("{domain}", "");
  const hasBoth = between.length === pattern.length - "{name}{domain}".length;
  // Without other text around `{name}` and `{domain}`, the pooled host would be the host itself.
  if (hasBoth && /^[\w.:-]*[a-z\d][\w.:-]*$/i.test(between)) return pattern;
  throw refused(
    `pooled is ${JSON.stringify(rule)}, which is not a rule for pooled hosts`,
    "Set it to neon or to a pattern such as {name}-pooler.{domain}, or leave it out",
  );
}

/** A host that is already pooled is returned unchanged. */
function pooledHost(host: string, pattern: string): string {
  const form = pattern.replaceAll(".", "\\.").replace("{name}", "[^.]+").replace("{domain}", ".+");
  if (new RegExp(`^${form}$`).test(host)) return host;
  const [, name, domain] = /^([^.]+)\.(.+)$/.exec(host) ?? [];
  if (name === undefined || domain === undefined)
    throw refused(
      "the host has no domain, so the provider cannot derive the pooled host",
      "Leave out the argument pooled",
    );
  return pattern.replace("{name}", name).replace("{domain}", domain);
}

/** Whether a host can only mean this machine: the emulator's computes have no certificate. */
function isOnThisMachine(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|([\w.-]+\.)?localhost)(:\d+)?$/i.test(host);
}
