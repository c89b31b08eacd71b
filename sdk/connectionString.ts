/**
 * Builds connection strings from a compute's host.
 */
import * as pulumi from "@pulumi/pulumi";
import { pooledHostForm, type PooledHostRule } from "../provider/settings/pooledHosts";
import { settings } from "../provider/settings/table";
import { configured } from "./configured";
import { explained } from "./explained";

/** libpq's values: how a client checks the service's certificate, and whether it encrypts the connection. */
export type SslMode = "disable" | "allow" | "prefer" | "require" | "verify-ca" | "verify-full";

/** The parts of a connection string. Each may be an output, and a secret. */
export interface ConnectionStringArgs {
  /** The `host` of an Endpoint or of a lookup. */
  readonly host: pulumi.Input<string | undefined>;
  /** The Postgres role to connect as. */
  readonly role: pulumi.Input<string>;
  /** Without a password the string has none: clients then take it from elsewhere, such as PGPASSWORD. */
  readonly password?: pulumi.Input<string | undefined>;
  /** The database to connect to. */
  readonly database: pulumi.Input<string>;
  /** `true` uses the host of the service's pooler, by the rule of `compute:pooledHost`. Default `false`. */
  readonly pooled?: pulumi.Input<boolean | undefined>;
  /** Default `require`; no default for a host on this machine, which has no certificate. */
  readonly sslMode?: pulumi.Input<SslMode | undefined>;
}

/** The arguments with known values. */
export type KnownParts = pulumi.Unwrap<ConnectionStringArgs>;

/**
 * A connection string such as `postgresql://role:password@host/database?sslmode=require`, as a secret output.
 *
 * Role, password and database are percent-encoded. The interface names no pooled host: the rule for it is configured
 * as `compute:pooledHost` or COMPUTE_POOLED_HOST.
 *
 * @example
 * ```ts
 * const password = new pulumi.Config().requireSecret("password");
 * export const url = connectionString({ host: app.host, role: "app", password, database: "shop" });
 * ```
 *
 * @throws if a part is empty, or if a pooled string is requested and no rule is configured: while the program runs,
 * before anything is changed.
 */
export function connectionString(args: ConnectionStringArgs): pulumi.Output<string> {
  // Checked at once: an unknown part would delay the error until the update.
  if (args.pooled === true) configuredRule();
  return pulumi.secret(pulumi.output(args).apply(writtenOf));
}

/** The string, for known parts. @throws if a part is not valid. */
export function writtenOf({ host, role, password, database, pooled, sslMode }: KnownParts): string {
  const place = pooled === true ? pooledHost(hostPart(host)) : hostPart(host);
  const user = encoded("role", role);
  const secret = password === undefined ? "" : `:${encoded("password", password)}`;
  const mode = sslMode ?? (isOnThisMachine(place) ? undefined : "require");
  const query = mode === undefined ? "" : `?sslmode=${mode}`;
  return `postgresql://${user}${secret}@${place}/${encoded("database", database)}${query}`;
}

/** Values stay out of the messages: each may be a secret. */
function refused(what: string, fix: string): pulumi.RunError {
  return explained(`making a connection string: ${what}. ${fix}.`);
}

function hostPart(host: string | undefined): string {
  if (host === undefined || host === "")
    throw refused(
      "there is no host",
      "Pass the host of a compute: the service may tell one only once it runs",
    );
  if (/^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host)) return host;
  throw refused("the host is not a name alone", "Pass it as the service tells it, with a port at most");
}

/** @returns the text with all characters encoded that have a meaning in an address. */
function encoded(part: "role" | "password" | "database", text: string): string {
  if (text === "") throw refused(`the ${part} is empty`, `Pass a ${part}`);
  // Clients in C end the text at a zero byte, and half a surrogate pair cannot be written in UTF-8.
  if (/\0|\p{Surrogate}/u.test(text))
    throw refused(`the ${part} holds a character that no client can send`, `Choose another ${part}`);
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function pooledHost(host: string): string {
  const pooled = configuredRule().pooledHostOf(host);
  if (pooled !== undefined) return pooled;
  throw refused("the host has no domain, so that its pooled host is not known", "Leave pooled out");
}

function configuredRule(): PooledHostRule {
  const rule = configured("pooledHost");
  if (rule !== undefined) return rule;
  const { key, variable } = settings.pooledHost;
  throw refused(
    `neither ${key} nor ${variable} says what the service calls a pooled host, and the interface has none`,
    `Set ${key} or ${variable} to ${pooledHostForm}; or leave pooled out`,
  );
}

/** Whether a host can only mean this machine: the emulator's computes have no certificate. */
function isOnThisMachine(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|([\w.-]+\.)?localhost)(:\d+)?$/i.test(host);
}
