/**
 * The engine asks for a compute that a program declares: a new one, or the one that `adopt` names.
 */
import { knownInputs } from "../model/inputs";
import type { EndpointState } from "../model/state";
import type { EngineDeclaration, TimeLimited } from "../model/stored";
import type { Session } from "./session";

export async function createDeclared(
  { run: { history }, namingOrphans, lifecycle, resourceOf }: Session,
  { args, hidden, limitSeconds }: EngineDeclaration & TimeLimited,
): Promise<EndpointState> {
  const resource = resourceOf(hidden, { limitSeconds });
  const inputs = knownInputs(args);
  const steps = await lifecycle();
  if (inputs.adopt !== undefined) history.noteTaken(resource, inputs.adopt);
  return namingOrphans({ resource }, () =>
    steps.create({ inputs, resource, announced: history.announced(resource) }),
  );
}
