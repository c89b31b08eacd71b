/**
 * Refuses two Endpoints of one name in one program, one of each provider variant. A stack may move from one variant to
 * the other, so both find what was recorded of a create under the same name: the second would take over the compute of
 * the first.
 */
import * as pulumi from "@pulumi/pulumi";

/** The types by which a run has declared a name, below each parent. */
type DeclaredTypes = Map<pulumi.Resource | undefined, Map<string, string>>;

/** By run: several programs may run in one process. */
const declared = new WeakMap<object, DeclaredTypes>();

/** @throws Error if this run has declared an Endpoint of that name and parent with the other variant. */
export function refuseOtherVariant(type: string, name: string, parent: pulumi.Resource | undefined): void {
  const run = pulumi.runtime.getMonitor();
  if (run === undefined) return;
  const ofRun: DeclaredTypes =
    declared.get(run) ?? new Map<pulumi.Resource | undefined, Map<string, string>>();
  const names = ofRun.get(parent) ?? new Map<string, string>();
  declared.set(run, ofRun.set(parent, names));
  const other = names.get(name);
  if (other !== undefined && other !== type)
    throw new Error(
      `Two Endpoints are called "${name}", one from pulumi-compute-endpoint and one from ` +
        "pulumi-compute-endpoint/native: rename one of the two, because both keep their records under this name.",
    );
  names.set(name, type);
}
