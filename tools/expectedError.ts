/** Something went wrong that its message fully explains; it is shown without a stack. */
export class ExpectedError extends Error {
  /** Read by bootstrap.js, which runs before any class is loaded. */
  readonly isExpected = true;
}
