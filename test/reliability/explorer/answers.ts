/**
 * Everything that may become of the POST of a create: whether the service carries it out, and what its sender learns.
 */
export interface PostOutcome {
  readonly name: string;
  /**
   * `done`: the service carried it out before it answered. `open`: it has not, and may still do so. `never`: it
   * refused, or was never reached.
   */
  readonly work: "done" | "open" | "never";
  /** In place of the service's status. */
  readonly status?: number;
  /** In place of the service's JSON. */
  readonly text?: string;
  /** The code of the failure where there is no answer. */
  readonly code?: string;
  /** The system call in which it failed. */
  readonly syscall?: string;
  /** When the sender learns it. */
  readonly afterMs: number;
}

/** A request takes so long where nothing is wrong. */
export const quickMs = 50;

export const asTheServiceDoes: PostOutcome = { name: "", work: "done", afterMs: quickMs };

/** Each either carried out or not: nobody can tell from the answer. */
const unclear: readonly (Omit<PostOutcome, "work"> & { readonly isOneOfEach?: boolean })[] = [
  { name: "the connection is reset", code: "ECONNRESET", afterMs: quickMs, isOneOfEach: true },
  {
    name: "no answer comes within 30 s",
    code: "UND_ERR_HEADERS_TIMEOUT",
    afterMs: 30_000,
    isOneOfEach: true,
  },
  { name: "the answer is cut off", code: "UND_ERR_SOCKET", afterMs: quickMs },
  { name: "a gateway answers with a page", status: 200, text: "<html>", afterMs: quickMs },
  { name: "the answer is {}", status: 201, text: "{}", afterMs: quickMs },
  { name: "408 is answered", status: 408, afterMs: quickMs, isOneOfEach: true },
  { name: "425 is answered", status: 425, afterMs: quickMs },
  { name: "499 is answered", status: 499, afterMs: quickMs },
  { name: "500 is answered", status: 500, afterMs: quickMs },
  { name: "502 is answered", status: 502, afterMs: quickMs, isOneOfEach: true },
  { name: "503 is answered", status: 503, afterMs: quickMs, isOneOfEach: true },
  { name: "504 is answered", status: 504, afterMs: quickMs },
];

/** The service's own no, or no service. */
const refusals: readonly (PostOutcome & { readonly isOneOfEach?: boolean })[] = [
  {
    name: "the connection is refused",
    work: "never",
    code: "ECONNREFUSED",
    syscall: "connect",
    afterMs: quickMs,
  },
  { name: "400 is answered", work: "never", status: 400, afterMs: quickMs, isOneOfEach: true },
  { name: "401 is answered", work: "never", status: 401, afterMs: quickMs },
  { name: "404 is answered", work: "never", status: 404, afterMs: quickMs },
  { name: "409 is answered", work: "never", status: 409, afterMs: quickMs, isOneOfEach: true },
  { name: "423 is answered", work: "never", status: 423, afterMs: quickMs },
  { name: "429 is answered", work: "never", status: 429, afterMs: quickMs },
];

const late: PostOutcome = {
  name: "201 is answered after 20 s",
  work: "done",
  afterMs: 20_000,
};

/** @param all - or one of each meaning. */
export function spoiledOutcomes(all: boolean): readonly PostOutcome[] {
  const isTried = (one: { readonly isOneOfEach?: boolean }): boolean => all || one.isOneOfEach === true;
  return [
    late,
    ...unclear.filter(isTried).flatMap((one) => [
      { ...one, work: "done" as const, name: `${one.name}, and it was carried out` },
      { ...one, work: "open" as const, name: `${one.name}, and it was not carried out so far` },
    ]),
    ...refusals.filter(isTried),
  ];
}
