/**
 * What the engine's calls of this run have shown about each resource. Any call may be missing. Some answers below combine
 * several calls, because the engine passes neither the reason for a replacement nor the compute that it replaces.
 */
import type { EndpointState } from "../model/state";
import type { Judgement } from "../plan/judge";
import type { Resource } from "./resource";

/** Resources without an id share one memory. */
type Named = Pick<Resource, "id">;

/** The `adopt` line of a resource that already has a compute, in its old declaration and in the new one. */
export interface AdoptLine {
  readonly before: unknown;
  readonly now: unknown;
}

/** The replacement of a compute by a new one. */
export interface Replacement {
  /** The replaced compute; undefined if neither a refresh nor a diff of this run has named it. */
  readonly endpointId?: string | undefined;
  /** Whether a command or an option causes the replacement, rather than a changed argument. */
  readonly isForced: boolean;
}

/** A check that had the old inputs. */
interface CheckOfChange {
  readonly adoptLine: AdoptLine;
  readonly isPreview: boolean;
  /** The sentence for `pulumi preview --diff`. */
  readonly shown: string | undefined;
}

export interface History {
  /** A refresh has read a compute under the resource's name. @param state - undefined if the compute is gone. */
  noteRead(of: Named, endpointId: string, state: EndpointState | undefined): void;
  noteChecked(of: Named, check: CheckOfChange): void;
  /** A check without old inputs: a create follows. */
  noteNew(of: Named, judgement: Judgement | undefined): void;
  noteDiff(
    of: Named,
    diff: {
      readonly endpointId: string;
      readonly replaces: boolean;
      readonly judgement: Judgement | undefined;
    },
  ): void;
  /** From now on the resource has this compute, because of its `adopt` line or an import. */
  noteTaken(of: Named, endpointId: string): void;

  /** What the check of a change has found; undefined in the diff of a refresh, which plans nothing. */
  checkOf(of: Named): CheckOfChange | undefined;
  /**
   * The compute that a replacement replaces: asked in a `check` without old inputs and in the `create` after it. Undefined for a
   * new resource.
   *
   * The engine makes these two calls in the same form for a new resource and for the new side of a replacement. It passes neither
   * the replaced compute nor the reason: no provider learns of `--replace`, taint, or the options that replace. But a resource has
   * only one such check in a run. So if this run has seen a compute in the resource's state, that compute is replaced. The
   * replacement is forced unless our own diff has asked for it. With `--replace` and taint, the engine makes no earlier call
   * for the resource, so only a refresh shows the replaced compute.
   */
  replacedBy(of: Named): Replacement | undefined;
  /** What the rows have said about the current step. */
  announced(of: Named): Judgement | undefined;
  /** Whether this run has imported or adopted the resource's compute. */
  hasTaken(of: Named): boolean;
  /**
   * Whether the resource still needs a compute that the engine deletes as replaced; the state has that compute twice. True if
   * this run has taken the compute for the resource again, or if the diff of this run keeps it and nothing replaces it.
   */
  keeps(of: Named, endpointId: string): boolean;
}

interface Memory {
  found: readonly EndpointState[];
  checked?: CheckOfChange;
  diffed?: { readonly endpointId: string; readonly replaces: boolean };
  isNew: boolean;
  judgement?: Judgement | undefined;
  taken?: string;
}

export function trackHistory(): History {
  const memories = new Map<string, Memory>();
  const of = ({ id = "" }: Named): Memory => {
    const memory = memories.get(id) ?? { found: [], isNew: false };
    memories.set(id, memory);
    return memory;
  };
  /** If a refresh has found two computes under one name, the engine does not say which of them was replaced. */
  const foundCompute = (resource: Named): EndpointState | undefined => {
    const { found } = of(resource);
    return found.length === 1 ? found[0] : undefined;
  };
  return {
    noteRead: (resource, endpointId, state) => {
      const others = of(resource).found.filter((found) => found.endpointId !== endpointId);
      of(resource).found = state === undefined ? others : [...others, state];
    },
    noteChecked: (resource, checked) => (of(resource).checked = checked),
    noteNew: (resource, judgement) => {
      Object.assign(of(resource), { isNew: true, judgement });
    },
    noteDiff: (resource, { endpointId, replaces, judgement }) => {
      Object.assign(of(resource), { diffed: { endpointId, replaces }, judgement });
    },
    noteTaken: (resource, endpointId) => (of(resource).taken = endpointId),
    checkOf: (resource) => of(resource).checked,
    replacedBy: (resource) => {
      if (resource.id === undefined) return undefined;
      const { checked, diffed } = of(resource);
      const endpointId = diffed?.endpointId ?? foundCompute(resource)?.endpointId;
      if (checked === undefined && endpointId === undefined) return undefined;
      return { endpointId, isForced: endpointId !== undefined && diffed?.replaces !== true };
    },
    announced: (resource) => of(resource).judgement,
    hasTaken: (resource) => of(resource).taken !== undefined,
    keeps: (resource, endpointId) => {
      const { diffed, isNew, taken } = of(resource);
      return taken === endpointId || (diffed?.endpointId === endpointId && !diffed.replaces && !isNew);
    },
  };
}
