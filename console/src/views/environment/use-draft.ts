import type { ManagedEnvironment } from '@docfetch/sdk';
import { useState } from 'react';

/**
 * Input that begins with the stored settings. It is reset when these have changed, without a new form, so that the focus stays.
 */
export function useDraft<Draft>(
  environment: ManagedEnvironment,
  draftOf: (environment: ManagedEnvironment) => Draft,
): [Draft, (draft: Draft) => void] {
  const [state, setState] = useState(() => ({ draft: draftOf(environment), of: environment.updated_at }));
  if (state.of !== environment.updated_at) setState({ draft: draftOf(environment), of: environment.updated_at });
  return [state.draft, (draft) => setState({ draft, of: environment.updated_at })];
}
