import { useState } from 'react';
import { Group, Input, TextField, ToggleButton } from 'react-aria-components';
import { Eye, EyeOff } from '../../components/icons';
import { useMessages } from '../../messages/use-messages';
import type { InputProps } from '../field-input';
import { FieldHints, FieldLabel } from '../field-label';

const KINDS = { email: 'email', url: 'url' } as const;

/** Autofill hints for browsers and password managers, by field id. Integrations choose their field ids; these are used by all. */
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  user: 'username',
  email: 'email',
  password: 'current-password',
};

export function TextInput({ field, value, error, onChange, onBlur, isStoredSecret }: InputProps) {
  const { messages } = useMessages();
  const [shown, setShown] = useState(false);
  const secret = field.type === 'password' || field.secret;
  const kind = secret ? (shown ? 'text' : 'password') : (KINDS[field.type as keyof typeof KINDS] ?? 'text');
  return (
    <TextField
      className="field"
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
      onBlur={onBlur}
      type={kind}
      isRequired={field.required && !isStoredSecret}
      isInvalid={error !== null}
      validationBehavior="aria"
      autoComplete={AUTOCOMPLETE[field.id] ?? 'off'}
    >
      <FieldLabel field={field} isStoredSecret={isStoredSecret} />
      <Group className="box">
        <Input
          className="input"
          placeholder={isStoredSecret ? '••••••••' : (field.placeholder ?? undefined)}
          spellCheck="false"
          autoCapitalize="none"
          autoCorrect="off"
        />
        {secret ? (
          <ToggleButton
            className="box-button"
            isSelected={shown}
            onChange={setShown}
            aria-label={messages.fields.show(field.label)}
          >
            {shown ? <EyeOff /> : <Eye />}
          </ToggleButton>
        ) : null}
      </Group>
      <FieldHints field={field} error={error} hint={isStoredSecret ? messages.fields.keep : null} />
    </TextField>
  );
}
