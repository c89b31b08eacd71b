/** Names and values of a service that steer a terminal, or hide what a program does. */
import { emptyStack } from "../../../import/exportedStack";
import { sortOut } from "../../../import/found";
import { tableOf } from "../../../import/table";
import { toImportFile, toProgram } from "../../../import/written";
import type { EndpointFacts } from "../../../provider/facts";
import { readConfig } from "../../../provider/settings/config";

const steered: EndpointFacts = {
  endpointId: "ep-a-\u001b[2J\u202eb",
  projectId: "shy-sun-1",
  branchId: "br-odd-river-22222222",
  type: "read_only",
  poolerMode: "a\u202eb\u2028c\u{e0041}",
};

it.each(["plugin", "dynamic"] as const)("are written out, in the table and in the file: %s", (variant) => {
  const options = { variant, branchIds: [], branchNames: new Map<string, string>() };
  const config = readConfig(() => undefined, {});
  const found = sortOut([steered], { options, config, stack: emptyStack });
  const table = tableOf("shy-sun-1", found);
  const file =
    variant === "dynamic" ? toProgram("shy-sun-1", found.computes) : toImportFile(found.computes, "1");
  expect(`${table}${file}`).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(table).toContain("replica-\\u{001b}[2J\\u{202e}b");
  expect(file).toContain("ep-a-\\u001b[2J\\u202eb");
});
