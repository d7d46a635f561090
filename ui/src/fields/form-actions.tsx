import { Action } from '../components/action';

interface FormActionsProps {
  readonly submit: string;
  readonly busy: boolean;
  readonly other: { readonly label: string; readonly onPress: () => void } | null;
}

/** The end of a form that can be submitted or left. */
export function FormActions({ submit, busy, other }: FormActionsProps) {
  return (
    <div className="actions">
      <Action type="submit" variant="primary" busy={busy}>
        {submit}
      </Action>
      {other ? (
        <Action variant="quiet" onPress={other.onPress}>
          {other.label}
        </Action>
      ) : null}
    </div>
  );
}
