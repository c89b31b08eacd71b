/**
 * `npm run build`, and before npm packs, also on a clone that was never built: bootstrap.js has built dist/ by now.
 */
export function run(): number {
  return 0;
}
