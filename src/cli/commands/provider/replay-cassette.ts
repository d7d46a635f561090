import { InvalidCassette, parseCassette } from '../../../integrations/declarative/cassette/cassette';
import { replayProvider } from '../../../integrations/declarative/cassette/replay-provider';
import type { Print } from '../../shared/print';
import { UsageError } from '../../shared/usage-error';
import { readProvider, readText } from './provider-file';

export interface ReplayOptions {
  readonly file?: string;
  readonly json?: boolean;
}

/** `provider replay`. @throws UsageError when the file does not fit any more, or cannot be used */
export async function replayCassette(print: Print, file: string, options: ReplayOptions): Promise<void> {
  const cassette = parse(file, await readText(file));
  const compiled = await readProvider(options.file ?? cassette.provider);
  const { provider } = compiled;
  if (provider.id !== cassette.provider)
    throw new UsageError(`${file} is a recording of ${cassette.provider}, not of ${provider.id}.`);
  const difference = await replayProvider(compiled, cassette);
  const { provider: id, host, recorded_at: recordedAt, exchanges } = cassette;
  if (options.json || difference === null) {
    const view = { file, provider: id, host, recorded_at: recordedAt, fits: difference === null, difference };
    const what = `${exchanges.length} requests to ${host}, ${recordedAt.slice(0, 10)}`;
    print.result(options.json, view, [`${file}: the file of ${id} fits (${what})`]);
  }
  if (difference !== null) throw new UsageError(`${file}: the file of ${id} does not fit any more. ${difference}.`);
}

function parse(file: string, text: string) {
  try {
    return parseCassette(text);
  } catch (error) {
    throw error instanceof InvalidCassette ? new UsageError(`${file} ${error.message}.`) : error;
  }
}
