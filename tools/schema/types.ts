/** Converts zod's types to types of Pulumi's schema. */
import type { Declaration } from "./declarations";

/** A property, an item or a value. */
export interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly oneOf?: readonly Property[];
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly description?: string;
  readonly default?: unknown;
  readonly replaceOnChanges?: true;
  readonly secret?: true;
}

export type Properties = Readonly<Record<string, Property>>;

export interface ObjectType {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Properties;
  readonly required?: readonly string[];
}

export interface EnumType {
  readonly type: "string";
  readonly description?: string;
  readonly enum: readonly { readonly name: string; readonly value: string }[];
}

/** By token. */
export type Types = Record<string, ObjectType | EnumType>;

/** The part of JSON Schema that zod writes for the arguments. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
}

/** The name and the comment of a type that becomes a named type of the schema. */
interface Place {
  readonly name: string;
  readonly comment: readonly string[];
  readonly types: Types;
  /** The interface that declares it, if there is one. */
  readonly declared?: Declaration | undefined;
}

export function token(name: string): string {
  return `compute:index:${name}`;
}

export function reference(name: string): Property {
  return { $ref: `#/types/${token(name)}` };
}

/**
 * A property of this type. Enumerations and objects go into `types`, since Pulumi's schema requires named types for
 * them.
 */
export function toType(json: JsonSchema, place: Place): Property {
  if (json.enum !== undefined) {
    const words = json.enum.map((value) => ({ name: value.split(/[_-]/).map(pascalCase).join(""), value }));
    return placed(place, { type: "string", enum: words });
  }
  if (json.properties !== undefined) return placed(place, objectType(json, place));
  if (typeof json.additionalProperties === "object") {
    return { type: "object", additionalProperties: toType(json.additionalProperties, place) };
  }
  if (typeof json.type === "string") return { type: json.type };
  if (json.type !== undefined) return { oneOf: json.type.map((type) => ({ type })) };
  return { $ref: "pulumi.json#/Any" };
}

function placed({ name, comment, types, declared }: Place, type: ObjectType | EnumType): Property {
  types[token(name)] = { ...type, description: (declared?.comment ?? comment).join("\n\n") };
  return reference(name);
}

function objectType({ properties = {}, required }: JsonSchema, place: Place): ObjectType {
  const entries = Object.entries(properties).map(([name, json]): [string, Property] => {
    const comment = place.declared?.members.get(name)?.comment ?? [];
    const type = toType(json, { name: pascalCase(name), comment, types: place.types });
    return [name, { ...type, ...(comment.length > 0 && { description: comment.join("\n\n") }) }];
  });
  return { type: "object", properties: Object.fromEntries(entries), ...(required && { required }) };
}

export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
