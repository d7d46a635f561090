import { useId } from 'react';
import { ChevronDown } from '../../../ui/src/components/icons';

/** A choice in a short form. The native element works everywhere and adds no code. */
export function SelectField({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <div className="box select-box">
        <select className="input" id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown />
      </div>
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
