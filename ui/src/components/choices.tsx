import { useId } from 'react';

interface ChoicesProps<Id extends string> {
  readonly label: string;
  readonly choices: readonly { readonly id: Id; readonly text: string }[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

/** Radio buttons in a row that look like tags. */
export function Choices<Id extends string>({ label, choices, selected, onSelect }: ChoicesProps<Id>) {
  const name = useId();
  return (
    <div className="kinds" role="radiogroup" aria-label={label}>
      {choices.map(({ id, text }) => (
        <label className="kind" key={id} data-selected={id === selected ? '' : undefined}>
          <input type="radio" name={name} checked={id === selected} onChange={() => onSelect(id)} />
          {text}
        </label>
      ))}
    </div>
  );
}
