/**
 * `undici`, as far as `provider/api/transport.ts` uses it, without sockets: each request arrives at whoever runs the
 * small world, who answers it.
 */
import type { Asked } from "./service";

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A request that has not been answered. */
export interface Arrival extends Asked {
  readonly limitMs: number;
  readonly answer: (answer: WireAnswer) => void;
  readonly fail: (code: string, syscall?: string) => void;
}

interface UndiciOptions {
  readonly method: string;
  readonly body: string | null;
  readonly signal: { readonly limitMs: number };
}

let arrive: (arrival: Arrival) => void = () => undefined;

export function useSockets(next: typeof arrive): void {
  arrive = next;
}

/** In place of `AbortSignal.timeout`: the small world's clock ends what takes too long. */
export function limitSignal(limitMs: number): AbortSignal {
  return { limitMs } as unknown as AbortSignal;
}

/** Of a pool, nothing is used but that there is one. */
class NoSockets {
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** In place of `undici`. */
export const undici = {
  Agent: NoSockets,
  EnvHttpProxyAgent: NoSockets,
  request: (address: string, { method, body, signal }: UndiciOptions): Promise<object> =>
    new Promise((resolve, reject) => {
      arrive({
        method,
        path: address.slice(address.indexOf("/api/v2") + "/api/v2".length),
        body: body === null ? undefined : (JSON.parse(body) as unknown),
        limitMs: signal.limitMs,
        answer: ({ status, headers, text }) => {
          resolve({ statusCode: status, headers, body: [Buffer.from(text)] });
        },
        fail: (code, syscall) => {
          reject(Object.assign(new Error(code), { code, syscall }));
        },
      });
    }),
};
