/**
 * Reads the body of a request up to a limit.
 */
import type { IncomingMessage } from "node:http";
import { ServiceError } from "../model/errors";

/** Far more than any body of the interface has. */
const mostBytes = 1024 * 1024;

/**
 * Reads a body as text; the caller has already checked that the client may send one.
 *
 * @returns undefined if the client closed the connection before it had sent the whole body
 * @throws ServiceError 413 as soon as the body is known to be too long
 */
export async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > mostBytes) throw tooLong();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming
      .on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length <= mostBytes) chunks.push(chunk);
        else reject(tooLong());
      })
      .once("end", () => {
        resolve(Buffer.concat(chunks).toString("utf8"));
      })
      .once("error", () => {
        resolve(undefined);
      })
      .once("close", () => {
        resolve(undefined);
      });
  });
}

function tooLong(): ServiceError {
  return new ServiceError(413, "content_too_large", `The body has more than ${mostBytes} bytes.`);
}
