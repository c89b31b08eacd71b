/**
 * Notes of computes that a resource took over from another with `adopt`. The other may still have the compute in its
 * state, and must not delete it: in a run that asks for no diff, nothing but the note says so.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { EndpointRef } from "../api/client";
import { hashOf, writeFlushed } from "./flushedFile";

export interface Takeovers {
  note(ref: EndpointRef, resourceId: string): Promise<void>;
  /** The file of a note that names another resource than this one. */
  byAnother(ref: EndpointRef, resourceId: string | undefined): Promise<string | undefined>;
  /** A resource has, or is about to have, another name as well. */
  addName(ref: EndpointRef, names: { readonly known: string; readonly also: string }): Promise<void>;
  clear(ref: EndpointRef): Promise<void>;
}

const takeoverSchema = z.object({ endpointId: z.string(), holder: z.array(z.string()) });

/** A file per compute, with hashes for the project and the resource. */
export function noteTakeovers(folder: string, baseUrl: string): Takeovers {
  const fileOf = (ref: EndpointRef): string => `${hashOf([baseUrl, ref.projectId, ref.endpointId])}.takeover`;
  const holderIn = async (ref: EndpointRef): Promise<readonly string[]> => {
    try {
      return takeoverSchema.parse(JSON.parse(await readFile(join(folder, fileOf(ref)), "utf8"))).holder;
    } catch {
      // Missing or unreadable: as good as lost. The diffs of a run without `--target` know as much.
      return [];
    }
  };
  const write = ({ projectId, endpointId }: EndpointRef, holder: readonly string[]): Promise<void> =>
    writeFlushed(folder, fileOf({ projectId, endpointId }), { endpointId, holder });
  return {
    note: (ref, resourceId) => write(ref, [hashOf([resourceId])]),
    byAnother: async (ref, resourceId) => {
      const holder = await holderIn(ref);
      return holder.length === 0 || holder.includes(hashOf([resourceId]))
        ? undefined
        : join(folder, fileOf(ref));
    },
    addName: async (ref, { known, also }) => {
      const holder = await holderIn(ref);
      if (holder.includes(hashOf([known])) && !holder.includes(hashOf([also])))
        await write(ref, [...holder, hashOf([also])]);
    },
    clear: (ref) => rm(join(folder, fileOf(ref)), { force: true }).catch(() => undefined),
  };
}
