/** An error that its message fully explains; it is shown without a stack. */
export class ExpectedError extends Error {
  /** Read by bootstrap.js, which runs before any class is loaded. */
  readonly isExpected = true;
}

/** The user, or the calling program, wants to stop: nothing else is tried, and no advice is given. */
export class StoppedError extends ExpectedError {
  constructor(
    signal: NodeJS.Signals,
    /** The exit code that a shell would report; bootstrap.js ends with it. */
    readonly exitCode: number,
  ) {
    super(`Stopped by ${signal}.`);
  }
}
