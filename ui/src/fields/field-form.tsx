import type { Field } from '@docfetch/sdk';
import { useMessages } from '../messages/use-messages';
import { FieldInput } from './field-input';
import { FoldedFields } from './folded-fields';
import { isCredential } from './field-values';
import { HelpLink } from './help-link';
import type { FormState } from './use-form';

interface FieldFormProps {
  readonly form: FormState;
  readonly onSubmit: () => void;
  readonly storedSecrets?: readonly string[];
  readonly connection?: string;
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The fields that are shown on request only, below the others. */
  readonly folded?: { readonly title: string; readonly ids: readonly string[]; readonly initiallyOpen?: boolean };
  /** The page of the provider where users find their credentials. */
  readonly helpUrl?: string | null;
  /** Shown below a field, by its id: a change that fixes its error. */
  readonly offers?: Readonly<Record<string, React.ReactNode>>;
  readonly children: React.ReactNode;
}

/** A form that is generated from fields. */
export function FieldForm({
  form,
  onSubmit,
  storedSecrets = [],
  connection,
  labels,
  folded,
  helpUrl = null,
  offers = {},
  children,
}: FieldFormProps) {
  const { messages } = useMessages();
  const credential = form.fields.find(isCredential)?.id;
  const isFolded = ({ id }: Field) => folded?.ids.includes(id) ?? false;
  const foldedFields = form.fields.filter(isFolded);
  const inputsFor = (fields: readonly Field[]) =>
    fields.map((field) => (
      <FieldInput
        key={field.id}
        field={field}
        value={form.values[field.id]}
        error={form.errorOf(field.id)}
        onChange={(value) => form.set(field.id, value)}
        onBlur={() => form.touch(field.id)}
        isStoredSecret={storedSecrets.includes(field.id)}
        connection={connection}
        labels={labels?.[field.id]}
        help={helpUrl !== null && field.id === credential ? <HelpLink url={helpUrl} label={field.label} /> : null}
        offer={offers[field.id]}
      />
    ));
  return (
    <form
      ref={form.formRef}
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (form.validate()) onSubmit();
      }}
    >
      {inputsFor(form.fields.filter((field) => !isFolded(field)))}
      {folded && foldedFields.length > 0 ? (
        <FoldedFields
          title={folded.title}
          initiallyOpen={folded.initiallyOpen ?? false}
          hasError={foldedFields.some(({ id }) => form.errorOf(id) !== null)}
        >
          {() => inputsFor(foldedFields)}
        </FoldedFields>
      ) : null}
      <p role="status" className="form-summary">
        {form.errorCount > 0 ? messages.fields.summary(form.errorCount) : ''}
      </p>
      {children}
    </form>
  );
}
