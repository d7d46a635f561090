import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from './openapi-document';

/** What each value of an enum means. A value without a meaning is a compile error. */
type Meanings<Value extends string> = Readonly<Record<Value, string>>;

const DESCRIPTIONS = new Map<string, string>();

/**
 * The options of `@ApiProperty` for an enum that becomes a schema of its own, with what it is about and what each of its
 * values means.
 */
export function apiEnum<Value extends string>(name: string, about: string, meanings: Meanings<Value>) {
  const values = Object.keys(meanings) as Value[];
  DESCRIPTIONS.set(name, [about, '', ...values.map((value) => `- \`${value}\`: ${meanings[value]}`)].join('\n'));
  return { enum: values, enumName: name };
}

/** Writes the explanations into the document: @nestjs/swagger would put there what the first user says of its property. */
export function describeEnums(document: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const description = DESCRIPTIONS.get(name);
    if (description) (schema as Schema).description = description;
  }
}
