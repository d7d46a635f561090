import type { Field } from '@docfetch/sdk';
import { lazy, Suspense } from 'react';
import { Loading } from '../parts/loading';
import { BooleanInput, ManyChoices, OneChoice } from './choice-input';
import { NumberInput, TextInput } from './text-input';
import type { FieldValue } from './values';

const DateInput = lazy(() => import('./date-input').then(({ DateInput: component }) => ({ default: component })));
const TreeInput = lazy(() => import('../tree/tree-input').then(({ TreeInput: component }) => ({ default: component })));
const ManyToSearch = lazy(() =>
  import('./search-input').then(({ SearchInput: component }) => ({ default: component })),
);

/** So many choices are easier to search than to read. */
const SEARCH_FROM = 12;

export interface InputProps {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly error: string | null;
  readonly onChange: (value: FieldValue | undefined) => void;
  readonly onLeave: () => void;
  /** A secret that is stored already: it may stay empty. */
  readonly kept: boolean;
  /** Whose options are loaded, for trees. */
  readonly connection?: string;
  /** The labels of stored choices that have not been loaded yet. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One input, drawn from its description (contract 4 "Field"). */
export function FieldInput(props: InputProps) {
  return (
    <div className="field-place" data-field={props.field.id} data-invalid={props.error ? '' : undefined}>
      <Suspense fallback={<Loading />}>{inputFor(props)}</Suspense>
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
      if (multiple) return <ManyChoices {...props} />;
      return (options?.length ?? 0) >= SEARCH_FROM ? <ManyToSearch {...props} /> : <OneChoice {...props} />;
    default:
      return <TextInput {...props} />;
  }
}
