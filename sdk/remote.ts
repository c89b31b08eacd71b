/**
 * The text that every state of an Endpoint contains as `__provider`: with it, Pulumi's dynamic provider process finds
 * this package.
 *
 * Written by hand, not by closure serialisation: it never changes with our code, so an upgrade shows no diff, and
 * refresh and delete run the installed version. The engine stores it twice for each resource, so it is short. It prefers
 * the program's folder to the SDK's, where strict package managers keep the dependencies of other packages. If neither
 * has the package, its error is one sentence. Single quotes: JSON escapes the others.
 */
export const remoteProvider =
  "exports.handler=()=>{let n='pulumi-compute-endpoint',f;for(let p of[process.argv[1],process.cwd()+'/'])" +
  "try{f=require('module').createRequire(p).resolve(n+'/provider')}catch{}" +
  "if(f)return require(f).endpoint;let e=Error(`${n} is missing: run npm install ${n}`);e.stack='';throw e}";
