import { useState } from 'react';
import { Eye, EyeOff } from '../../components/icons';
import { useMessages } from '../../messages/use-messages';
import type { InputProps } from '../field-input';
import { NativeField } from '../native-field';

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
    <NativeField field={field} error={error} isStoredSecret={isStoredSecret}>
      {(element) => (
        <div className="box">
          <input
            {...element}
            className="input"
            type={kind}
            value={typeof value === 'string' ? value : ''}
            onChange={({ target }) => onChange(target.value)}
            onBlur={onBlur}
            aria-required={(field.required && !isStoredSecret) || undefined}
            autoComplete={AUTOCOMPLETE[field.id] ?? 'off'}
            placeholder={isStoredSecret ? '••••••••' : (field.placeholder ?? undefined)}
            spellCheck="false"
            autoCapitalize="none"
            autoCorrect="off"
          />
          {secret ? (
            <button
              type="button"
              className="box-button"
              aria-pressed={shown}
              aria-label={messages.fields.show(field.label)}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff /> : <Eye />}
            </button>
          ) : null}
        </div>
      )}
    </NativeField>
  );
}
