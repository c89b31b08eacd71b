/**
 * Makes a server that speaks S3, in the cache: `node --require ts-node/register prepareS3.ts`. Prints JSON.
 */
import { pythonOf, virtualenvWith } from "../../support/preparing";

/** On PyPI, looked after, without anything to compile: what many projects test their own use of S3 with. */
const packages = ["moto[s3]==5.2.5", "flask>=3,<4", "flask-cors>=6,<7"];

/** What only a machine without these programs, or without PyPI in reach, says. Any other failure is ours. */
const lacking = /^there is no /;

async function prepare(): Promise<Record<string, string>> {
  try {
    return { python: pythonOf(await virtualenvWith(packages, "s3")) };
  } catch (error) {
    if (!(error instanceof Error) || !lacking.test(error.message)) throw error;
    return { missing: error.message.split("\n")[0] ?? "" };
  }
}

void prepare().then((prepared) => {
  console.log(JSON.stringify(prepared));
});
