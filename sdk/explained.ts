/**
 * Errors that Pulumi prints without a stack trace.
 */
import * as pulumi from "@pulumi/pulumi";

/**
 * An error for which Pulumi prints only the message.
 *
 * The error has no stack trace. The SDK lets Node colour each error's stack trace before it checks whether to print the trace.
 * Node 20.20 never finishes colouring the line `node_modules/@pulumi/output.ts`, which is in every trace that starts in an
 * `apply`: the program would hang.
 */
export function explained(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = `RunError: ${message}`;
  return error;
}
