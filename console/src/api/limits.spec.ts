import { components } from '../../../openapi.json';
import { LIMITS } from './limits';

const { ConsoleRedeliveryRequest: redelivery, RotateSigningSecretRequest: rotation } = components.schemas;
const { UpdateEnvironmentRequest: settings, SandboxDocumentsRequest: sandbox } = components.schemas;
const MIB = 1024 * 1024;

describe('the limits that the console shows', () => {
  it('are those of the API', () => {
    const { retention_days: days, retention_delivered_days: daysAfter, push_limit_bytes: push } = settings.properties;
    expect(LIMITS).toEqual({
      redeliveredDocuments: { max: redelivery.properties.transaction_uuids.maxItems },
      graceHours: {
        min: rotation.properties.grace_hours.minimum,
        max: rotation.properties.grace_hours.maximum,
        default: rotation.properties.grace_hours.default,
      },
      retentionDays: { min: days.minimum, max: days.maximum },
      pushLimitMib: { min: push.minimum / MIB, max: push.maximum / MIB },
      fetchIntervalMinutes: { min: settings.properties.fetch_interval_minutes.minimum },
      sandboxDocuments: { min: sandbox.properties.count.minimum, max: sandbox.properties.count.maximum },
    });
    expect([daysAfter.minimum, daysAfter.maximum]).toEqual([days.minimum, days.maximum]);
  });
});
