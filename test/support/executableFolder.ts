/** Makes the plugin's executable for this machine, in the cache: `node --require ts-node/register executableFolder.ts`. Prints JSON. */
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";
import { digest, once } from "../../tools/languages/once";
import { makeExecutables } from "../../tools/release/executables";
import { ownPlatform } from "../../tools/release/node";
import { executableSources } from "./executable";

async function prepare(): Promise<string> {
  if (ownPlatform === undefined) throw new Error(`no executable for ${process.platform} ${process.arch}`);
  const platforms = [ownPlatform];
  const plugin = path.join(checkoutFolder, "dist/plugin");
  const name = `executable-${digest(...executableSources(plugin))}`;
  return path.join(await once(name, (folder) => makeExecutables({ plugin, platforms, folder })), ownPlatform);
}

void prepare().then((folder) => {
  console.log(JSON.stringify({ folder }));
});
