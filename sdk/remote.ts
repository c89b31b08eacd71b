/**
 * The text that every state of an Endpoint contains as `__provider`: it lets Pulumi's dynamic provider process find
 * this package.
 *
 * The text is written by hand, not made by closure serialisation. It never changes with our code, so an upgrade shows no diff,
 * and refresh and delete run the installed version. The engine stores it twice for each resource, so it is short. It prefers
 * the program's folder: in the SDK's folder, a strict package manager may resolve the name to another package's dependency. If
 * neither folder has the package, the error is one sentence. It uses single quotes, since JSON would escape double quotes.
 */
export const remoteProvider =
  "exports.handler=()=>{let n='pulumi-compute-endpoint',f;for(let p of[process.argv[1],process.cwd()+'/'])" +
  "try{f=require('module').createRequire(p).resolve(n+'/provider')}catch{}" +
  "if(f)return require(f).endpoint;let e=Error(`${n} is missing: run npm install ${n}`);e.stack='';throw e}";
