/**
 * Names the resources of calls, and their stacks.
 */
import type { Resource } from "../endpoint/resource";
import type { Held, Hidden, TimeLimited } from "../pure/stored";
import type { EngineLog } from "./engineLog";

/** The resource of a call; its messages go to its own row. */
export function resourceOf(
  { urn, organization, secrets }: Hidden,
  { log, former, limitSeconds }: Pick<Held, "former"> & TimeLimited & { readonly log: EngineLog },
): Resource {
  const [, , , ...name] = (urn ?? "").split("::");
  const id = within(organization, urn);
  // Use the organisation from the state: plugins are not told one, so the id changes when a stack moves to the
  // plugin.
  const formerId = within(former?.organization, former?.urn);
  return {
    id,
    urn,
    formerId: formerId === id ? undefined : formerId,
    stackId: stackIdOf({ urn, organization }),
    formerStackId: former === undefined ? undefined : stackIdOf(former),
    title: name.join("::"),
    secrets,
    limitSeconds,
    row: {
      say: (severity, message) => log.say(urn, severity, message),
      progress: (message) => {
        log.progress(urn, message);
      },
    },
  };
}

function stackIdOf({ urn, organization }: Pick<Hidden, "urn" | "organization">): string | undefined {
  const [stack, project] = (urn ?? "").split("::");
  return within(organization, urn === undefined ? undefined : `${stack ?? ""}::${project ?? ""}`);
}

/**
 * The name of the stack for the option `--stack`, which is understood in any folder.
 *
 * @param hasOrganizations - whether the backend has several. Plugins are not told the stack's: then the name is the short
 * one, which is understood in the program's folder.
 */
export function stackNameOf(
  { urn = "", organization }: Pick<Hidden, "urn" | "organization">,
  hasOrganizations: boolean,
): string {
  const [first = "", project = ""] = urn.split("::");
  const name = first.slice(first.lastIndexOf(":") + 1);
  if (organization === undefined && hasOrganizations) return name;
  return `${organization ?? "organization"}/${project}/${name}`;
}

function within(organization: string | undefined, id: string | undefined): string | undefined {
  return id === undefined || organization === undefined ? id : `${organization}/${id}`;
}
