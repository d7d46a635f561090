import { useState } from 'react';
import { useMessages } from '../../messages/use-messages';
import type { InputProps } from '../field-input';
import { NativeField } from '../native-field';
import { formatNumber, isNumberInput, parseNumber } from './number-text';

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** A number in the user's format. Not `type="number"`: browsers hide from the page what they cannot read, and change it by scrolling. */
export function NumberInput({ field, value, error, onChange, onBlur }: InputProps) {
  const { lang } = useMessages();
  const [typed, setTyped] = useState<string | null>(null);
  const number = typeof value === 'number' ? value : undefined;
  const [min, max] = [Number(field.min ?? -Infinity), Number(field.max ?? Infinity)];
  return (
    <NativeField field={field} error={error}>
      {(element) => (
        <div className="box narrow">
          <input
            {...element}
            className="input"
            inputMode={min < 0 ? 'text' : 'decimal'}
            value={typed ?? (number === undefined ? '' : formatNumber(number, lang))}
            onChange={({ target }) => {
              if (!isNumberInput(target.value)) return;
              setTyped(target.value);
              onChange(parseNumber(target.value, lang));
            }}
            onKeyDown={(event) => {
              const step = STEPS[event.key];
              if (step === undefined) return;
              event.preventDefault();
              setTyped(null);
              onChange(Math.min(max, Math.max(min, (number ?? 0) + step)));
            }}
            onBlur={() => {
              setTyped(null);
              onBlur();
            }}
            aria-required={field.required || undefined}
            placeholder={field.placeholder ?? undefined}
            autoComplete="off"
          />
        </div>
      )}
    </NativeField>
  );
}
