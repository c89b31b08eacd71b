/**
 * Finds out how `--connections` logs in to a compute.
 */
import type { ClientConfig } from "pg";
import { present } from "../read/values";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Holds one URL for each host, separated by spaces or line breaks. */
export const urlsVariable = "COMPUTE_CONNECTION_URLS";

/** A compute, as far as its preview shows it. */
interface Target {
  readonly endpointId: string | null;
  readonly host: string | undefined;
}

/** @returns how to log in, or why nobody can. */
export function loginOf({ endpointId, host }: Target, environment: Environment): ClientConfig | string {
  const direct = host === undefined ? undefined : withoutPooler(host);
  const url = urlsIn(environment).find((one) => direct !== undefined && covers(one, direct));
  if (url !== undefined && direct !== undefined) return { connectionString: urlTo(url, direct) };
  const { PGHOST = "", PGSSLMODE = "" } = environment;
  if (!["PGUSER", "PGPASSWORD", "PGPASSFILE"].some((name) => (environment[name] ?? "") !== ""))
    return "there are no credentials for its host";
  // PGHOST may be the address of several computes, so `options` names the compute.
  const address =
    PGHOST === "" ? { host: direct } : { host: PGHOST, options: `endpoint=${endpointId ?? ""}` };
  if (address.host === undefined) return "the preview does not show its host";
  // Without PGSSLMODE, `pg` would not encrypt.
  return { ...address, ...(PGSSLMODE === "" && { ssl: true }) };
}

/** How many texts in the variable are not URLs. They are not shown: they may contain a password. */
export function unusableUrls(environment: Environment): number {
  return wordsIn(environment).length - urlsIn(environment).length;
}

function wordsIn(environment: Environment): readonly string[] {
  return (environment[urlsVariable] ?? "").split(/\s+/).filter((word) => word !== "");
}

function urlsIn(environment: Environment): readonly URL[] {
  return present(
    wordsIn(environment).map((word) => /^postgres(ql)?:/.test(word) && URL.canParse(word) && new URL(word)),
  );
}

/** The first label of a pooler's host ends with `-pooler`. */
function withoutPooler(host: string): string {
  return host.toLowerCase().replace(/^([^.]*?)-pooler(?=\.|$)/, "$1");
}

/** `*.example.com` stands for all hosts of this domain. */
function covers({ hostname }: URL, host: string): boolean {
  const wanted = withoutPooler(hostname);
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : wanted === host;
}

/** Encrypts and checks the host's certificate, unless the URL says otherwise. */
function urlTo(url: URL, host: string): string {
  const direct = new URL(url);
  direct.hostname = host;
  const mode = direct.searchParams.get("sslmode") ?? "";
  if (mode !== "disable" && mode !== "no-verify") direct.searchParams.set("sslmode", "verify-full");
  return direct.href;
}
