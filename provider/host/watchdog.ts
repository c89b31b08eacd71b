/**
 * Ends the provider process once its engine is gone.
 */
import { connect } from "node:net";
import { engineWatch } from "../timing";

/**
 * Ends a provider process whose engine is gone. It would live on otherwise, go on sending requests, and race
 * the next run: its parent is a shell that outlives the engine as well, so the parent's id tells nothing.
 *
 * What is under way is cut off as by a kill; the journal and the next run take care of it.
 *
 * @param address - host and port of the engine; undefined where there is none to watch.
 */
export function watchEngine(address: string | undefined, onGone: () => void): void {
  const [, host, port] = /^(.+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined || port === undefined) return;
  let refusals = 0;
  // Watching is no reason to stay: neither the timer nor a connection keeps the process.
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
      // Looks may overlap: a later refusal ends nothing again.
      if (refusals !== engineWatch.refusalsMeanGone) return;
      clearInterval(look);
      onGone();
    });
  }, engineWatch.everyMs);
  look.unref();
}
