/**
 * Asks the service about computes during a preview: only for changes that may interrupt and for new resources, once for all
 * computes of a project, and with a short time limit. A preview must not fail or become slow because it asks the service.
 */
import type { EndpointRef, EndpointsById } from "../service/client";
import type { ApiEndpoint } from "../service/schemas";
import type { Now } from "../model/interruption";
import { nowOf } from "../service/running";
import type { Clock } from "../clock";
import { ComputeError, isKind, isNotFound, messageOf } from "../model/errors";
import { listServesMs, previewReadMs, previewReadsAgainMs } from "../model/timing";
import type { ComputePlace } from "../model/inputs";
import { unreadableIn } from "../service/lists";
import type { ListComputes } from "../service/lists";
import { isAt } from "../model/state";

/** A compute as the service returns it, and what it is doing at this moment. */
export interface LiveCompute {
  readonly endpoint: ApiEndpoint;
  readonly now: Now;
}

/**
 * - `found`: the compute as it is.
 * - `missing`: the service knows the project, and it has no such compute.
 * - `unsure`: several computes fit, or the answer cannot be read.
 * - `unanswered`: the service did not answer in time, or refused the request.
 */
export type LiveRead =
  (LiveCompute & { readonly kind: "found" }) | { readonly kind: "missing" | "unsure" | "unanswered" };

/** What previews ask the service. */
export interface LiveReads {
  /** One compute of a project: by its id, or as the only one of its branch and type. */
  readonly readLive: (compute: EndpointRef | ComputePlace) => Promise<LiveRead>;
  /** The computes of a project; undefined if the service did not answer in time, or refused the request. */
  readonly listLive: (projectId: string) => Promise<EndpointsById | undefined>;
  /** A compute that a list has just shown, together with what it is doing. */
  readonly liveCompute: (endpoint: ApiEndpoint) => LiveCompute;
  /**
   * Wall time in milliseconds, for comparing with the service's timestamps. It is the service's own time if the service states
   * it, since this machine's clock may be hours off.
   */
  readonly serviceNow: () => number;
  /** Why the service did not list a project, for a preview; each cause is returned once in a process. */
  readonly takeFailures: () => readonly FailedRead[];
}

export interface FailedRead {
  readonly error: ComputeError;
  /**
   * True if the service refused to answer: it will refuse the update too. False if no answer came: the update may get an
   * answer.
   */
  readonly isRefusal: boolean;
}

const nothing = (): undefined => undefined;

/** @param askServiceTime - returns the service's time; undefined until an answer has stated it. */
export function createLiveReads(
  listComputes: ListComputes,
  clock: Clock,
  askServiceTime: () => number | undefined = nothing,
): LiveReads {
  const serviceNow = (): number => askServiceTime() ?? clock.now();
  const liveCompute = (endpoint: ApiEndpoint): LiveCompute => {
    return { endpoint, now: nowOf(endpoint, serviceNow()) };
  };
  const lateAtMs = new Map<string, number>();
  /** Each cause is reported once. */
  const causes = new Set<string>();
  const unsaid: FailedRead[] = [];
  const listLive: LiveReads["listLive"] = async (projectId) => {
    const late = lateAtMs.get(projectId);
    if (late !== undefined && clock.monotonicMs() - late < previewReadsAgainMs) return undefined;
    try {
      return await listComputes({ projectId }, { ageMs: listServesMs, answerMs: previewReadMs });
    } catch (error) {
      lateAtMs.set(projectId, clock.monotonicMs());
      const { cause, ...failure } = failureOf(projectId, error);
      if (!causes.has(cause)) unsaid.push(failure);
      causes.add(cause);
      return undefined;
    }
  };
  const readLive: LiveReads["readLive"] = async (compute) => {
    const endpoints = await listLive(compute.projectId);
    if (endpoints === undefined) return { kind: "unanswered" };
    const fitting = [...endpoints.values()].filter((endpoint) =>
      "endpointId" in compute ? endpoint.id === compute.endpointId : isAt(compute, endpoint),
    );
    const [only, ...more] = fitting;
    if (only === undefined) {
      const isUnsure =
        unreadableIn(endpoints, (id) => !("endpointId" in compute) || id === compute.endpointId) !==
        undefined;
      return { kind: isUnsure ? "unsure" : "missing" };
    }
    return more.length === 0 ? { kind: "found", ...liveCompute(only) } : { kind: "unsure" };
  };
  return {
    readLive,
    listLive,
    liveCompute,
    serviceNow,
    takeFailures: () => unsaid.splice(0),
  };
}

const refusedKey = "the service refuses the key";
const noProject = "the service finds no project";
const unanswered = "The service could not be asked";

/** What a preview says if the service does not list the compute. It replaces the notice of what the change would interrupt. */
export function unlistedNotice({ projectId, endpointId }: EndpointRef): string {
  return `The service does not list compute ${endpointId} in project ${projectId}. If somebody deleted it, this update will fail. Run \`pulumi refresh\`: the next \`pulumi up\` then creates it again.`;
}

function failureOf(projectId: string, error: unknown): FailedRead & { readonly cause: string } {
  // Only a 401 or 403 means that the key or the address may be wrong; other refusals do not.
  if (isKind(error, "refused") && error.problem.doubtsConnection === true)
    return { cause: error.problem.what, error: saidAs(refusedKey, error), isRefusal: true };
  // Only the service's own 404 says that there is no such project. A proxy's 404 does not count here.
  if (isNotFound(error)) {
    const doing = `${noProject} ${projectId}`;
    return { cause: doing, error: new ComputeError({ ...error.problem, doing }), isRefusal: true };
  }
  // An outage may be over before the update.
  return {
    cause: unanswered,
    error: saidAs(`${unanswered}, so the project's computes were not checked`, error),
    isRefusal: false,
  };
}

/** An error that begins with what it means for the preview. */
function saidAs(meaning: string, error: unknown): ComputeError {
  if (!(error instanceof ComputeError))
    return new ComputeError({
      doing: meaning,
      what: messageOf(error),
      fix: "Run the same command again",
      cause: error,
    });
  const { problem } = error;
  return new ComputeError({ ...problem, doing: `${meaning}: ${problem.doing}`, cause: error });
}
