/**
 * Reads the values of outputs, including those whose `apply` never calls back.
 */
import * as pulumi from "@pulumi/pulumi";

/** The value of an input, without the mark of a secret; `unknownValue` of Pulumi's runtime if it is unknown. */
export async function valueOf(input: unknown): Promise<unknown> {
  return pulumi.runtime.unwrapRpcSecret(await pulumi.runtime.serializeProperty("value", input));
}
