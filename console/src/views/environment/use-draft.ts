import type { ManagedEnvironment } from '@docfetch/sdk';
import { useState } from 'react';

/** What somebody enters, beginning with the settings as they are. It begins again when these have changed, in the same form: the focus stays. */
export function useDraft<Draft>(
  environment: ManagedEnvironment,
  draftOf: (environment: ManagedEnvironment) => Draft,
): [Draft, (draft: Draft) => void] {
  const [state, setState] = useState(() => ({ draft: draftOf(environment), of: environment.updated_at }));
  if (state.of !== environment.updated_at) setState({ draft: draftOf(environment), of: environment.updated_at });
  return [state.draft, (draft) => setState({ draft, of: environment.updated_at })];
}
