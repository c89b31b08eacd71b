/**
 * `npm run picture -- NAME`: takes a picture of docs/images/ again. The programs run in the folder of the checkout.
 */
const programs = { comment: "comment", console: "console", demo: "demo", terraform: "comment" };

const program = programs[process.argv[2]];
if (program !== undefined) await import(`./${program}.mjs`);
else {
  console.error(`Usage: npm run picture -- NAME\nNAME is one of ${Object.keys(programs).join(", ")}.`);
  process.exitCode = 1;
}
