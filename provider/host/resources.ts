/**
 * Names the resources of calls, and their stacks.
 */
import type { Resource } from "../run/resource";
import type { Held, Hidden, TimeLimited } from "../model/stored";
import { titleIn } from "../model/urns";
import type { EngineLog } from "./engineLog";

/** The resource of a call; its messages go to its own row. */
export function resourceOf(
  { urn, organization, secrets }: Hidden,
  { log, former, limitSeconds }: Pick<Held, "former"> & TimeLimited & { readonly log: EngineLog },
): Resource {
  const id = within(organization, urn);
  // Use the organisation from the state: plugins are not told one, so the id changes when a stack moves to the
  // plugin.
  const formerId = within(former?.organization, former?.urn);
  return {
    id,
    urn,
    formerId: formerId === id ? undefined : formerId,
    title: titleIn(urn ?? ""),
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

/**
 * The names of the stack for the option `--stack`. The full one is understood in any folder. Plugins are not told the
 * stack's organisation: the short name is understood in the program's folder, and backends without organisations have one
 * of a fixed name.
 */
export function stackNamesOf({
  urn = "",
  organization,
}: Pick<Hidden, "urn" | "organization">): readonly string[] {
  const [first = "", project = ""] = urn.split("::");
  const name = first.slice(first.lastIndexOf(":") + 1);
  if (organization !== undefined) return [`${organization}/${project}/${name}`];
  return [`organization/${project}/${name}`, name];
}

function within(organization: string | undefined, id: string | undefined): string | undefined {
  return id === undefined || organization === undefined ? id : `${organization}/${id}`;
}
