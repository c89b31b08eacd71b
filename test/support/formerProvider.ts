/** The text that states had as `__provider` before `sdk/remote.ts` shortened it. Such states must stay usable. */
export const formerProvider =
  'exports.handler=()=>{const{createRequire:c}=require("module"),m="pulumi-compute-endpoint/provider";' +
  'for(const p of[process.cwd()+"/",process.argv[1]]){const r=c(p);try{r.resolve(m)}catch{continue}return r(m).endpoint}' +
  'const e=Error("add pulumi-compute-endpoint to the program\'s package.json and run `npm install`");e.stack="";throw e}';
