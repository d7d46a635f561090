import { ApiProperty } from '@nestjs/swagger';
import { localise } from '../platform/http/lang';
import type { FieldOption, FieldSpec, FieldType } from './field';
import type { FieldInput } from './validate-fields';

const FIELD_TYPES: FieldType[] = ['text', 'password', 'email', 'url', 'number', 'boolean', 'date', 'select', 'tree'];

/** A choice of a `select` or `tree` field. */
export class OptionView {
  /** What to send back. */
  @ApiProperty({ example: 'INBOX' })
  value: string;

  /** What to show, in the caller's language. */
  @ApiProperty({ example: 'Inbox' })
  label: string;

  /** Whether more options can be loaded below this one. */
  @ApiProperty({ example: false })
  has_children: boolean;

  /** Whether it can be chosen; otherwise it only leads to others. */
  @ApiProperty({ example: true })
  selectable: boolean;
}

/** A condition on another field's value. */
export class VisibleWhenView {
  @ApiProperty({ example: 'provider' })
  field: string;

  @ApiProperty({ example: 'other', oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] })
  equals: unknown;
}

/** One input of a setup step; draw the form from it. */
export class FieldView {
  @ApiProperty({ description: 'The key to use in `fields`.', example: 'host' })
  id: string;

  @ApiProperty({ enum: FIELD_TYPES, enumName: 'FieldType', example: 'text' })
  type: FieldType;

  @ApiProperty({ example: 'Server' })
  label: string;

  @ApiProperty({ type: String, nullable: true, example: 'The IMAP server of your provider.' })
  help: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'imap.example.com' })
  placeholder: string | null;

  @ApiProperty({ description: 'Must be given while the field is visible.', example: true })
  required: boolean;

  @ApiProperty({ description: 'Stored sealed and never returned.', example: false })
  secret: boolean;

  @ApiProperty({ description: 'The value is a list of strings.', example: false })
  multiple: boolean;

  @ApiProperty({ nullable: true, description: 'Used when nothing is given.', example: 993, oneOf: anyValue() })
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

  @ApiProperty({ type: VisibleWhenView, nullable: true, description: 'Show the field only then.' })
  visible_when: VisibleWhenView | null;

  @ApiProperty({ type: [OptionView], nullable: true, description: 'The choices, or the first level of a tree.' })
  options: OptionView[] | null;

  @ApiProperty({ description: 'More options can be loaded for this field.', example: false })
  has_more: boolean;

  @ApiProperty({
    required: false,
    description: 'The stored input; absent for secrets and when nothing is stored.',
    oneOf: anyValue(),
  })
  value?: unknown;
}

function anyValue() {
  return [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }];
}

/** A field in the caller's language; with stored input where there is any that may be shown. */
export function fieldView(field: FieldSpec, stored: FieldInput = {}): FieldView {
  const secret = field.secret ?? false;
  return {
    id: field.id,
    type: field.type,
    label: localise(field.label),
    help: field.help ? localise(field.help) : null,
    placeholder: field.placeholder ? localise(field.placeholder) : null,
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
    label: localise(option.label),
    has_children: option.hasChildren ?? false,
    selectable: option.selectable ?? true,
  };
}
