/**
 * The engine asks to carry out what its diff has found.
 */
import { knownInputs } from "../model/inputs";
import { checkHolds, type EndpointState } from "../model/state";
import type { TimeLimited } from "../model/stored";
import { madePublic, type ChangeSides } from "./diff";
import { sinceImport } from "./planServices";
import type { Session } from "./session";

export async function updateHeld(
  session: Session,
  { held, declared, limitSeconds }: ChangeSides & TimeLimited,
): Promise<EndpointState> {
  const { namingOrphans, lifecycle } = session;
  const { history } = session.run;
  checkHolds(held.state);
  const resource = session.resourceOf(declared.hidden, { former: held.hidden, limitSeconds });
  const inputs = knownInputs(declared.args);
  const before = sinceImport(session, resource, { known: held.state, args: inputs });
  const announced = history.announced(resource);
  const declaration = { inputs, resource, announced, madePublic: madePublic({ held, declared }) };
  const steps = await lifecycle();
  return namingOrphans({ resource, endpointId: held.state.endpointId }, () =>
    steps.update(before, declaration),
  );
}
