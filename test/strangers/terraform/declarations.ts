/** Parts of configurations that rows are made of. */
export const resource = (type: string, name: string, settings: string): string =>
  `resource "${type}" "${name}" {\n${settings}\n}\n`;
export const block = (name: string, settings: string): string => `${name} {\n${settings}}\n`;
export const range = (least: number | string, most: number | string): string =>
  `autoscaling_limit_min_cu = ${least}\nautoscaling_limit_max_cu = ${most}\n`;
export const fixed = (cu: number | string): string => range(cu, cu);
export const suspendAfter = (seconds: number): string => `suspend_timeout_seconds = ${seconds}\n`;

/** A compute of the branch with its name. */
export const compute = (name: string, settings: string): string =>
  resource("neon_endpoint", name, `project_id = "shop"\nbranch_id = "br-${name}"\n${settings}`);
export const app = (settings: string): string => compute("app", settings);

/** What most rows begin with: one compute, or two. */
export const plain = app(fixed(1) + suspendAfter(300));
export const both = plain + compute("blog", fixed(1));

/** Another resource, whose output is known only after it has been applied. */
export const upstream = (value: number): string => resource("terraform_data", "later", `input = ${value}`);
export const later = "terraform_data.later.output";

export const project = (settings: string): string =>
  resource("neon_project", "shop", `name = "shop"\n${settings}`);
export const primary = (least: number, most: number): string => block("primary_compute", range(least, most));

export const restarts = "neon_endpoint.app: restart, yes";
export const harmless = "neon_endpoint.app: none, no";
