/**
 * What the engine asks of one resource, in either variant: each variant converts its values to these calls and back.
 */
import { ComputeError } from "../model/errors";
import type { EndpointState } from "../model/state";
import type { EngineDeclaration, EngineState, TimeLimited } from "../model/stored";
import { removedRestart } from "../model/changes";
import type { EndpointRef } from "../service/client";
import {
  checkDeclaration,
  diffDeclaration,
  previewCreate,
  type ChangeSides,
  type Checked,
  type CheckSides,
  type Diff,
} from "./planning";
import type { Session } from "./session";
import { createDeclared, deleteHeld, importCompute, readHeld, updateHeld } from "./steps";

/** What a read finds: a state, none, or that nothing was read and the stored values stay. */
type Found = EndpointState | "as stored" | undefined;

export interface ResourceCalls {
  check(sides: CheckSides): Promise<Checked>;
  diff(sides: ChangeSides): Promise<Diff>;
  create(declared: EngineDeclaration & TimeLimited): Promise<EndpointState>;
  read(endpointId: string, held: EngineState): Promise<Found>;
  update(sides: ChangeSides & TimeLimited): Promise<EndpointState>;
  delete(held: EngineState & TimeLimited): Promise<void>;
  /** Asked of the plugin alone: in a preview, after the check. */
  previewCreate(declared: EngineDeclaration): Promise<void>;
  /** Asked of the plugin alone. */
  import(urn: string, ref: EndpointRef): Promise<Found>;
}

/** @param urn - undefined for a caller that passes none. */
export function callsFor(session: Session, urn: string | undefined): ResourceCalls {
  const [, , types = ""] = urn?.split("::") ?? [];
  if (/(?:^|[:/$])compute:(?:index:)?EndpointRestart$/.test(types)) return ofRemovedRestart;
  return {
    check: (sides) => checkDeclaration(session, sides),
    diff: (sides) => diffDeclaration(session, sides),
    create: (declared) => createDeclared(session, declared),
    read: (endpointId, held) => readHeld(session, endpointId, held),
    update: (sides) => updateHeld(session, sides),
    delete: (held) => deleteHeld(session, held),
    previewCreate: (declared) => previewCreate(session, declared),
    import: (of, ref) => importCompute(session, of, ref),
  };
}

const refuse = (): Promise<never> => {
  const what = "there is no such resource any more";
  return Promise.reject(new ComputeError({ doing: "declaring EndpointRestart", what, fix: removedRestart }));
};

/**
 * The resource EndpointRestart of earlier versions. A state that has one loses it with the next `pulumi up` without it,
 * which sends nothing; a program that has one gets an error.
 */
const ofRemovedRestart: ResourceCalls = {
  check: ({ declared }) => {
    const failures = [{ property: "", reason: removedRestart }];
    return Promise.resolve({ inputs: declared.args, failures });
  },
  diff: () => Promise.resolve({ changes: false, changed: [], replaces: [], deleteBeforeReplace: false }),
  create: refuse,
  read: () => Promise.resolve("as stored"),
  update: refuse,
  delete: () => Promise.resolve(),
  previewCreate: refuse,
  import: () => Promise.resolve("as stored"),
};
