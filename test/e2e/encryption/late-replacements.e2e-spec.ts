import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { DocumentStore } from '../../../src/documents/store/document-store';
import { ReplaceDataKeys } from '../../../src/encryption/replace-data-keys';
import { ReplaceKeys } from '../../../src/encryption/replace-keys';
import { MetricsCollector } from '../../../src/platform/jobs/monitoring/metrics-collector';
import { Metrics } from '../../../src/platform/metrics/metrics';
import { useTestContext } from '../../harness/app/test-context';
import { EncryptedValues } from '../../harness/encryption/encrypted-values';
import { connectSandbox } from '../../harness/engine/test-engine';

const HOUR = 3600;
const never = new AbortController().signal;

describe('The metrics of replacing data keys', () => {
  const context = useTestContext();
  const get = <T>(type: abstract new (...given: never[]) => T): T => context.app.app.get<T>(type, { strict: false });

  /** The values of a metric by its label. */
  async function valuesOf(name: string): Promise<Record<string, number>> {
    const { values } = await get(Metrics).registry.getSingleMetric(name)!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(Object.values(labels)[0]), value]));
  }

  async function overdue(): Promise<{ count: Record<string, number>; hours: Record<string, number> }> {
    await get(MetricsCollector).collect();
    const ages = Object.entries(await valuesOf('docfetch_data_keys_overdue_oldest_age_seconds'));
    return {
      count: await valuesOf('docfetch_data_keys_overdue'),
      hours: Object.fromEntries(ages.map(([step, seconds]) => [step, Math.round(seconds / HOUR)])),
    };
  }

  it('show new keys that are not in use, former keys that still exist, and what fails', async () => {
    const { environmentUuid } = context.client;
    const connection = await connectSandbox(context.client);
    const key = await new EncryptedValues(context.app.app).keyOf(connection);
    const owner = { uuid: connection, environmentUuid };
    const content = await get(DocumentStore).put(owner, key, Readable.from([randomBytes(100)]), never);
    expect(await valuesOf('docfetch_reencryption_failures_total')).toEqual({ row: 0, content: 0, key: 0 });
    expect(await valuesOf('docfetch_reencrypted_total')).toEqual({ row: 0, content: 0 });

    await get(ReplaceDataKeys).request('cli:test', environmentUuid);
    context.app.clock.advance(590);
    expect(await overdue()).toMatchObject({ count: { activation: 0, destruction: 0 } });
    context.app.clock.advance(3 * HOUR);
    const late = { count: { activation: 2, destruction: 0 }, hours: { activation: 3, destruction: 0 } };
    expect(await overdue()).toEqual(late);
    await context.query(`update environment set fence = 'MOVING' where uuid = $1`, [environmentUuid]);
    expect(await overdue()).toMatchObject({ count: { activation: 0 } });
    await context.query('update environment set fence = null where uuid = $1', [environmentUuid]);

    await context.query('update connection set secrets = substring(secrets for 20) where uuid = $1', [connection]);
    await context.query(`update content_chunk set bytes = bytes || '\\x00' where content_uuid = $1`, [content.uuid]);
    await get(ReplaceKeys).replaceDue();
    expect(await valuesOf('docfetch_reencryption_failures_total')).toEqual({ row: 1, content: 1, key: 0 });
    expect(await valuesOf('docfetch_reencrypted_total')).toMatchObject({ row: 1, content: 0 }); // the signing secrets
    expect(await overdue()).toMatchObject({ count: { activation: 0, destruction: 0 } });

    context.app.clock.advance(27 * HOUR);
    await get(ReplaceKeys).replaceDue();
    const kept = { count: { activation: 0, destruction: 1 }, hours: { activation: 0, destruction: 2 } };
    expect(await overdue()).toEqual(kept);
    await context.query(`update data_key set wrapped_key = '\\x00' where owner_uuid = $1`, [connection]);
    context.app.clock.advance(61);
    await get(ReplaceKeys).replaceDue();
    expect(await valuesOf('docfetch_reencryption_failures_total')).toMatchObject({ row: 2, content: 2, key: 1 });
  });
});
