import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { localize } from '../../../platform/i18n/lang';
import { apiEnum } from '../../../platform/openapi/api-enum';
import type { FieldOption, FieldSpec, FieldType } from '../field';
import type { FieldInput } from '../validate-fields';

export const FIELD_TYPE = apiEnum<FieldType>('FieldType', 'The type of input of a field.', {
  text: 'a line of text',
  password: 'a line of text that is not shown while it is typed',
  email: 'an e-mail address',
  url: 'a web address',
  number: 'a number',
  boolean: 'true or false',
  date: 'a day: `2026-11-20`',
  select: 'one of `options`, or several when it is `multiple`',
  tree: 'the same as `select`, from a tree that is loaded level by level',
});

/** The types of a field's value. */
export const FIELD_VALUE = {
  oneOf: [
    { type: 'string' as const },
    { type: 'number' as const },
    { type: 'boolean' as const },
    { type: 'array' as const, items: { type: 'string' as const } },
  ],
};

@ApiSchema({ name: 'FieldOption', description: 'An option of a `select` or `tree` field.' })
export class OptionView {
  @ApiProperty({ description: 'The value to send.', example: 'INBOX' })
  value: string;

  @ApiProperty({ description: 'The text to show, in the language of the request.', example: 'Inbox' })
  label: string;

  @ApiProperty({ description: 'Whether options below this one can be loaded.', example: false })
  has_children: boolean;

  @ApiProperty({ description: 'Whether it can be selected; otherwise it only contains other options.', example: true })
  selectable: boolean;
}

@ApiSchema({ name: 'FieldCondition', description: "A condition on another field's value." })
export class VisibleWhenView {
  @ApiProperty({ description: 'The id of the other field.', example: 'provider' })
  field: string;

  @ApiProperty({
    description: 'The value it must have.',
    example: 'other',
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
  })
  equals: unknown;
}

@ApiSchema({ description: 'One input of a setup step, from which the form is rendered.' })
export class FieldView {
  @ApiProperty({ description: 'The key to use in `fields`.', example: 'host' })
  id: string;

  @ApiProperty({ ...FIELD_TYPE, description: 'The type of input.', example: 'text' })
  type: FieldType;

  @ApiProperty({ description: 'Its label, in the language of the request.', example: 'Server' })
  label: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'A help text, in the language of the request.',
    example: 'The IMAP server of your provider.',
  })
  help: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'An example to show while the field is empty.',
    example: 'imap.example.com',
  })
  placeholder: string | null;

  @ApiProperty({ description: 'Whether a value is required while the field is visible.', example: true })
  required: boolean;

  @ApiProperty({ description: 'Stored encrypted and never returned.', example: false })
  secret: boolean;

  @ApiProperty({ description: 'Whether the value is a list of strings.', example: false })
  multiple: boolean;

  @ApiProperty({ ...FIELD_VALUE, nullable: true, description: 'The value when none is given.', example: 993 })
  default: unknown;

  @ApiProperty({ type: String, nullable: true, description: 'A regular expression for the whole text.', example: null })
  pattern: string | null;

  @ApiProperty({
    nullable: true,
    description: 'Smallest number, earliest date or fewest characters.',
    example: 1,
    oneOf: [{ type: 'number' }, { type: 'string' }],
  })
  min: number | string | null;

  @ApiProperty({
    nullable: true,
    description: 'Largest number, latest date or most characters.',
    example: 65535,
    oneOf: [{ type: 'number' }, { type: 'string' }],
  })
  max: number | string | null;

  @ApiProperty({ type: VisibleWhenView, nullable: true, description: 'The condition under which the field is shown.' })
  visible_when: VisibleWhenView | null;

  @ApiProperty({ type: [OptionView], nullable: true, description: 'The options, or the first level of a tree.' })
  options: OptionView[] | null;

  @ApiProperty({ description: 'Whether more options can be loaded for this field.', example: false })
  has_more: boolean;

  @ApiProperty({
    required: false,
    description: 'The stored input; absent for secrets and when nothing is stored.',
    ...FIELD_VALUE,
    example: 'imap.example.com',
  })
  value?: unknown;
}

/** A field in the language of the request, with its stored input unless that is secret. */
export function fieldView(field: FieldSpec, stored: FieldInput = {}): FieldView {
  const secret = field.secret ?? false;
  return {
    id: field.id,
    type: field.type,
    label: localize(field.label),
    help: field.help ? localize(field.help) : null,
    placeholder: field.placeholder ? localize(field.placeholder) : null,
    required: field.required,
    secret,
    multiple: field.multiple ?? false,
    default: field.default ?? null,
    pattern: field.pattern ?? null,
    min: field.min ?? null,
    max: field.max ?? null,
    visible_when: field.visibleWhen ? { field: field.visibleWhen.field, equals: field.visibleWhen.equals } : null,
    options: field.options?.map(optionView) ?? null,
    has_more: field.hasMore ?? false,
    ...(!secret && stored[field.id] !== undefined && { value: stored[field.id] }),
  };
}

export function optionView(option: FieldOption): OptionView {
  return {
    value: option.value,
    label: localize(option.label),
    has_children: option.hasChildren ?? false,
    selectable: option.selectable ?? true,
  };
}
