/**
 * Notes about computes that a resource took over from another with `adopt`. The other may still have the compute in
 * its state, and must not delete it: in a run without diffs, only the note tells it.
 */
import { join } from "node:path";
import * as z from "zod";
import type { EndpointRef } from "../api/client";
import { hashOf, readOwn, remove, writeFlushed } from "./flushedFile";

export interface Takeovers {
  /** @param givers - resources that are known to have had it before; often unknown. */
  note(ref: EndpointRef, resourceId: string, givers?: readonly string[]): Promise<void>;
  /**
   * The file of a note that says that this resource gave the compute up to another one.
   *
   * @param names - its URN in this run, and the URN in its state if it was renamed since.
   */
  byAnother(ref: EndpointRef, names: readonly (string | undefined)[]): Promise<string | undefined>;
  /** The file of any note about a takeover of this compute. */
  of(ref: EndpointRef): Promise<string | undefined>;
  /** Adds another name of a resource, current or future. */
  addName(ref: EndpointRef, names: { readonly known: string; readonly also: string }): Promise<void>;
  clear(ref: EndpointRef): Promise<void>;
}

const takeoverSchema = z.object({
  endpointId: z.string(),
  holder: z.array(z.string()),
  /** The resources that gave it up; if missing, any resource but the holder may have. */
  givers: z.array(z.string()).optional(),
});

type Takeover = z.infer<typeof takeoverSchema>;

/** One file per compute, with hashes for the project and the resources. */
export function noteTakeovers(folder: string, baseUrl: string): Takeovers {
  const fileOf = ({ projectId, endpointId }: EndpointRef): string =>
    `${hashOf([baseUrl, projectId, endpointId])}.takeover`;
  const noteOf = async (ref: EndpointRef): Promise<Takeover | undefined> => {
    try {
      const note = takeoverSchema.parse(await readOwn(folder, fileOf(ref)));
      return note.endpointId === ref.endpointId ? note : undefined;
    } catch {
      // A missing or unreadable note counts as lost. In a run without `--target`, the diffs give the same
      // information.
      return undefined;
    }
  };
  return {
    note: (ref, resourceId, givers = []) =>
      writeFlushed(folder, fileOf(ref), {
        endpointId: ref.endpointId,
        holder: [hashOf([resourceId])],
        ...(givers.length === 0 ? {} : { givers: givers.map((giver) => hashOf([giver])) }),
      } satisfies Takeover),
    byAnother: async (ref, names) => {
      const note = await noteOf(ref);
      const isIn = (hashes: readonly string[]): boolean =>
        names.some((name) => name !== undefined && hashes.includes(hashOf([name])));
      const gaveUp =
        note !== undefined && !isIn(note.holder) && (note.givers === undefined || isIn(note.givers));
      return gaveUp ? join(folder, fileOf(ref)) : undefined;
    },
    of: async (ref) => ((await noteOf(ref)) === undefined ? undefined : join(folder, fileOf(ref))),
    addName: async (ref, { known, also }) => {
      const note = await noteOf(ref);
      if (note?.holder.includes(hashOf([known])) !== true || note.holder.includes(hashOf([also]))) return;
      await writeFlushed(folder, fileOf(ref), { ...note, holder: [...note.holder, hashOf([also])] });
    },
    clear: (ref) => remove(folder, fileOf(ref)).catch(() => undefined),
  };
}
