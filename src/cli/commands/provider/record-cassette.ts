import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { loadSettings } from '../../../bootstrap/load-settings';
import { STARTDATE_FIELD } from '../../../integrations/core/field';
import type { Integration } from '../../../integrations/core/integration';
import { SourceError } from '../../../integrations/core/source-errors';
import { validateFields } from '../../../integrations/core/validate-fields';
import {
  type Recording,
  RecordingFailed,
  recordProvider,
} from '../../../integrations/declarative/cassette/record-provider';
import { baseOf } from '../../../integrations/declarative/run/provider-client';
import { TIME_ZONE_FIELD } from '../../../integrations/shared/tree-sync/selection/file-selection-fields';
import { GuardedNetwork } from '../../../platform/network/guarded-network';
import { RateLimitedNetwork } from '../../../platform/network/rate-limited-network';
import { askCredentials, readCredentials } from './credentials';
import type { Print } from '../../shared/print';
import { readProvider } from './provider-file';
import type { Terminal } from '../../shared/terminal';
import { UsageError } from '../../shared/usage-error';

export interface RecordOptions {
  readonly credentialsStdin?: boolean;
  readonly documents?: number;
  readonly downloads?: number;
  readonly out?: string;
  readonly json?: boolean;
}

/** The input for providers with OAuth. A field of others may have the same name. */
const ACCESS_TOKEN = 'access_token';
/** Fields that are not asked for. */
const HAVE_DEFAULTS: readonly string[] = [STARTDATE_FIELD.id, TIME_ZONE_FIELD.id];

/** `provider record`. */
export class RecordCassette {
  constructor(
    private readonly print: Print,
    private readonly terminal: Terminal,
  ) {}

  /** @throws UsageError when nothing can be recorded */
  async record(name: string, options: RecordOptions): Promise<void> {
    const { integration, manifest, provider } = await readProvider(name);
    const settings = loadSettings();
    const { fields, accessToken } = await this.access(integration, options);
    const guarded = new GuardedNetwork({ allow: settings.networkAllow });
    const network = new RateLimitedNetwork(guarded, paced(integration.rateLimits.requestsPerSecond));
    const apiBaseUrl = settings.providers[integration.id]?.apiBaseUrl ?? baseOf(provider, fields);
    const access = { fields, accessToken, network, apiBaseUrl, now: new Date(), signal: new AbortController().signal };
    const limits = { documents: options.documents ?? 5, downloads: options.downloads ?? 2 };
    try {
      const recording = await recordProvider(manifest, provider, access, limits);
      const out = options.out ?? `${integration.id}.cassette.json`;
      await writeFile(out, recording.text);
      this.report(recording, out, options);
    } catch (error) {
      if (error instanceof SourceError) throw new UsageError(`Nothing is recorded: ${error.name}: ${error.message}`);
      throw error instanceof RecordingFailed ? new UsageError(error.message) : error;
    } finally {
      await guarded.close();
    }
  }

  private async access(integration: Integration, { credentialsStdin }: RecordOptions) {
    const { step1, oauth } = integration;
    const { [ACCESS_TOKEN]: token, ...fields } = credentialsStdin
      ? await readCredentials(this.terminal)
      : await this.ask(integration);
    if (oauth && (typeof token !== 'string' || token === '')) throw new UsageError(howToAuthorize(integration));
    const { values, invalidFields } = validateFields(
      step1,
      oauth || token === undefined ? fields : { ...fields, [ACCESS_TOKEN]: token },
    );
    const [invalid] = invalidFields;
    if (invalid) throw new UsageError(`${invalid.field.replace('fields.', '')} is missing or wrong: ${invalid.code}.`);
    return { fields: values, accessToken: oauth ? (token as string) : null };
  }

  private ask(integration: Integration): Promise<Record<string, unknown>> {
    const inputs = integration.step1
      .filter(({ id }) => !HAVE_DEFAULTS.includes(id))
      .map(({ id, label, secret = false }) => ({ id, label: label.en, isSecret: secret }));
    if (integration.oauth) {
      this.terminal.stderr.write(`${howToAuthorize(integration)}\n`);
      inputs.push({ id: ACCESS_TOKEN, label: 'Access token', isSecret: true });
    }
    return askCredentials(this.terminal, inputs);
  }

  private report({ cassette, deviation }: Recording, out: string, { json }: RecordOptions): void {
    const { provider, host, exchanges, kept, result } = cassette;
    const counts = Object.entries(result.streams).map(([stream, found]) => {
      if ('error' in found) return { stream, error: found.error };
      const downloads = found.documents.flatMap(({ content }) => content ?? []);
      return {
        stream,
        documents: found.documents.length,
        downloads: downloads.filter((content) => !('error' in content)).length,
        failed_downloads: downloads.flatMap((content) => ('error' in content ? content.error : [])),
      };
    });
    const view = { file: out, provider, host, requests: exchanges.length, streams: counts, kept, deviation };
    this.print.result(json, view, [
      `${out}: ${exchanges.length} requests to ${host}`,
      ...counts.map((each) =>
        each.error === undefined
          ? `${each.stream}: ${each.documents} documents, ${each.downloads} downloaded${each.failed_downloads.map((error) => `; ${error}`).join('')}`
          : `${each.stream}: ${each.error}`,
      ),
      'In clear:',
      ...Object.entries(kept).map(([path, reason]) => `  ${path} (${reason})`),
      '  true, false, null, numbers of one digit, and the names of members',
      ...(deviation === null ? [] : [`The real answers lead to something else than their pseudonyms: ${deviation}`]),
    ]);
  }
}

/** Delays requests so that the provider's limit is kept. */
function paced(perSecond: number): () => Promise<void> {
  let free = 0;
  return async () => {
    const now = performance.now();
    const at = Math.max(now, free);
    free = at + 1000 / perSecond;
    if (at > now) await pause(at - now);
  };
}

function howToAuthorize({ name, oauth }: Integration): string {
  const scopes = [...new Set([...oauth!.scopes, ...(oauth!.scopesFor?.({}) ?? [])])].join(' ');
  return (
    `${name.en} uses OAuth: give an access token (${ACCESS_TOKEN}). Authorize an OAuth client that you have registered there, ` +
    `at ${oauth!.authorizeUrl}${scopes === '' ? '' : ` with the scopes ${scopes}`}; the answer of ${oauth!.tokenUrl} ` +
    'contains the token. It is used for this recording only and not stored.'
  );
}
