import type { Mutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { Notice } from '../../../../ui/src/components/notice';
import { useEnvironmentViewMessages } from './messages/use-environment-view-messages';

/** Two people have changed the settings at the same time: nobody overwrites what they have not seen. */
export function ChangedElsewhere({
  mutation: { problem, clear },
  onReload,
}: {
  readonly mutation: Mutation;
  readonly onReload: () => void;
}) {
  const messages = useEnvironmentViewMessages();
  if (problem?.code !== 'ENVIRONMENT_CHANGED') return null;
  return (
    <Notice tone="warning" role="alert">
      <p>{messages.changedElsewhere}</p>
      <p className="notice-actions">
        <Action
          onPress={() => {
            clear();
            onReload();
          }}
        >
          {messages.reload}
        </Action>
      </p>
    </Notice>
  );
}

/** The same without the problem that {@link ChangedElsewhere} shows. */
export const withoutConflict = (mutation: Mutation): Mutation =>
  mutation.problem?.code === 'ENVIRONMENT_CHANGED' ? { ...mutation, problem: null } : mutation;
