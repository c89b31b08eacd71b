/** A refused request: a status, a code and a message. The interface (section 7) shows no error body. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export function notFound(what: string, id: string): ServiceError {
  return new ServiceError(404, "not_found", `${what} ${id} does not exist.`);
}

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, "bad_request", message);
}
