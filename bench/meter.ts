/**
 * What a run costs besides time: requests and refusals.
 */
import type { LoggedRequest } from "../emulator";

/** The requests of one step, as the service saw them. */
export interface Tally {
  readonly total: number;
  readonly byRoute: Readonly<Record<string, number>>;
  /** Answers with status 429. */
  readonly limited: number;
  /** Answers with status 423. */
  readonly locked: number;
}

/** Counts requests as they end, since the control plane's own log keeps only the last ones. */
export interface RequestMeter {
  readonly record: (request: LoggedRequest) => void;
  /** The requests since the last call. */
  readonly take: () => Tally;
}

export function createRequestMeter(): RequestMeter {
  let counted: { readonly route: string; readonly status: number | undefined }[] = [];
  return {
    record: ({ method, route, status }) => {
      counted.push({ route: route ?? method, status });
    },
    take: () => {
      const seen = counted;
      counted = [];
      const byRoute: Record<string, number> = {};
      for (const { route } of seen) byRoute[route] = (byRoute[route] ?? 0) + 1;
      const answered = (status: number): number => seen.filter((one) => one.status === status).length;
      return { total: seen.length, byRoute, limited: answered(429), locked: answered(423) };
    },
  };
}
