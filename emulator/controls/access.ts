/**
 * Keeps web pages of other sites away from the controls, which need no key.
 */
import type { IncomingMessage } from "node:http";
import { ServiceError } from "../model/errors";

/** A name that always means this machine, with or without a port. */
const loopbackHost = /^((?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Refuses a control request that a web page may have sent. Controls need no key, so they are for programs on this
 * machine, and every page open in a browser of this machine can reach the port too.
 *
 * @throws ServiceError 403 that says how to send the request instead.
 */
export function refuseForeign({ headers, socket }: IncomingMessage): void {
  const { host = "", origin } = headers;
  if (!/^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "")) {
    throw forbidden("Controls are answered on the loopback only. Send the request from the same machine.");
  }
  // A page whose own name was pointed at 127.0.0.1 (DNS rebinding) is of the same origin, but sends that name.
  if (!loopbackHost.test(host)) {
    const address = `http://127.0.0.1:${socket.localPort ?? ""}/_emulator`;
    throw forbidden(`Controls are not answered under the host name "${host}". Use ${address}.`);
  }
  if (origin !== undefined && origin !== new URL(`http://${host}`).origin) {
    throw forbidden(
      `Controls are not answered to web pages of the origin "${origin}". Send the request from a program, without an Origin header.`,
    );
  }
}

/**
 * Refuses a body that is not declared as JSON: a page may send any other type to a foreign host without asking.
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
