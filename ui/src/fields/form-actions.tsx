import { Action } from '../components/action';

interface FormActionsProps {
  readonly submit: string;
  readonly busy: boolean;
  readonly other: { readonly label: string; readonly onPress: () => void };
}

/** The end of a form that can be submitted or left. */
export function FormActions({ submit, busy, other }: FormActionsProps) {
  return (
    <div className="actions">
      <Action type="submit" variant="primary" busy={busy}>
        {submit}
      </Action>
      <Action variant="quiet" onPress={other.onPress}>
        {other.label}
      </Action>
    </div>
  );
}
