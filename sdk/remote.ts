/**
 * The text that every state of an Endpoint contains as `__provider`: with it, Pulumi's dynamic provider process finds
 * this package.
 *
 * Written by hand, not by closure serialisation: it never changes with our code, so an upgrade shows no diff, and
 * refresh and delete run the installed version. It searches the program's folder first, and then the SDK's, where
 * strict package managers keep the dependencies of other packages. If neither has it, its error is one sentence.
 */
export const remoteProvider =
  'exports.handler=()=>{const{createRequire:c}=require("module"),m="pulumi-compute-endpoint/provider";' +
  'for(const p of[process.cwd()+"/",process.argv[1]]){const r=c(p);try{r.resolve(m)}catch{continue}return r(m).endpoint}' +
  'const e=Error("add pulumi-compute-endpoint to the program\'s package.json and run `npm install`");e.stack="";throw e}';
