import type { Field } from '@docfetch/sdk';
import { lazy } from '../components/lazy';
import { BooleanInput, CheckboxGroupInput, SelectInput } from './choice-input';
import { FieldPlaceholder } from './field-placeholder';
import { TextInput } from './text-input';
import type { FieldValue } from './field-values';

// What few forms have comes after the form itself: it can be used meanwhile, and nothing moves when they come.
const NumberInput = lazy(() => import('./number-input').then(({ NumberInput: input }) => input), FieldPlaceholder);
const DateInput = lazy(() => import('./date-input').then(({ DateInput: input }) => input), FieldPlaceholder);
const SearchInput = lazy(() => import('./combo-box-input').then(({ ComboBoxInput: input }) => input), FieldPlaceholder);
const TreeInput = lazy(() => import('../tree/tree-input').then(({ TreeInput: input }) => input), FieldPlaceholder);

/** So many choices are easier to search than to read; up to here the browser's own list finds one by its first letters. */
const SEARCH_FROM = 40;

export interface InputProps {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly error: string | null;
  readonly onChange: (value: FieldValue | undefined) => void;
  readonly onBlur: () => void;
  /** A secret that is stored already: it may stay empty. */
  readonly isStoredSecret: boolean;
  /** Whose options are loaded, for trees. */
  readonly connection?: string;
  /** The labels of stored choices that have not been loaded yet. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One input, drawn from its description (decisions 4 "Field"). */
export function FieldInput(props: InputProps) {
  return (
    <div className="field-place" data-field={props.field.id} data-invalid={props.error ? '' : undefined}>
      {inputFor(props)}
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
      return <TextInput {...props} />;
  }
}
