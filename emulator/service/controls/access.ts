/**
 * Keeps out web pages of other sites: the API's key is documented, and the controls need no key.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { ServiceError } from "../model/errors";

/** A name that always means this machine, with or without a port. */
const loopbackHost = /^((?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A host name that no public web page can have: a single word, as containers have, or a name below `internal`. */
const privateName = /^[\w-]+(\.[\w-]+)*\.internal$|^[\w-]+$/i;

/**
 * Refuses a request to the API that a web page may have sent.
 *
 * @param isOpen - whether the emulator listens to other machines, which have other names for this machine
 * @throws ServiceError 403 that says how to send the request instead.
 */
export function refuseForeignApi(request: IncomingMessage, isOpen: boolean): void {
  const { host = "" } = request.headers;
  const isKnown = loopbackHost.test(host) || (isOpen && isAddressOrPrivate(host));
  if (!isKnown) throw wrongHost("The API", host, `http://127.0.0.1:${request.socket.localPort ?? ""}`);
  refuseOtherOrigin("The API", request);
}

function isAddressOrPrivate(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return isIP(name) !== 0 || privateName.test(name);
}

/**
 * Refuses a control request that a web page may have sent. Controls need no key, so only programs on this machine may
 * use them. But any page that is open in a browser on this machine can reach the port too.
 *
 * @throws ServiceError 403 that says how to send the request instead.
 */
export function refuseForeign(request: IncomingMessage): void {
  const { headers, socket } = request;
  const { host = "" } = headers;
  if (!isLoopback(socket.remoteAddress ?? "")) {
    throw forbidden(
      "The control routes can be used only on the loopback address. Send the request from the same machine.",
    );
  }
  const address = `http://127.0.0.1:${socket.localPort ?? ""}/_emulator`;
  if (!loopbackHost.test(host)) throw wrongHost("The control routes", host, address);
  refuseOtherOrigin("The control routes", request);
}

/** True if an address, of a server or of a client, can only belong to this machine. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$|^localhost$/.test(address);
}

/**
 * With DNS rebinding, a page points its own name at 127.0.0.1: the origin then matches, but the request's Host has that
 * name.
 */
function wrongHost(what: string, host: string, address: string): ServiceError {
  return forbidden(`${what} cannot be used under the host name "${host}". Use ${address}.`);
}

function refuseOtherOrigin(what: string, { headers: { host = "", origin } }: IncomingMessage): void {
  const own = `http://${host}`;
  if (origin === undefined || (URL.canParse(own) && origin === new URL(own).origin)) return;
  throw forbidden(
    `${what} cannot be used by web pages of the origin "${origin}". Send the request from a program, without an Origin header.`,
  );
}

/**
 * Refuses a body that is not declared as JSON: a page can send bodies of some other types to any host without a preflight.
 *
 * @throws ServiceError 415
 */
export function refuseOtherThanJson(contentType = ""): void {
  if (/^application\/json\s*(;|$)/i.test(contentType)) return;
  const fix = "Send the header Content-Type: application/json.";
  throw new ServiceError(
    415,
    "unsupported_media_type",
    `Controls take a JSON body, not "${contentType}". ${fix}`,
  );
}

function forbidden(message: string): ServiceError {
  return new ServiceError(403, "forbidden", message);
}
