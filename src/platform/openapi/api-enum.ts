import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from './openapi-document';

/** The meaning of each value of an enum. A missing meaning is a compile error. */
type Meanings<Value extends string> = Readonly<Record<Value, string>>;

const DESCRIPTIONS = new Map<string, string>();

/**
 * The options of `@ApiProperty` for an enum with its own schema, whose description explains the enum and each value.
 */
export function apiEnum<Value extends string>(name: string, about: string, meanings: Meanings<Value>) {
  const values = Object.keys(meanings) as Value[];
  DESCRIPTIONS.set(name, [about, '', ...values.map((value) => `- \`${value}\`: ${meanings[value]}`)].join('\n'));
  return { enum: values, enumName: name };
}

/** Writes the descriptions of enums into the document; @nestjs/swagger would use the description of the first property. */
export function describeEnums(document: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const description = DESCRIPTIONS.get(name);
    if (description) (schema as Schema).description = description;
  }
}
