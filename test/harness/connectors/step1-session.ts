import type { Integration } from '../../../src/integrations/core/integration';
import { ServerTrust } from '../../../src/integrations/core/server-trust';
import { validateStep1 } from '../../../src/integrations/shared/trust/step1-input';

/** What a session gets of step-1 input that is right; `trusted_fingerprint` may be among it. */
export function step1Session(integration: Integration, input: Readonly<Record<string, unknown>>) {
  const { values, faults, accepted } = validateStep1(integration, input);
  expect(faults).toEqual([]);
  return { fields: values, trust: ServerTrust.of(integration, values, { accepted }) };
}
