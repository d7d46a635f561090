import { useRef, useState } from 'react';
import { Action } from '../../components/action';
import { usePasswordMessages } from '../../messages/passwords/use-password-messages';
import type { InputProps } from '../field-input';
import { NativeCheckbox } from './native-checkbox';
import { TextInput } from './text-input';

/** Several passwords. Without a value, the stored ones stay; an empty list removes them. */
export function PasswordListInput({ field, value, error, onChange, onBlur, isStoredSecret }: InputProps) {
  const messages = usePasswordMessages();
  const [rows, setRows] = useState<readonly string[]>(() => (Array.isArray(value) && value.length > 0 ? value : ['']));
  const listRef = useRef<HTMLDivElement | null>(null);
  const isRemoved = Array.isArray(value) && value.length === 0;
  const change = (changed: readonly string[]) => {
    setRows(changed);
    const entered = changed.filter((row) => row !== '');
    onChange(entered.length > 0 ? entered : undefined);
  };
  const add = () => {
    change([...rows, '']);
    requestAnimationFrame(() => [...(listRef.current?.querySelectorAll('input') ?? [])].at(-1)?.focus());
  };
  return (
    <>
      {isRemoved ? null : (
        <div className="password-list" ref={listRef} role="group" aria-label={field.label}>
          {rows.map((row, at) => (
            <TextInput
              key={at}
              field={at === 0 ? field : { ...field, label: messages.another(at + 1), help: null }}
              value={row}
              error={at === 0 ? error : null}
              onChange={(typed) => change(rows.map((other, place) => (place === at ? String(typed ?? '') : other)))}
              onBlur={onBlur}
              isStoredSecret={isStoredSecret && at === 0}
            />
          ))}
          <Action variant="quiet" onPress={add}>
            {messages.add}
          </Action>
        </div>
      )}
      {isStoredSecret ? (
        <NativeCheckbox checked={isRemoved} onChange={({ target }) => (target.checked ? onChange([]) : change(rows))}>
          {messages.remove}
        </NativeCheckbox>
      ) : null}
    </>
  );
}
