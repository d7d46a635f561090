import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Language } from './guide';

// cspell:words mkfifo
const SDK = resolve(__dirname, '../../../sdk/typescript');

/** How a program of each language begins, tells the shell that a part is done (descriptor 3), and waits for its turn. */
const RUNTIMES: Readonly<Record<Language, { file: string; command: string; prelude: string; next: string }>> = {
  ts: {
    file: 'program.mts',
    command: 'node --disable-warning=ExperimentalWarning',
    prelude: [
      "import { readSync as __read, writeSync as __write } from 'node:fs';",
      'const __wait = () => __read(0, Buffer.alloc(1));',
      "const __next = () => (__write(3, '\\n'), __wait());",
      '__wait();',
    ].join('\n'),
    next: '__next();',
  },
  python: {
    file: 'program.py',
    command: 'python3',
    prelude: [
      'def __next():',
      '    import os, sys',
      '    sys.stdout.flush()',
      '    os.write(3, b"\\n")',
      '    os.read(0, 1)',
      'import os; os.read(0, 1)',
    ].join('\n'),
    next: '__next()',
  },
  php: {
    file: 'program.php',
    command: 'php',
    prelude: [
      '<?php',
      'error_reporting(E_ALL);',
      'function __next(): void { file_put_contents(\'php://fd/3\', "\\n"); fread(STDIN, 1); }',
      'fread(STDIN, 1);',
    ].join('\n'),
    next: '__next();',
  },
};

/**
 * The blocks of one language of a guide as one program, which runs beside the shell: at each of its steps the shell lets it
 * continue until the end of the block. It starts with the exported variables of the shell at its first step.
 */
export class ProgramFile {
  private readonly parts: string[] = [];
  private readonly runtime;

  constructor(
    language: Language,
    private readonly folder: string,
  ) {
    this.runtime = RUNTIMES[language];
  }

  /** Adds the block of a step. Returns the commands that let it run and write its output to `<step>.out`. */
  add(step: number, text: string): string {
    const isFirst = this.parts.push(text.replace(/^<\?php\n/, '')) === 1;
    const [go, done, out, err] = ['go', 'done', 'program.out', 'program.err'].map((name) => `"$GUIDE_FOLDER/${name}"`);
    const start = [
      `mkfifo ${go} ${done}`,
      `${this.runtime.command} "$GUIDE_FOLDER/${this.runtime.file}" <${go} >${out} 2>${err} 3>${done} &`,
      `exec 8>${go} 9<${done}`,
    ];
    return [
      ...(isFirst ? start : []),
      `PRINTED=$(wc -c <${out})`,
      'echo >&8',
      `read -r <&9 || { cp ${err} "$GUIDE_FOLDER/${step}.err"; exit 1; }`,
      `tail -c +$((PRINTED + 1)) ${out} >"$GUIDE_FOLDER/${step}.out"`,
    ].join('\n');
  }

  write(): void {
    const { file, prelude, next } = this.runtime;
    const text = [prelude, ...this.parts.flatMap((part) => [part, next])].join('\n');
    writeFileSync(join(this.folder, file), `${text}\n`);
    // What `npm install @docfetch/sdk` brings.
    const scope = join(this.folder, 'node_modules/@docfetch');
    mkdirSync(scope, { recursive: true });
    symlinkSync(SDK, join(scope, 'sdk'));
  }
}
