import { type Options, Select } from './select';
import { useConsoleMessages } from '../messages/use-console-messages';
import { useFieldIds } from './form-context';

export interface FieldProps {
  /** Its name in the API, at which faults are reported. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly optional?: boolean;
}

type Ids = ReturnType<typeof useFieldIds>;

function Field({
  label,
  help,
  optional,
  ids,
  children,
}: FieldProps & { readonly ids: Ids; readonly children: React.ReactNode }) {
  const { form } = useConsoleMessages();
  return (
    <div className="field" data-invalid={ids.fault ? '' : undefined}>
      <label className="label" htmlFor={ids.id}>
        {label} {optional ? <span className="optional">({form.optional})</span> : null}
      </label>
      {children}
      <Hints help={help} ids={ids} />
    </div>
  );
}

export function Hints({ help, ids }: { readonly help: string | undefined; readonly ids: Ids }) {
  return (
    <>
      {help ? (
        <p className="help" id={ids.helpId}>
          {help}
        </p>
      ) : null}
      {ids.fault ? (
        <p className="field-error" id={ids.faultId}>
          {ids.fault}
        </p>
      ) : null}
    </>
  );
}

export function TextField({
  value,
  onChange,
  type = 'text',
  placeholder,
  autoFocus,
  ...field
}: FieldProps & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'url' | 'password' | 'date' | 'month' | 'number';
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}) {
  const ids = useFieldIds(field.name, Boolean(field.help));
  return (
    <Field {...field} ids={ids}>
      <div className={type === 'date' || type === 'month' || type === 'number' ? 'box narrow' : 'box'}>
        <input
          className="input"
          {...ids.input}
          {...{ type, value, placeholder, autoFocus }}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          spellCheck="false"
          autoCapitalize="none"
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
    </Field>
  );
}

/** A list of texts, one in each line. */
export function LinesField({
  value,
  onChange,
  ...field
}: FieldProps & { readonly value: string; readonly onChange: (value: string) => void }) {
  const ids = useFieldIds(field.name, Boolean(field.help));
  return (
    <Field {...field} ids={ids}>
      <div className="box">
        <textarea
          className="input"
          {...ids.input}
          value={value}
          rows={Math.min(6, Math.max(2, value.split('\n').length))}
          spellCheck="false"
          autoCapitalize="none"
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
    </Field>
  );
}

export function ChoiceField<Value extends string>({
  value,
  onChange,
  options,
  ...field
}: FieldProps & {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: Options<Value>;
}) {
  const ids = useFieldIds(field.name, Boolean(field.help));
  return (
    <Field {...field} ids={ids}>
      <Select {...ids.input} value={value} options={options} onChange={onChange} />
    </Field>
  );
}
