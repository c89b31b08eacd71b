/**
 * The hidden inputs of the dynamic provider's resources. They carry what the engine does not pass to the provider
 * process.
 */
import * as pulumi from "@pulumi/pulumi";
import { remoteProvider } from "./remote";

/** A resource as the program declares it. */
interface DeclaredResource {
  readonly type: string;
  readonly name: string;
  readonly parent: pulumi.Resource | undefined;
  /** What the option `ignoreChanges` names. */
  readonly ignores: readonly string[] | undefined;
}

export function hiddenInputs(declared: DeclaredResource, args: object): Readonly<Record<string, unknown>> {
  return {
    // This is text, not a closure: remote.ts says why.
    __provider: remoteProvider,
    // The engine does not pass the URN to the provider process, which needs it for messages on this resource's row.
    __urn: urnOf(declared),
    // The organisation is passed because stacks of two organisations may have the same name. A backend without organisations
    // uses a fixed name.
    ...organization(),
    // Secrets reach the provider process in plain text. The process needs the names of the secret arguments to leave their
    // values out of messages.
    ...secretNames(args),
    // The engine puts the old values back, but does not say which: by hand, somebody may have set others at the service.
    ...(declared.ignores === undefined || declared.ignores.length === 0
      ? {}
      : { __ignores: declared.ignores }),
    // Tells the provider that this is a preview: only previews show the notice of an interruption.
    ...(pulumi.runtime.isDryRun() ? { __dryRun: true } : {}),
  };
}

/**
 * The URN that the engine gives the resource.
 *
 * Below a component, it is a promise. An output would depend on the component, and therefore on all its children,
 * including this resource: a program with two such resources would never end. Without a parent, the URN is plain text,
 * which takes a tenth of the constructor's time.
 */
function urnOf({ type, name, parent }: DeclaredResource): pulumi.Input<string> {
  if (parent === undefined)
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}

/** Empty if the backend has no organisations, or if mocks name none. */
function organization(): { readonly __organization?: string } {
  try {
    const name = pulumi.getOrganization();
    return name === "organization" ? {} : { __organization: name };
  } catch {
    return {};
  }
}

/**
 * The names of the arguments that are or contain a secret. The value is undefined if there is no secret, so that the
 * state stays small. The member itself is left out if no argument can hold a secret: each property of a resource costs
 * the program time.
 */
function secretNames(args: object): {
  readonly __secrets?: pulumi.Output<string[] | undefined>;
} {
  const outputs = Object.entries(args).filter(([, value]) => holdsOutput(value));
  if (outputs.length === 0) return {};
  const names = outputs.map(async ([name, value]) => {
    return (await pulumi.isSecret(pulumi.output(value as unknown))) ? name : undefined;
  });
  const secret = Promise.all(names).then((all) => all.filter((name) => name !== undefined));
  return { __secrets: pulumi.output(secret.then((all) => (all.length === 0 ? undefined : all))) };
}

/** True for an output or a promise, and for a map or list that contains one at any depth. */
function holdsOutput(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  // For another resource, the engine gets only a reference to it, not its outputs.
  if (pulumi.Resource.isInstance(value)) return false;
  return Object.values(value).some(holdsOutput);
}
