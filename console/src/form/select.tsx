import { NativeSelect } from '../../../ui/src/fields/inputs/native-select';

export type Options<Value extends string = string> = readonly (readonly [value: Value, label: string])[];

interface SelectProps<Value extends string> extends Omit<React.ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly value: Value;
  readonly options: Options<Value>;
  readonly onChange: (value: Value) => void;
}

/** Selects one of a few options. */
export function Select<Value extends string>({ options, onChange, ...props }: SelectProps<Value>) {
  return (
    <NativeSelect {...props} onChange={({ target }) => onChange(target.value as Value)}>
      {options.map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}
