import { useState } from 'react';
import { Action } from '../components/action';
import { lazy } from '../components/lazy';
import { useMessages } from '../messages/use-messages';

const MissingSourceForm = lazy(() =>
  import('./missing-source-form').then(({ MissingSourceForm: component }) => component),
);

/** A button that opens the form for a source that is not in the list; the form starts with the text of the search. */
export function MissingSource({ query }: { query: string }) {
  const { messages } = useMessages();
  const [state, setState] = useState<'closed' | 'open' | 'canceled'>('closed');
  return (
    <section className="missing">
      {state === 'open' ? (
        <MissingSourceForm initialText={query.trim()} cancel={() => setState('canceled')} />
      ) : (
        <Action autoFocus={state === 'canceled'} onPress={() => setState('open')}>
          {messages.choose.missing.title}
        </Action>
      )}
    </section>
  );
}
