/**
 * Shortens two kinds of stack traces that the SDK takes while it registers a resource.
 *
 * The SDK keeps one trace for each of four promises of each property, and prints them only under PULUMI_DEBUG_PROMISE_LEAKS.
 * Mapping these traces to the program's TypeScript lines takes most of the time that a resource costs a program: without the
 * mapping, a preview of 300 computes takes 5.2 s instead of 7.5 s.
 *
 * The SDK sends another trace to the engine, which stores it with the resource. It is a fifth of a state, and most of it
 * is frames of Node and of the SDK.
 */

import path from "node:path";

/** V8's hook, as the SDK's source maps set it; undefined if stack traces are not mapped. */
export const stackTraces = Error as {
  prepareStackTrace?: ((error: Error, frames: NodeJS.CallSite[]) => unknown) | undefined;
};

/** How many of the innermost frames the SDK removes itself: its own frames, and one of a package's class. */
const removedBySdk = 5;

/**
 * Shortens these stack traces until the returned function is called. All other stack traces, such as those of errors in
 * a transformation, keep the program's lines.
 */
export function shortenStackTraces(): () => void {
  const format = stackTraces.prepareStackTrace;
  // eslint-disable-next-line no-restricted-properties -- the SDK's own switch, no configuration of the provider.
  const isWanted = Boolean(process.env["PULUMI_DEBUG_PROMISE_LEAKS"]);
  if (format === undefined || isWanted) return () => undefined;
  stackTraces.prepareStackTrace = (error, frames) => {
    const takenBy = frames[0]?.getFunctionName();
    if (takenBy === "debuggablePromise") return "";
    return format(error, takenBy === "callsites" ? ofProgram(frames) : frames);
  };
  return () => {
    stackTraces.prepareStackTrace = format;
  };
}

/** Removes this package's frames, and the frames of the code that called the program. */
function ofProgram(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const outermost = frames.findLastIndex((frame) => !isOwn(frame) && !isOutside(frame));
  if (outermost < removedBySdk) return frames;
  const kept = frames.slice(removedBySdk, outermost + 1).filter((frame) => !isOwn(frame));
  return [...frames.slice(0, removedBySdk), ...kept];
}

/**
 * The folder of this package's frames; undefined in a bundle, in which this package and the program are one file, and
 * in an ES module, which has no `__filename`.
 */
const ownFolder =
  typeof __filename !== "undefined" && /^stackTraces\.[jt]s$/.test(path.basename(__filename))
    ? path.dirname(__filename)
    : undefined;

function isOwn(frame: NodeJS.CallSite): boolean {
  return path.dirname(frame.getFileName() ?? "") === ownFolder;
}

function isOutside(frame: NodeJS.CallSite): boolean {
  return /^(node:|$)|[\\/]node_modules[\\/]/.test(frame.getFileName() ?? "");
}
