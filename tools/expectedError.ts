/** Something went wrong that its message fully explains; it is shown without a stack. */
export class ExpectedError extends Error {
  /** Read by bootstrap.js, which runs before any class is loaded. */
  readonly isExpected = true;
}

/** The person, or whoever runs this, wants it to stop: no other way is tried, and no advice given. */
export class StoppedError extends ExpectedError {
  constructor(
    signal: NodeJS.Signals,
    /** What a shell would report; bootstrap.js ends with it. */
    readonly exitCode: number,
  ) {
    super(`Stopped by ${signal}.`);
  }
}
