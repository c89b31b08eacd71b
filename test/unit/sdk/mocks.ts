/** A user's own mocks of Pulumi's engine: what their tests see of a resource. */
import * as pulumi from "@pulumi/pulumi";

export interface Declared {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Begins a run of its own.
 *
 * @param outputs - of a resource, besides its inputs.
 * @returns what is declared in it, by name.
 */
export async function mockEngine(
  project = "project",
  outputs: (name: string) => object = () => ({}),
): Promise<ReadonlyMap<string, Declared>> {
  const declared = new Map<string, Declared>();
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ name, type, inputs }) => {
      const state = inputs as Readonly<Record<string, unknown>>;
      declared.set(name, { type, inputs: state });
      return { id: name, state: { ...state, ...outputs(name) } };
    },
    call: ({ inputs }) => inputs as Record<string, unknown>,
  };
  await pulumi.runtime.setMocks(mocks, project, "stack", false);
  return declared;
}

/** Ends when the engine has the resource: a registration must not outlive its test. */
export const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

/** Arguments that each Endpoint needs. */
export const place = { projectId: "p", branchId: "br-a" };
