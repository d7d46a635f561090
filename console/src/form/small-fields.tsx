import { useId } from 'react';
import { type Options, Select } from './select';

interface SmallFieldProps {
  readonly label: string;
  readonly className?: string;
  readonly error?: string;
  /** Renders the input with the attributes that connect it to the label and the error. */
  readonly children: (attributes: React.AriaAttributes & { readonly id: string }) => React.ReactNode;
}

/** A label above an input, for filters and short forms. */
export function SmallField({ label, className = 'filter', error, children }: SmallFieldProps) {
  const [id, errorId] = [useId(), useId()];
  return (
    <div className={className} data-invalid={error ? '' : undefined}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(error && { 'aria-invalid': true, 'aria-describedby': errorId }) })}
      {error ? (
        <span className="field-error" id={errorId}>
          {error}
        </span>
      ) : null}
    </div>
  );
}

export function SelectField({
  label,
  ...select
}: {
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  readonly onChange: (value: string) => void;
}) {
  return <SmallField label={label}>{(attributes) => <Select {...select} {...attributes} />}</SmallField>;
}

export function NumberField({
  label,
  value,
  min,
  max,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <SmallField label={label} className="filter number">
      {(attributes) => (
        <div className="box">
          <input
            className="input"
            type="number"
            inputMode="numeric"
            {...{ ...attributes, value, min, max }}
            onChange={({ target }) => onChange(Math.min(max, Math.max(min, Math.trunc(Number(target.value)) || min)))}
          />
        </div>
      )}
    </SmallField>
  );
}
