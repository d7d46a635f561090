import type { Integration } from '../../../src/integrations/core/integration';
import { ServerTrust } from '../../../src/integrations/core/server-trust';
import { validateStep1 } from '../../../src/integrations/shared/trust/step1-input';

/** A session from valid step-1 input, which may include `trusted_fingerprint`. */
export function step1Session(integration: Integration, input: Readonly<Record<string, unknown>>) {
  const { values, invalidFields, accepted } = validateStep1(integration, input);
  expect(invalidFields).toEqual([]);
  return { fields: values, trust: ServerTrust.of(integration, values, { accepted }) };
}
