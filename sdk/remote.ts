/**
 * What every state of an Endpoint carries as `__provider`: the text with which Pulumi's dynamic provider
 * process finds this package.
 *
 * Written by hand, not by closure serialisation: it never changes with our code, so an upgrade shows no diff,
 * and refresh and delete run the installed version. It looks from the program's folder first; failing that
 * from the SDK's, where strict package managers keep what another package depends on.
 */
export const remoteProvider =
  'exports.handler=()=>{const{createRequire:c}=require("module"),m="pulumi-compute-endpoint/provider";' +
  'let r=c(process.cwd()+"/");try{r.resolve(m)}catch{r=c(process.argv[1])}return r(m).endpoint}';
