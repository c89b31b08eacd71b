/** Plans of a part, and of what happened outside. */
import {
  app,
  both,
  compute,
  fixed,
  harmless,
  later,
  plain,
  restarts,
  suspendAfter,
  upstream,
} from "../declarations";
import type { Row } from "./row";

const slower = app(fixed(1) + suspendAfter(600)) + compute("blog", fixed(2));
const larger = app(fixed(2) + suspendAfter(300)) + compute("blog", fixed(2));
const resized = { "ep-app": { autoscaling_limit_max_cu: 4 } };
const gone = { "ep-app": null };

export const parts: readonly Row[] = [
  {
    reason: "a harmless target",
    from: both,
    to: slower,
    options: ["-target=neon_endpoint.app"],
    code: 0,
    says: [harmless],
  },
  {
    reason: "a target that restarts",
    from: both,
    to: larger,
    options: ["-target=neon_endpoint.app"],
    code: 24,
    says: [restarts],
  },
  {
    reason: "all but one",
    from: both,
    to: slower,
    options: ["-exclude=neon_endpoint.blog"],
    by: /tofu/,
    code: 0,
    says: [harmless],
  },
  {
    reason: "a refresh that finds another size",
    from: plain,
    to: plain,
    options: ["-refresh-only"],
    service: resized,
    code: 0,
    says: ["neon_endpoint.app: drift, no"],
  },
  {
    reason: "a refresh that finds a compute gone",
    from: plain,
    to: plain,
    options: ["-refresh-only"],
    service: gone,
    code: 0,
    says: ["neon_endpoint.app: gone, no"],
  },
  {
    reason: "a refresh that finds nothing",
    from: plain,
    to: plain,
    options: ["-refresh-only"],
    code: 0,
    says: [],
  },
  {
    reason: "a size that was changed outside, undone",
    from: plain,
    to: plain,
    service: resized,
    code: 24,
    says: [restarts],
  },
  {
    reason: "a compute that was deleted outside, made again",
    from: plain,
    to: plain,
    service: gone,
    code: 0,
    says: ["neon_endpoint.app: create, no"],
  },
  {
    reason: "computes that are left for a later plan",
    from: upstream(1) + both,
    to: upstream(2) + both.replace('"blog" {\n', `"blog" {\ncount = ${later}\n`),
    options: ["-allow-deferral"],
    by: /terraform/,
    code: 6,
    says: ["neon_endpoint.blog[*]: interrupt, may", "not known: neon_endpoint.blog[*]"],
  },
];
