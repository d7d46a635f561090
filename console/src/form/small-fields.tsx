import { useId } from 'react';
import { type Options, Select } from './select';

/** A choice in a short form. */
export function SelectField({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <Select id={id} value={value} options={options} onChange={onChange} />
    </div>
  );
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
  const id = useId();
  return (
    <div className="filter number">
      <label htmlFor={id}>{label}</label>
      <div className="box">
        <input
          className="input"
          id={id}
          type="number"
          inputMode="numeric"
          {...{ value, min, max }}
          onChange={({ target }) => onChange(Math.min(max, Math.max(min, Math.trunc(Number(target.value)) || min)))}
        />
      </div>
    </div>
  );
}
