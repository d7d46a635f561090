import type { Docfetch, Integration } from '@docfetch/sdk';
import { loadIntegration } from '../../api/integrations';
import { lazy } from '../../components/lazy';

/** The steps to a password, which few integrations have. */
export const CredentialSteps = lazy(() =>
  import('./credential-steps').then(({ CredentialSteps: component }) => component),
);

/** The integration, and the component for its steps, so that nothing moves when it is rendered. */
export async function loadSetup(client: Docfetch, id: string): Promise<Integration | null> {
  const integration = await loadIntegration(client, id);
  if (integration?.help_steps.length) await CredentialSteps.preload().catch(() => undefined);
  return integration;
}
