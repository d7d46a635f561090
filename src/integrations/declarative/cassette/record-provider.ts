import type { FieldInput } from '../../core/validate-fields';
import type { CompiledProvider } from '../compile/provider';
import { textOf } from '../language/expressions/evaluate';
import type { ProviderManifest } from '../language/manifest';
import { baseOf } from '../run/provider-client';
import { type Cassette, cassetteText } from './cassette';
import { describeDifference, firstDifference } from './first-difference';
import { RecordingNetwork } from './recording-network';
import { Addresses } from './redact/addresses';
import { assertNoSecrets } from './redact/assert-no-secrets';
import { namedValues, statedHeaders } from './redact/named-values';
import { Pseudonyms } from './redact/pseudonyms';
import { AnswerRedactor } from './redact/redact-answers';
import { inOrder, ReplayingNetwork } from './replaying-network';
import { type ProviderAccess, type RunLimits, type RunResult, runProvider } from './run-provider';

/** What takes the place of secrets. */
const PLACEHOLDER = 'placeholder';

/** There is no recording; the message is for the person who wants one. */
export class RecordingFailed extends Error {}

export interface Recording {
  readonly cassette: Cassette;
  readonly text: string;
  /** What the provider's real answers lead to and their pseudonyms do not. */
  readonly deviation: string | null;
}

/**
 * Runs a provider's file against the provider and makes a cassette of it. The answers get pseudonyms first; then the file runs over
 * those without network and credentials, and the requests of that second run are the ones that the cassette contains. So no secret
 * and no real id can be in a request.
 * @throws RecordingFailed, and as `runProvider`
 */
export async function recordProvider(
  manifest: ProviderManifest,
  provider: CompiledProvider,
  access: ProviderAccess,
  limits: RunLimits,
): Promise<Recording> {
  const network = new RecordingNetwork(access.network);
  const live = await runProvider(provider, { ...access, network }, limits);
  const { exchanges } = network;
  if (exchanges.some(({ status }) => status === 206))
    throw new RecordingFailed('A download was cut off. Record again.');

  const named = namedValues(manifest);
  const addresses = new Addresses(manifest, access.apiBaseUrl, (by) =>
    baseOf(provider, placeholdersOf(manifest, access.fields, by)),
  );
  const pseudonyms = new Pseudonyms(named, addresses.pseudonymOf);
  const redactor = new AnswerRedactor(named, pseudonyms);
  const answers = [];
  for (const exchange of exchanges) answers.push(await redactor.redact(exchange));

  const fields = placeholdersOf(manifest, access.fields, pseudonyms);
  const base = baseOf(provider, fields);
  const replay = new ReplayingNetwork(inOrder(answers), base, statedHeaders(manifest));
  const redacted = { ...access, fields, accessToken: PLACEHOLDER, network: replay, apiBaseUrl: base };
  const result = await runProvider(provider, redacted, limits).catch((error: unknown) => {
    throw new RecordingFailed(`The pseudonyms of the answers do not fit the file: ${String(error)}`);
  });
  if (replay.missing || replay.requests.length !== answers.length)
    throw new RecordingFailed(
      `With the pseudonyms of the answers, the file sends other requests: ${differenceOf(live, result) ?? 'more or fewer'}.`,
    );

  const cassette: Cassette = {
    docfetch_cassette: 1,
    provider: provider.id,
    language: manifest.docfetch,
    host: hostOf(access.apiBaseUrl === baseOf(provider, access.fields) ? manifest.base : access.apiBaseUrl),
    recorded_at: access.now.toISOString(),
    limits,
    fields,
    kept: Object.fromEntries([...redactor.kept].sort(([a], [b]) => (a < b ? -1 : 1))),
    exchanges: answers.map((answer, at) => ({ request: replay.requests[at]!, answer })),
    result,
  };
  const text = cassetteText(cassette);
  assertNoSecrets(text, [
    ...secretsOf(manifest, access.fields),
    ...(access.accessToken === null ? [] : [access.accessToken]),
  ]);
  return { cassette, text, deviation: differenceOf(live, result) };
}

/** The host of an address. That of a manifest may begin with a field, whose value it does not contain. */
const hostOf = (address: string): string => address.split('/')[2]!;

const isSecret = ({ auth }: ProviderManifest, id: string): boolean => auth.fields?.[id]?.secret === true;

/** The values of the secret fields. */
const secretsOf = (manifest: ProviderManifest, fields: FieldInput): string[] =>
  Object.entries(fields).flatMap(([id, value]) => (isSecret(manifest, id) ? [textOf(value)] : []));

/** The beginning of a secret is kept where the file names it, because it says which account it belongs to. */
function placeholdersOf(manifest: ProviderManifest, fields: FieldInput, pseudonyms: Pseudonyms): FieldInput {
  const { auth, account } = manifest;
  return Object.fromEntries(
    Object.entries(fields).map(([id, value]) => {
      // The time zone is one of a list.
      if (auth.fields?.[id] === undefined) return [id, value];
      const text = textOf(value);
      if (!isSecret(manifest, id)) return [id, pseudonyms.text(text)];
      const starts = [
        ...(auth.fields[id].format?.starts ?? []),
        ...(account.mode?.field === id ? [account.mode.starts] : []),
      ];
      return [id, (starts.find((start) => text.startsWith(start)) ?? '') + PLACEHOLDER];
    }),
  );
}

/** The first difference in the form of two results: which members exist, not their values. */
function differenceOf(live: RunResult, result: RunResult): string | null {
  const difference = firstDifference(formOf(live.streams), formOf(result.streams), 'streams');
  return difference && describeDifference(difference);
}

function formOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => formOf(element));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, formOf(each, member)]));
  if (name === 'type' || name === 'mime_type') return value;
  // The class of a failure, not its sentence.
  return name === 'error' ? String(value).split(':')[0] : typeof value;
}
