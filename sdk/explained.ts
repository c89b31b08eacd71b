/**
 * Errors that Pulumi shows to people without a stack.
 */
import * as pulumi from "@pulumi/pulumi";

/**
 * An error that Pulumi prints as its sentence alone.
 *
 * It has no stack: the SDK has Node colour each error's stack before it looks whether it is to be shown, and Node 20.20
 * never comes to an end with the line `node_modules/@pulumi/output.ts`, which is in every stack that comes out of an
 * `apply`. The program would hang.
 */
export function explained(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = `RunError: ${message}`;
  return error;
}
