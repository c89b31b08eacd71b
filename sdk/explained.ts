/**
 * Errors that Pulumi prints without a stack trace.
 */
import * as pulumi from "@pulumi/pulumi";

/**
 * An error of which Pulumi prints only the message.
 *
 * It has no stack: the SDK lets Node colour each error's stack before it checks whether to print it, and Node 20.20
 * never finishes with the line `node_modules/@pulumi/output.ts`, which is in every stack that starts in an `apply`.
 * The program would hang.
 */
export function explained(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = `RunError: ${message}`;
  return error;
}
