import { Form } from 'react-aria-components';
import { useMessages } from '../messages/use-messages';
import { FieldInput } from './field-input';
import type { FormState } from './use-form';

interface FieldFormProps {
  readonly form: FormState;
  readonly onSubmit: () => void;
  readonly storedSecrets?: readonly string[];
  readonly connection?: string;
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly before?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A form that is generated from fields. */
export function FieldForm({
  form,
  onSubmit,
  storedSecrets = [],
  connection,
  labels,
  before,
  children,
}: FieldFormProps) {
  const { messages } = useMessages();
  return (
    <Form
      ref={form.formRef}
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        if (form.validate()) onSubmit();
      }}
    >
      {before}
      {form.fields.map((field) => (
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
        />
      ))}
      <p role="status" className="form-summary">
        {form.errorCount > 0 ? messages.fields.summary(form.errorCount) : ''}
      </p>
      {children}
    </Form>
  );
}
