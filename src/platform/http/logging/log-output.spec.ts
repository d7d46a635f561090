import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogOutput } from './log-output';

describe('The output of the log', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'docfetch-log-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps 16 MiB of lines that cannot be written yet, and says how many others were lost', async () => {
    const file = join(folder, 'log');
    const output = openLogOutput(file);
    const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
    // The loop never waits, so nothing is written meanwhile.
    for (let n = 0; n < 20; n++) output.write(line);
    await once(output, 'drain');
    output.write('later\n');
    output.end();
    await once(output, 'close');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.slice(0, -2).map(({ length }) => length + 1)).toEqual(Array<number>(16).fill(line.length));
    expect(JSON.parse(lines.at(-2)!)).toMatchObject({
      level: 40,
      msg: 'The log was not read in time: 4 lines were lost.',
    });
    expect(lines.at(-1)).toBe('later');
  });

  it('survives a disk that is full, and keeps the lines until they can be written', async () => {
    const output = openLogOutput('/dev/full');
    expect(() => output.emit('error', new Error('ENOSPC'))).not.toThrow();
    output.write('while the disk is full\n');
    await once(output, 'error');
    const file = join(folder, 'log');
    output.reopen(file);
    await once(output, 'drain');
    output.end();
    await once(output, 'close');
    expect(readFileSync(file, 'utf8')).toBe('while the disk is full\n');
  });
});
