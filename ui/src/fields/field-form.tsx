import { Form } from 'react-aria-components';
import { useWords } from '../words/use-words';
import { FieldInput } from './field-input';
import type { FormState } from './use-form';

interface FieldFormProps {
  readonly form: FormState;
  readonly onSubmit: () => void;
  readonly kept?: readonly string[];
  readonly connection?: string;
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly before?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A form drawn from fields. */
export function FieldForm({ form, onSubmit, kept = [], connection, labels, before, children }: FieldFormProps) {
  const { words } = useWords();
  return (
    <Form
      ref={form.formRef}
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        if (form.check()) onSubmit();
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
          onLeave={() => form.leave(field.id)}
          kept={kept.includes(field.id)}
          connection={connection}
          labels={labels?.[field.id]}
        />
      ))}
      <p role="status" className="form-summary">
        {form.faultCount > 0 ? words.fields.summary(form.faultCount) : ''}
      </p>
      {children}
    </Form>
  );
}
