/** The answer to one request. */
export interface Answer {
  readonly status: number;
  /** A text is sent unchanged, anything else as JSON; absent for no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is still to be sent, or "sent" if a fault has used the socket itself. */
export type Delivery = { readonly answer: Answer } | "sent";

/** The body's text; undefined if there is no body. */
export function bodyText({ body }: Answer): string | undefined {
  return body === undefined || typeof body === "string" ? body : JSON.stringify(body);
}

export function contentType({ body }: Answer): string {
  return typeof body === "string" ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
}
