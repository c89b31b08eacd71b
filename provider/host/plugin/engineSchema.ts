/**
 * The schema as the engine gets it. Programs that the engine writes (`pulumi import`) import the package that the schema
 * names.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * In a project that has the npm package, TypeScript programs import `pulumi-compute-endpoint/native` from it. In every other
 * case they import a generated SDK, which has a name of its own: `pulumi-compute-endpoint/native` is not a valid npm package
 * name.
 *
 * @param schema - as the build writes it.
 * @param reader.project - set if the engine works on a project; absent for commands that read a plugin by its path, as
 * `package add` does.
 * @param reader.folders - the folder of that project or the one that `pulumi convert` writes to, and the plugin's own folder.
 */
export function schemaFor(
  schema: string,
  { project, folders }: { readonly project: string | undefined; readonly folders: readonly string[] },
): string {
  if (project === undefined || project === "" || !folders.some(hasPackage)) return schema;
  const parsed = JSON.parse(schema) as { readonly language?: object };
  const nodejs = { packageName: "pulumi-compute-endpoint/native" };
  return JSON.stringify({ ...parsed, language: { ...parsed.language, nodejs } });
}

function hasPackage(folder: string): boolean {
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-compute-endpoint/native");
    return true;
  } catch {
    return false;
  }
}
