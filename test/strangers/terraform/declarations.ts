/** Declarations in Terraform's language, as short as a row of a table needs them. */

export function resource(type: string, name: string, settings: string): string {
  return `resource "${type}" "${name}" {\n${settings}\n}\n`;
}

/** @param cu - a number, or an expression. */
export function fixed(cu: number | string): string {
  return `autoscaling_limit_min_cu = ${cu}\nautoscaling_limit_max_cu = ${cu}\n`;
}

export function range(least: number, most: number): string {
  return `autoscaling_limit_min_cu = ${least}\nautoscaling_limit_max_cu = ${most}\n`;
}

/** @param seconds - a number, or an expression. */
export function suspendAfter(seconds: number | string): string {
  return `suspend_timeout_seconds = ${seconds}\n`;
}

/** A compute of the branch with its name. */
export function compute(name: string, settings: string): string {
  return resource("neon_endpoint", name, `project_id = "shop"\nbranch_id = "br-${name}"\n${settings}`);
}

export function app(settings: string): string {
  return compute("app", settings);
}

/** What most rows begin with: one compute, or two. */
export const plain = app(fixed(1) + suspendAfter(300));
export const both = plain + compute("blog", fixed(1));

/** Another resource, whose output is known only after it has been applied. */
export function upstream(value: number): string {
  return resource("terraform_data", "later", `input = ${value}`);
}
export const later = "terraform_data.later.output";

export function project(settings: string): string {
  return resource("neon_project", "shop", `name = "shop"\n${settings}`);
}

export function block(name: string, settings: string): string {
  return `${name} {\n${settings}}\n`;
}

/** What the report says of the compute `app`. */
export const restarts = "neon_endpoint.app: restart, yes";
export const harmless = "neon_endpoint.app: none, no";

/** What it says of attributes of which nobody knows what they do: of the compute `app`, and of the project. */
export function unknownApp(attribute: string): readonly string[] {
  return ["neon_endpoint.app: interrupt, may", `not known: neon_endpoint.app: ${attribute}`];
}
export function unknownShop(...attributes: readonly string[]): readonly string[] {
  return [["not known: neon_project.shop", attributes.join(", ")].filter((part) => part !== "").join(": ")];
}
