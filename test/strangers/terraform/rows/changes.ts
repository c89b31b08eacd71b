/** What changes one compute. */
import {
  app,
  both,
  compute,
  fixed,
  harmless,
  later,
  plain,
  range,
  restarts,
  suspendAfter,
  unknownApp,
  upstream,
} from "../declarations";
import type { Row } from "./row";

const memory = (value: string): string => `pg_settings = { work_mem = "${value}" }\n`;
const secretMemory = (value: string): string =>
  `variable "memory" {\ntype = string\nsensitive = true\ndefault = "${value}"\n}\n` +
  app(`${fixed(1)}pg_settings = { work_mem = var.memory }`);
const provisioner = (name: string): string => `compute_provisioner = ${name}\n`;

export const changes: readonly Row[] = [
  { reason: "nothing", from: plain, to: plain, code: 0, says: [] },
  { reason: "a size", from: plain, to: app(fixed(2) + suspendAfter(300)), code: 24, says: [restarts] },
  {
    reason: "the autosuspend delay",
    from: plain,
    to: app(fixed(1) + suspendAfter(600)),
    code: 0,
    says: [harmless],
  },
  {
    reason: "the name",
    from: plain,
    to: app(`name = "main"\n${fixed(1)}${suspendAfter(300)}`),
    code: 0,
    says: [harmless],
  },
  {
    reason: "disabled",
    from: plain,
    to: app(`${fixed(1)}${suspendAfter(300)}disabled = true\n`),
    code: 23,
    says: ["neon_endpoint.app: suspend, yes"],
  },
  {
    reason: "an attribute of which the service says nothing, beside a harmless one",
    from: plain,
    to: app(fixed(1) + suspendAfter(600) + provisioner('"k8s-neonvm"')),
    code: 6,
    says: unknownApp("compute_provisioner"),
  },
  {
    reason: "a Postgres setting that is taken away, beside a harmless one",
    from: app(fixed(1) + suspendAfter(300) + memory("8MB")),
    to: app(fixed(1) + suspendAfter(600)),
    code: 6,
    says: unknownApp("pg_settings.work_mem"),
  },
  {
    reason: "a Postgres setting that is a secret before and after, and differs",
    from: secretMemory("8MB"),
    to: secretMemory("9MB"),
    code: 6,
    says: unknownApp("pg_settings.work_mem"),
  },
  {
    reason: "a secret that stays the same, beside a harmless change",
    from: secretMemory("8MB"),
    to: secretMemory("8MB").replace(fixed(1), fixed(1) + suspendAfter(600)),
    code: 0,
    says: [harmless],
  },
  {
    reason: "a size that is known after apply",
    from: upstream(1) + app(fixed(later)),
    to: upstream(2) + app(fixed(later)),
    code: 6,
    says: [
      "neon_endpoint.app: restart, may",
      "not known: neon_endpoint.app: autoscaling_limit_max_cu, autoscaling_limit_min_cu",
    ],
  },
  {
    reason: "an autosuspend delay that is known after apply",
    from: upstream(300) + app(fixed(1) + suspendAfter(later)),
    to: upstream(600) + app(fixed(1) + suspendAfter(later)),
    code: 0,
    says: [harmless],
  },
  {
    reason: "an attribute of which the service says nothing, known after apply, beside a harmless one",
    from: upstream(8) + app(fixed(1) + suspendAfter(300) + provisioner(later)),
    to: upstream(9) + app(fixed(1) + suspendAfter(600) + provisioner(later)),
    code: 6,
    says: unknownApp("compute_provisioner"),
  },
  {
    reason: "limits that the provider refuses: the plan ends in its middle",
    from: both,
    to: app(range(4, 1)) + compute("blog", fixed(2)),
    code: 4,
    says: ["neon_endpoint.blog: restart, yes"],
  },
];
