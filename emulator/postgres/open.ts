import type { OpenHost } from "../computes/host";

/** Postgres as the host of computes: its seam comes first, the host follows. */
export function postgresHost({ stateFile }: { readonly stateFile: string | undefined }): OpenHost {
  return () =>
    Promise.reject(
      new Error(`no Postgres is looked for yet${stateFile === undefined ? "" : `, ${stateFile}`}`),
    );
}
