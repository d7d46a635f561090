import { Breakable } from '../../../ui/src/components/breakable';
import { type FieldProps, Hints } from './fields';
import { useFieldIds } from './form-context';

export function SwitchField({
  value,
  onChange,
  ...field
}: FieldProps & { readonly value: boolean; readonly onChange: (value: boolean) => void }) {
  const ids = useFieldIds(field.name, Boolean(field.help));
  return (
    <div className="field switch-field" data-invalid={ids.fault ? '' : undefined}>
      <div className="native-check">
        <input type="checkbox" {...ids.input} checked={value} onChange={({ target }) => onChange(target.checked)} />
        <label htmlFor={ids.id}>{field.label}</label>
      </div>
      <Hints help={field.help} ids={ids} />
    </div>
  );
}

/** Any number of a few options. */
export function ChecksField<Value extends string>({
  value,
  onChange,
  options,
  ...field
}: FieldProps & {
  readonly value: readonly Value[];
  readonly onChange: (value: readonly Value[]) => void;
  readonly options: readonly (readonly [value: Value, label: string, help?: string])[];
}) {
  const ids = useFieldIds(field.name, Boolean(field.help));
  return (
    <fieldset
      className="field checks-field"
      data-invalid={ids.fault ? '' : undefined}
      aria-describedby={ids.input['aria-describedby']}
    >
      <legend className="label">{field.label}</legend>
      <Hints help={field.help} ids={ids} />
      <div className="native-checks">
        {options.map(([option, label, help], index) => (
          <div key={option} className="native-check">
            <input
              type="checkbox"
              id={`${ids.id}${index}`}
              aria-invalid={index === 0 ? ids.input['aria-invalid'] : undefined}
              aria-describedby={help ? `${ids.id}${index}h` : undefined}
              checked={value.includes(option)}
              onChange={({ target }) =>
                onChange(
                  options
                    .map(([each]) => each)
                    .filter((each) => (each === option ? target.checked : value.includes(each))),
                )
              }
            />
            <label htmlFor={`${ids.id}${index}`}>
              <Breakable>{label}</Breakable>
            </label>
            {help ? (
              <span className="second" id={`${ids.id}${index}h`}>
                {help}
              </span>
            ) : null}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
