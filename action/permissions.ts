/**
 * Who allowed what `fail-on` refuses, and whose word does not count.
 *
 * A label is anybody's who may triage, and stays when something else is pushed. So it counts only where somebody else
 * than the author and the pusher set it, who may write to the repository, and after the preview that it is about began.
 */
import * as z from "zod";
import type { Permission } from "../preview/judge/failures";
import type { GitHub } from "./github";
import type { Grant, ActionInputs } from "./inputs";
import type { Previewing, Sibling, Subject } from "./subject";

export interface PermissionDecision {
  readonly permissions: readonly Permission[];
  /** Words that do not count, and why. */
  readonly objections: readonly Objection[];
}

export interface Objection {
  readonly kind: "label" | "approval";
  /** Of the label, or of the environment. */
  readonly name: string;
  readonly by: string;
  readonly reason: string;
}

/** A subject whose previews another run made. */
export type Reviewed = Subject & {
  readonly previewing: Previewing;
  readonly siblings: readonly Sibling[];
};

interface Word extends Objection {
  readonly grant: Grant;
}

const actor = z.looseObject({ login: z.string(), type: z.string().optional() });
const labelEvent = z.looseObject({
  event: z.string(),
  actor: actor.nullish(),
  created_at: z.string(),
  label: z.looseObject({ name: z.string() }).optional(),
});

/** @param runId - of this run, whose environments were approved; undefined where approvals do not count. */
export async function decisionOn(
  subject: Reviewed,
  { labels, environments }: Pick<ActionInputs, "labels" | "environments">,
  { github, runId }: { readonly github: GitHub; readonly runId: string | undefined },
): Promise<PermissionDecision> {
  const words = [
    ...(await labelWords(subject, labels, github)),
    ...(environments.length === 0 || runId === undefined
      ? []
      : await approvalWords(subject, environments, { github, runId })),
  ];
  return {
    permissions: words
      .filter(({ reason }) => reason === "")
      .map(({ by, grant }) => ({ by, kinds: grant.kinds })),
    objections: words
      .filter(({ reason }) => reason !== "")
      .map(({ kind, name, by, reason }) => ({ kind, name, by, reason })),
  };
}

async function labelWords(
  subject: Reviewed,
  labels: readonly Grant[],
  github: GitHub,
): Promise<readonly Word[]> {
  if (labels.length === 0) return [];
  const route = `issues/${subject.number}`;
  const present = z
    .looseObject({ labels: z.array(z.looseObject({ name: z.string() })) })
    .parse(await github.get(route)).labels;
  const set = labels.filter(({ name }) => present.some((label) => isSame(label.name, name)));
  if (set.length === 0) return [];
  const events = z.array(labelEvent).parse(await github.list(`${route}/events`));
  return Promise.all(
    set.map(async (grant) => {
      const last = events.findLast(
        ({ event, label }) => event === "labeled" && label !== undefined && isSame(label.name, grant.name),
      );
      const reason = await objectionTo(last, subject, github);
      return {
        grant,
        kind: "label" as const,
        name: grant.name,
        by: last?.actor?.login ?? "nobody known",
        reason,
      };
    }),
  );
}

/** Empty where there is none. */
async function objectionTo(
  event: z.infer<typeof labelEvent> | undefined,
  subject: Reviewed,
  github: GitHub,
): Promise<string> {
  const setter = event?.actor;
  if (event === undefined || !setter) return "nobody knows who set it";
  if (setter.type !== undefined && setter.type !== "User") return "it was set by a program";
  const reason = objectionToPerson(setter.login, subject);
  if (reason !== "") return reason;
  if (!(Date.parse(event.created_at) > subject.previewing.startedMs))
    return "it was set before this preview; take it off, and set it again";
  return (await mayWrite(setter.login, github)) ? "" : "they may not write to this repository";
}

function objectionToPerson(login: string, { author, siblings, previewing }: Reviewed): string {
  if (isSame(login, author)) return "they opened this pull request";
  if (previewing.actors.some((name) => isSame(name, login)))
    return "they pushed what is previewed, or ran it again";
  if (siblings.length > 0)
    return `the same revision is in ${siblings.map(({ number }) => `#${number}`).join(", ")} as well`;
  return "";
}

async function mayWrite(login: string, github: GitHub): Promise<boolean> {
  const answer = await github.get(`collaborators/${encodeURIComponent(login)}/permission`);
  const { permission } = z.looseObject({ permission: z.string() }).parse(answer);
  return permission === "admin" || permission === "write";
}

const approval = z.looseObject({
  state: z.string(),
  user: actor,
  environments: z.array(z.looseObject({ name: z.string() })),
});

/** An environment's own rules say who may approve; an approval is about this run, and so about one preview. */
async function approvalWords(
  subject: Reviewed,
  environments: readonly Grant[],
  { github, runId }: { readonly github: GitHub; readonly runId: string },
): Promise<readonly Word[]> {
  const approvals = z.array(approval).parse(await github.get(`actions/runs/${runId}/approvals`));
  return environments.flatMap((grant) =>
    approvals
      .filter(
        ({ state, environments: of }) =>
          state === "approved" && of.some(({ name }) => isSame(name, grant.name)),
      )
      .map(({ user }) => ({
        grant,
        kind: "approval" as const,
        name: grant.name,
        by: user.login,
        reason: objectionToPerson(user.login, subject),
      })),
  );
}

/** GitHub tells no two names apart by their case. */
function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
