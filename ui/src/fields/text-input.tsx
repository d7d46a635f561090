import { useState } from 'react';
import { Group, Input, TextField, ToggleButton } from 'react-aria-components';
import { Eye, EyeOff } from '../parts/icons';
import { useWords } from '../words/use-words';
import type { InputProps } from './field-input';
import { FieldHints, FieldLabel } from './label';

const KINDS = { email: 'email', url: 'url' } as const;

/** What browsers and password managers may fill in. Ids are the integrations' own; these two are the same everywhere. */
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  user: 'username',
  email: 'email',
  password: 'current-password',
};

export function TextInput({ field, value, error, onChange, onLeave, kept }: InputProps) {
  const { words } = useWords();
  const [shown, setShown] = useState(false);
  const secret = field.type === 'password' || field.secret;
  const kind = secret ? (shown ? 'text' : 'password') : (KINDS[field.type as keyof typeof KINDS] ?? 'text');
  return (
    <TextField
      className="field"
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
      onBlur={onLeave}
      type={kind}
      isRequired={field.required && !kept}
      isInvalid={error !== null}
      validationBehavior="aria"
      autoComplete={AUTOCOMPLETE[field.id] ?? 'off'}
    >
      <FieldLabel field={field} kept={kept} />
      <Group className="box">
        <Input
          className="input"
          placeholder={kept ? '••••••••' : (field.placeholder ?? undefined)}
          spellCheck="false"
          autoCapitalize="none"
          autoCorrect="off"
        />
        {secret ? (
          <ToggleButton className="box-button" isSelected={shown} onChange={setShown} aria-label={words.fields.show}>
            {shown ? <EyeOff /> : <Eye />}
          </ToggleButton>
        ) : null}
      </Group>
      <FieldHints field={field} error={error} hint={kept ? words.fields.keep : null} />
    </TextField>
  );
}
