/**
 * For each of four promises of each property of a resource, the SDK keeps the text of a stack trace, which it prints
 * under PULUMI_DEBUG_PROMISE_LEAKS alone. Mapped to the program's TypeScript lines, these texts are most of what a
 * resource costs a program: without them a preview of 300 computes takes 5.2 s instead of 7.5 s.
 */

/** V8's hook, as the SDK's source maps set it; nothing where stack traces are not mapped. */
export const stackTraces = Error as {
  prepareStackTrace?: ((error: Error, frames: NodeJS.CallSite[]) => unknown) | undefined;
};

/**
 * From now until the returned function is called, those texts are not made. Every other stack trace is, with the
 * program's lines: what a transformation throws, or the position of the resource.
 */
export function skipPromiseTraces(): () => void {
  const format = stackTraces.prepareStackTrace;
  // eslint-disable-next-line no-restricted-properties -- the SDK's own switch, no configuration of the provider.
  const isWanted = Boolean(process.env["PULUMI_DEBUG_PROMISE_LEAKS"]);
  if (format === undefined || isWanted) return () => undefined;
  stackTraces.prepareStackTrace = (error, frames) =>
    frames[0]?.getFunctionName() === "debuggablePromise" ? "" : format(error, frames);
  return () => {
    stackTraces.prepareStackTrace = format;
  };
}
