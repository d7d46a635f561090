import type { ProblemKind } from '../../../ui/src/api/problem';
import type { Query } from '../../../ui/src/api/use-query';
import { Action } from '../../../ui/src/components/action';
import { Notice } from '../../../ui/src/components/notice';
import { useMessages } from '../../../ui/src/messages/use-messages';

/** An environment that is not allowed or does not exist has no other parts either, and the view says so. */
const SAID_BY_VIEW: readonly ProblemKind[] = ['forbidden', 'not-found'];

/** Says that a part of a view could not be loaded, without which the rest of it is still useful. */
export function LoadNotice<T>({ query, text }: { readonly query: Query<T>; readonly text: string }) {
  const { messages } = useMessages();
  const { data, problem, loading, reload } = query;
  if (data !== null || problem === null || SAID_BY_VIEW.includes(problem.kind)) return null;
  return (
    <Notice tone="warning" role="alert">
      <p>{[text, problem.detail].filter(Boolean).join(' ')}</p>
      <p className="notice-actions">
        <Action onPress={() => void reload()} busy={loading}>
          {messages.retry}
        </Action>
      </p>
    </Notice>
  );
}
