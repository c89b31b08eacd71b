/**
 * What other resources do to the computes around them, according to the service's own pages. A resource or an attribute that this
 * table does not have is judged as before. docs/terraform.md shows the table.
 *
 * Branches and projects that are deleted with their computes are in `table.ts`. The service's pages name further operations that
 * interrupt computes, but no provider carries them out: to reset a role's password, and to finish a restore.
 */
import { isReplacement, type PreviewStep } from "../read/steps";
import { typeOf } from "../read/urn";
import { camelCase, readableText } from "../read/values";
import type { Holder, TranslatedStep } from "./peer";
import { holderOf, valueAt } from "./table";

/** A resource that interrupts computes around it. */
interface Neighbour {
  readonly types: readonly string[];
  /** What happens to the resource, for the page. */
  readonly action: string;
  /** The attribute whose change interrupts them; absent if the resource itself does. */
  readonly attribute?: RegExp;
  /** The new values that interrupt them; absent if any change does. */
  readonly to?: readonly unknown[];
  /** Whether an update of the resource interrupts them as well as its creation does. */
  readonly alsoUpdated?: true;
  readonly whose: Holder;
  readonly certain: boolean;
  /** What it does, as a clause about one of the computes. */
  readonly says: string;
  /** Where the service says so, for the page. */
  readonly source: string;
}

const roles = ["neon_role", "neon:index/role:Role"];
const projects = ["neon_project", "neon:index/project:Project"];
const restrictions = [
  "neon_vpc_endpoint_restriction",
  "neon:index/vpcEndpointRestriction:VpcEndpointRestriction",
];
/** Providers spell a switch in three ways. */
const on = [true, "true", "yes"];

export const neighbours: readonly Neighbour[] = [
  {
    types: roles,
    action: "is created, also as the replacement of another",
    whose: "branch",
    certain: false,
    says: "a role is created on its branch",
    source:
      "`createProjectBranchRole`: connections will be dropped; " +
      "[a change of 2023](https://neon.com/docs/changelog/2023-02-24): the compute stays active",
  },
  {
    types: projects,
    action: "logical replication is enabled",
    attribute: /^(?:settings\.)?enableLogicalReplication$/,
    to: on,
    whose: "project",
    certain: true,
    says: "logical replication is enabled, which restarts all computes of the project",
    source: "`enable_logical_replication`: all active computes are suspended",
  },
  {
    types: projects,
    action: "HIPAA is enabled",
    attribute: /^(?:settings\.)?hipaa(?:Enabled)?$/,
    to: on,
    whose: "project",
    certain: true,
    says: "HIPAA is enabled, which restarts all computes of the project",
    source: "[HIPAA](https://neon.com/docs/security/hipaa): all computes restart",
  },
  {
    types: projects,
    action: "connections from the internet or from VPCs are blocked",
    attribute: /^(?:settings\.)?block(?:Public|Vpc)Connections$/,
    to: on,
    whose: "project",
    certain: false,
    says: "the project blocks connections, which may shut its clients out",
    source: "`block_public_connections`, `block_vpc_connections`: disallowed",
  },
  {
    types: projects,
    action: "the allowed addresses change",
    attribute: /^(?:settings\.)?allowedIps/,
    whose: "project",
    certain: false,
    says: "the project's allowed addresses change, which may shut its clients out",
    source: "`allowed_ips`: others are refused; of open connections it says nothing",
  },
  {
    types: restrictions,
    action: "is created or changed",
    alsoUpdated: true,
    whose: "project",
    certain: false,
    says: "the project accepts connections from a VPC only, which may shut its clients out",
    source: "`assignProjectVpcEndpoint`: only connections from that VPC",
  },
];

/** An interruption of the computes of a branch or of a project by another resource. */
export interface Disturbance {
  /** The resource that causes it. */
  readonly urn: string;
  readonly op: string;
  readonly whose: Holder;
  /** Undefined if only the apply knows. */
  readonly projectId: string | undefined;
  /** Undefined for all computes of a project, or if only the apply knows. */
  readonly branchId: string | undefined;
  readonly certain: boolean;
  readonly says: string;
}

/** What the resources of a plan do to the computes around them. */
export function disturbancesIn(steps: readonly TranslatedStep[]): readonly Disturbance[] {
  const isOnNew = createsPlace(steps);
  return steps.flatMap((step) =>
    neighbours
      .filter((neighbour) => doesDisturb(step, neighbour))
      .map(({ whose, certain, says }) => ({
        urn: step.urn,
        op: step.op,
        whose,
        certain,
        says,
        ...placeOf(step, whose),
      }))
      .filter(({ whose, projectId, branchId }) => {
        const isKnown = (whose === "branch" ? branchId : projectId) !== undefined;
        return isKnown || !isOnNew;
      }),
  );
}

/** True if the effect of an attribute's change on the computes around it is known. */
export function isOfNeighbour(path: string, step: TranslatedStep): boolean {
  return neighbours.some(
    (neighbour) => neighbour.types.includes(typeOf(step.urn) ?? "") && isAttributeOf(path, neighbour, step),
  );
}

/** True if the computes around a resource depend on the value at a path, in camelCase. */
export function isReadAround(path: string): boolean {
  return neighbours.some(({ attribute, to }) => to !== undefined && attribute?.test(path) === true);
}

function doesDisturb(step: TranslatedStep, neighbour: Neighbour): boolean {
  const { op, urn, differing = [] } = step;
  const { types, attribute, alsoUpdated } = neighbour;
  if (!types.includes(typeOf(urn) ?? "")) return false;
  if (attribute !== undefined)
    return op === "update" && differing.some((path) => isAttributeOf(path, neighbour, step));
  return op === "create" || isReplacement(step) || (op === "update" && alsoUpdated === true);
}

function isAttributeOf(path: string, { attribute, to }: Neighbour, { after }: PreviewStep): boolean {
  const name = camelCase(path);
  if (attribute?.test(name) !== true) return false;
  return to === undefined || to.includes(valueAt(after?.inputs, name));
}

function placeOf({ before, after }: PreviewStep, whose: Holder): Pick<Disturbance, "projectId" | "branchId"> {
  const at = (name: string): string | undefined => readableText(valueAt(after?.inputs ?? {}, name));
  const projectId = at("projectId");
  if (whose === "branch") return { projectId, branchId: at("branchId") };
  return { projectId: projectId ?? readableText(before?.id), branchId: undefined };
}

/** Whether the same plan creates a branch or a project: what only the apply knows of a place may be there. */
function createsPlace(steps: readonly TranslatedStep[]): boolean {
  return steps.some(({ op, urn }) => op === "create" && holderOf(typeOf(urn)) !== undefined);
}
