import { Check } from '../../components/icons';

/** A checkbox with its label, which is its content. */
export function NativeCheckbox({ children, ...props }: React.ComponentProps<'input'>) {
  return (
    <label className="check">
      <input type="checkbox" className="visually-hidden" {...props} />
      <CheckboxIndicator />
      {children}
    </label>
  );
}

/** The visible box of a checkbox; the label is next to it. */
export function CheckboxIndicator() {
  return (
    <span className="tick" aria-hidden="true">
      <Check />
    </span>
  );
}
