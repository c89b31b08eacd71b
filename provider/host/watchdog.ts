/**
 * The engine that started this process: its address, and whether it is still running.
 */
import { connect } from "node:net";
import { engineWatch } from "../model/timing";

/** The engine's address among the arguments of this process, flags aside. */
export function engineAddressIn(words: readonly string[]): string | undefined {
  return words.slice(2).find((word) => /^[\w.[\]:-]+:\d+$/.test(word));
}

/**
 * Whether these are the arguments of the SDK's dynamic provider process. Other processes that load the provider (a program or
 * its tests) must not end when the engine ends: they may have started it.
 */
export function isDynamicProvider([, script = ""]: readonly string[]): boolean {
  return /[\\/]cmd[\\/]dynamic-provider([\\/]index(\.js)?)?$/.test(script);
}

/**
 * Ends a provider process whose engine is gone. Otherwise it would go on sending requests, at the same time as the
 * next run. The parent's id does not help: the parent is a shell that also outlives the engine.
 *
 * This cuts off running work as a kill does: Pulumi's backend remembers the creates that were begun, and the next run names
 * them.
 *
 * @param address - host and port of the engine; undefined if there is none to watch.
 */
export function watchEngine(address: string | undefined, onGone: () => void): void {
  const [, host, port] = /^(.+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined || port === undefined) return;
  let refusals = 0;
  // Neither the timer nor a connection may keep the process alive.
  const look = setInterval(() => {
    const socket = connect({ host, port: Number(port), timeout: engineWatch.answerMs });
    socket.unref();
    socket.once("connect", () => {
      refusals = 0;
      socket.destroy();
    });
    socket.once("timeout", () => socket.destroy());
    socket.once("error", (error: NodeJS.ErrnoException) => {
      refusals = error.code === "ECONNREFUSED" ? refusals + 1 : 0;
      // Checks may overlap: act only on the first refusal that reaches the limit.
      if (refusals !== engineWatch.refusalsMeanGone) return;
      clearInterval(look);
      onGone();
    });
  }, engineWatch.everyMs);
  look.unref();
}
