import { SourceError } from '../../core/source-errors';
import type { CompiledProvider } from '../compile/provider';
import type { ProviderManifest } from '../language/manifest';
import type { Cassette, RecordedExchange, RecordedRequest } from './cassette';
import { baseOf } from '../run/provider-client';
import { describeDifference, firstDifference } from './first-difference';
import { statedHeaders } from './redact/named-values';
import { byRequest, ReplayingNetwork } from './replaying-network';
import { type RunResult, runProvider } from './run-provider';

interface ProviderFile {
  readonly manifest: ProviderManifest;
  readonly provider: CompiledProvider;
}

/**
 * Runs a provider's file over the answers of a cassette, without network.
 * @returns the first difference from what was recorded, as a sentence without a full stop; null when the file fits
 */
export async function replayProvider({ manifest, provider }: ProviderFile, cassette: Cassette): Promise<string | null> {
  const { exchanges, fields, limits, recorded_at: recordedAt } = cassette;
  const base = baseOf(provider, fields);
  const network = new ReplayingNetwork(byRequest(exchanges), base, statedHeaders(manifest));
  const access = { fields, accessToken: 'placeholder', network, apiBaseUrl: base, now: new Date(recordedAt) };
  let result: RunResult | SourceError;
  try {
    result = await runProvider(provider, { ...access, signal: new AbortController().signal }, limits);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    result = error;
  }
  if (network.missing) return describeMissing(network.missing, exchanges);
  if (result instanceof SourceError) return `${result.name}: ${result.message}`;
  const difference = firstDifference(cassette.result, result);
  return difference && describeDifference(difference);
}

/** How a request without an answer differs from the recorded ones. */
function describeMissing(request: RecordedRequest, exchanges: readonly RecordedExchange[]): string {
  const what = `${request.method} ${pathOf(request)}`;
  const similar = exchanges.map((each) => each.request).filter((each) => `${each.method} ${pathOf(each)}` === what);
  const [closest] = similar.sort((a, b) => distance(a, request) - distance(b, request));
  const difference = closest && firstDifference(partsOf(closest), partsOf(request));
  return difference ? `${what}: ${describeDifference(difference)}` : `${what}: the cassette has no such request`;
}

const pathOf = ({ url }: RecordedRequest): string => url.split('?', 1)[0]!;

/** The number of parameters that differ. */
function distance(recorded: RecordedRequest, request: RecordedRequest): number {
  const [before, now] = [partsOf(recorded).query, partsOf(request).query];
  return Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]).length;
}

function partsOf({ url, headers = {}, body }: RecordedRequest) {
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(url, 'http://any').searchParams)
    query[name] = name in query ? `${query[name]},${value}` : value;
  return { query, headers, body };
}
