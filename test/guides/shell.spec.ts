import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGuide } from './guide';
import { runSteps } from './shell';

const fenced = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const inAll = (ts: string) => fenced('ts', ts) + fenced('python', 'pass') + fenced('php', '<?php');

describe('The steps of a guide', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'docfetch-steps-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const GUIDE = [
    fenced('sh', 'export NAME=world; OTHER=hidden'),
    fenced('sh', 'GREETING="hello $NAME"; echo "$GREETING from sh"'),
    inAll('const greeting: string = `hello ${process.env.NAME}`;\nconsole.log(`${greeting} from ts`);'),
    fenced('sh', 'echo "between, ${GREETING:-without a greeting}"'),
    fenced('sh', 'echo "$GREETING again from sh"'),
    inAll('console.log(`${greeting} again from ts`, process.env.OTHER);'),
  ].join('\n');

  async function outputs(markdown: string, language: 'ts' | null): Promise<string[]> {
    const { steps, problems } = readGuide('example', markdown);
    expect(problems).toEqual([]);
    const printed: string[] = [];
    for await (const { problem, stdout, stderr } of runSteps(steps, {
      folder,
      cwd: folder,
      env: process.env,
      language,
    })) {
      printed.push(problem === null ? stdout.trim() : `${problem}: ${/^\w*Error: .*/m.exec(stderr)?.[0]}`);
    }
    return printed;
  }

  it('run in one shell', async () => {
    expect(await outputs(GUIDE, null)).toEqual([
      '',
      'hello world from sh',
      'between, hello world',
      'hello world again from sh',
    ]);
  });

  it('run as one program where they exist in its language, which has the exported variables only', async () => {
    expect(await outputs(GUIDE, 'ts')).toEqual([
      '',
      'hello world from ts',
      'between, without a greeting',
      'hello world again from ts undefined',
    ]);
  });

  it('end with the first that fails in the program', async () => {
    const failing = [
      fenced('sh', 'echo 1'),
      inAll('console.log(1);'),
      fenced('sh', 'echo 2'),
      inAll("throw new RangeError('no');"),
    ];
    expect(await outputs(failing.join('\n'), 'ts')).toEqual(['1', 'status 1: RangeError: no']);
  });
});
