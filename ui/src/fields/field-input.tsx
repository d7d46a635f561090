import type { Field } from '@docfetch/sdk';
import { lazy } from '../components/lazy';
import { BooleanInput, CheckboxGroupInput, SelectInput } from './inputs/choice-input';
import { NumberInput } from './inputs/number-input';
import { FieldPlaceholder } from './field-placeholder';
import { TextInput } from './inputs/text-input';
import type { FieldValue } from './field-values';

// React Aria's inputs are loaded after the form, which is usable meanwhile; placeholders prevent layout shifts.
const DateInput = lazy(() => import('./inputs/date-input').then(({ DateInput: input }) => input), FieldPlaceholder);
const SearchInput = lazy(
  () => import('./inputs/combo-box-input').then(({ ComboBoxInput: input }) => input),
  FieldPlaceholder,
);
const PasswordListInput = lazy(
  () => import('./inputs/password-list-input').then(({ PasswordListInput: input }) => input),
  FieldPlaceholder,
);
const TreeInput = lazy(() => import('../tree/tree-input').then(({ TreeInput: input }) => input), FieldPlaceholder);

/** Selects with at least this many options get a search field. */
const SEARCH_FROM = 40;

export interface InputProps {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly error: string | null;
  readonly onChange: (value: FieldValue | undefined) => void;
  readonly onBlur: () => void;
  /** The secret is already stored, so the field may be empty. */
  readonly isStoredSecret: boolean;
  /** For trees: UUID of the connection whose options are loaded. */
  readonly connection?: string;
  /** A change that fixes the error. */
  readonly offer?: React.ReactNode;
  /** Where to find the value. */
  readonly help?: React.ReactNode;
  /** Labels of stored selections whose options have not been loaded yet. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The input of a field (decisions 4 "Field"), with what helps the user below it. */
export function FieldInput(props: InputProps) {
  return (
    <div className="field-place" data-field={props.field.id} data-invalid={props.error ? '' : undefined}>
      {inputFor(props)}
      {props.offer}
      {props.help}
    </div>
  );
}

function inputFor(props: InputProps) {
  const { type, multiple, options } = props.field;
  switch (type) {
    case 'boolean':
      return <BooleanInput {...props} />;
    case 'number':
      return <NumberInput {...props} />;
    case 'date':
      return <DateInput {...props} />;
    case 'tree':
      return <TreeInput {...props} />;
    case 'select':
      if (props.field.has_more) return <TreeInput {...props} />;
      if (multiple) return <CheckboxGroupInput {...props} />;
      return (options?.length ?? 0) >= SEARCH_FROM ? <SearchInput {...props} /> : <SelectInput {...props} />;
    default:
      return multiple ? <PasswordListInput {...props} /> : <TextInput {...props} />;
  }
}
