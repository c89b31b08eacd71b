/**
 * Finds the HTTP proxy for the service's address in the environment.
 */
import { ConfigurationError } from "../model/errors";

/** A proxy, and the variable that names it. */
export interface Proxy {
  readonly url: string;
  readonly variable: string;
}

/** Reads the usual variables, as undici does; a proxy without a scheme counts as http, as in curl. */
export function readProxy(environment: NodeJS.ProcessEnv): Proxy | undefined {
  const variable = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].find(
    (name) => (environment[name] ?? "") !== "",
  );
  if (variable === undefined) return undefined;
  const value = environment[variable] ?? "";
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(url)) return { url, variable };
  throw new ConfigurationError({
    doing: "reading the configuration",
    what: `the value of ${variable} is not the address of a proxy`,
    fix: `Set ${variable} to http://host:port, or remove it`,
  });
}

/** Whether a host name can only mean this machine, so that no proxy is used. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}
