/**
 * The engine asks first whether a declaration is valid. It also asks the plugin for the preview of a create.
 */
import { withChoices } from "../model/errors";
import { plannedInputs } from "../model/inputs";
import type { Verdict } from "../model/notice";
import type { EngineDeclaration } from "../model/stored";
import { checkEndpoint, refuseAdoption, type CheckResult } from "../plan/check";
import { rowOn, sentenceOn } from "../plan/said";
import { failedReads, planServices, sinceImport } from "./planServices";
import { secretsOfEither, type Session } from "./session";

/** Both sides of a check. */
export interface CheckSides {
  /** The declaration in the state; undefined for a new resource and the new side of a replacement. */
  readonly before: EngineDeclaration | undefined;
  readonly declared: EngineDeclaration;
}

export interface Checked extends Pick<CheckResult, "inputs" | "failures" | "shown"> {
  /** The judgement of a new resource, since no diff follows. */
  readonly verdict?: Verdict | undefined;
}

export async function checkDeclaration(session: Session, { before, declared }: CheckSides): Promise<Checked> {
  const { args, hidden } = declared;
  const { run, redactOwn } = session;
  const { history } = run;
  const resource = session.resourceOf(hidden);
  if (resource.urn !== undefined) run.backend.declare(resource.urn);
  const replaces = before === undefined ? history.replacedBy(resource) : undefined;
  // Ask Pulumi's backend before the engine begins this create: from then on, the backend also lists this create as pending. For
  // a primary that replaces nothing, there is no need to ask: the service refuses a second primary.
  if (before === undefined && (args["type"] === "read_only" || replaces !== undefined))
    await session.askBackend(resource);
  const request = {
    stored: before && sinceImport(session, resource, { known: before.args, args }),
    inputs: args,
    resource: { ...resource, secrets: secretsOfEither(hidden, before?.hidden) },
    isPreview: hidden.isPreview,
    replaces,
  };
  const { inputs, shown, ...checked } = await checkEndpoint(request, planServices(session, resource));
  const { judgement, verdict, warnings = [] } = checked;
  const failures = checked.failures.map(({ property, reason }) => ({ property, reason: redactOwn(reason) }));
  if (before !== undefined) {
    const adoptLine = { before: before.args["adopt"], now: args["adopt"] };
    history.noteChecked(resource, { adoptLine, isPreview: hidden.isPreview, shown });
    return { inputs, failures, shown };
  }
  history.noteNew(resource, judgement);
  const row = judgement && rowOn(judgement);
  if (row !== undefined && hidden.isPreview) await resource.row.say("warning", row);
  const refusals = hidden.isPreview ? await failedReads(session, resource) : [];
  for (const warning of warnings) await resource.row.say("warning", warning);
  if (failures.length > 0 && run.backend.known() !== undefined) await session.nameOrphans(resource);
  return {
    inputs,
    // Remove secrets: a reason may quote the service, and the engine prints it unchanged.
    failures: [
      ...failures,
      ...refusals.map(({ message }) => ({ property: "", reason: withChoices(redactOwn(message)) })),
    ],
    // A replacement is checked twice, the second time without the old inputs: keep the sentence of the first check.
    shown: (judgement && sentenceOn(judgement)) ?? history.checkOf(resource)?.shown,
    verdict,
  };
}

/**
 * Judges an adoption again in the preview of a create: a policy pack may have changed the declaration since its check. The
 * engine asks only the plugin for such a preview.
 *
 * @throws ComputeError if `onInterruption` refuses the declared adoption.
 */
export async function previewCreate(session: Session, { args, hidden }: EngineDeclaration): Promise<void> {
  if (args["adopt"] === undefined) return;
  const resource = session.resourceOf(hidden);
  const plan = { inputs: plannedInputs(args), resource, isPreview: true };
  await refuseAdoption(plan, planServices(session, resource));
}
