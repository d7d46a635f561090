import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../../shared/usage-error';
import { readSecret, type Terminal } from '../../shared/terminal';

/** An input that a command asks for. */
export interface AskedInput {
  readonly id: string;
  readonly label: string;
  readonly isSecret: boolean;
}

/** The credentials as a JSON object on standard input. @throws UsageError that does not repeat the input */
export async function readCredentials(terminal: Terminal): Promise<Record<string, unknown>> {
  const given = await readSecret(terminal).then(parsed);
  if (given !== null && typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>;
  throw new UsageError('--credentials-stdin needs a JSON object on standard input, such as {"api_key": "…"}.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the error would repeat the text
  }
}

/** Asks for one line per input. Secrets are not shown while they are typed; an empty line is no input. */
export async function askCredentials(
  { stdin, stderr }: Terminal,
  inputs: readonly AskedInput[],
): Promise<Record<string, string>> {
  let isHidden = false;
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      if (isHidden) done();
      else stderr.write(chunk, done);
    },
  });
  const isTerminal = (stdin as Partial<NodeJS.ReadStream>).isTTY === true;
  const lines = createInterface({ input: stdin, output, terminal: isTerminal, prompt: '' });
  const answers = lines[Symbol.asyncIterator]();
  const values: Record<string, string> = {};
  try {
    for (const { id, label, isSecret } of inputs) {
      stderr.write(`${label}${isSecret ? ' (not shown)' : ''}: `);
      isHidden = isSecret || !isTerminal;
      const { done, value } = await answers.next();
      isHidden = false;
      if (isSecret || !isTerminal) stderr.write('\n');
      if (done) break;
      if (value !== '') values[id] = value;
    }
  } finally {
    lines.close();
  }
  return values;
}
