import { commandsOf, isTranslated, LANGUAGES, readGuide, type Step } from './guide';

const fenced = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const RUN = fenced('sh', 'echo 1');
const commandsIn = (steps: readonly Step[]) =>
  steps.flatMap((step) => (step.kind === 'run' ? [null, ...LANGUAGES].map((each) => commandsOf(step, each)) : []));

describe('readGuide', () => {
  it('finds the blocks to run, to save, to compare and to skip', () => {
    const markdown = [
      fenced('js x.mjs', '1'),
      RUN,
      'Prose.\n',
      fenced('json', '1'),
      '<!-- Not checked: it needs a mainframe. -->\n',
      fenced('cobol', 'STOP RUN.'),
    ].join('\n');
    const { steps, exceptions, problems } = readGuide('example', markdown);
    expect(problems).toEqual([]);
    expect(steps).toEqual([
      { kind: 'save', line: 1, file: 'x.mjs', text: '1' },
      {
        kind: 'run',
        line: 5,
        commands: 'echo 1',
        variants: null,
        programs: {},
        answer: { line: 11, language: 'json', text: '1' },
      },
    ]);
    expect(exceptions).toEqual([{ line: 17, language: 'cobol', reason: 'it needs a mainframe.' }]);
  });

  it('takes the blocks directly below commands as the same step in other languages, with the same answer', () => {
    const [ts, python, php] = [fenced('ts', 'one();'), fenced('python', 'one()'), fenced('php', '<?php one();')];
    const { steps, problems } = readGuide('example', [RUN, ts, python, php, fenced('text', '1')].join('\n'));
    expect(problems).toEqual([]);
    expect(steps).toMatchObject([
      { commands: 'echo 1', programs: { ts: 'one();', python: 'one()', php: '<?php one();' }, answer: { text: '1' } },
    ]);
  });

  it('takes labeled blocks of commands as the same step for readers of different languages', () => {
    const [node, python, php] = ['Node', 'Python', 'PHP'].map((label) => fenced(`sh [${label}]`, `echo ${label}`));
    const { steps, problems } = readGuide('example', [node, python, php, fenced('text', '1')].join('\n'));
    expect(problems).toEqual([]);
    expect(steps).toHaveLength(1);
    expect(steps).toMatchObject([{ commands: 'echo Node', answer: { text: '1' } }]);
    expect(commandsIn(steps)).toEqual(['echo Node', 'echo Node', 'echo Python', 'echo PHP']);
    expect([isTranslated(steps[0]!, 'ts'), isTranslated(steps[0]!, 'python')]).toEqual([false, true]);
  });

  it.each([
    [
      'with variants of which one is missing',
      fenced('sh [Node]', '1') + fenced('sh [Python]', '2'),
      /line 1: .*missing in php/,
    ],
    ['that is a variant of another step', RUN + fenced('sh [Python]', '1'), /neither run nor saved/],
    ['with an unknown label', RUN + fenced('sh [Ruby]', '1'), /neither run nor saved/],
    ['that is missing in a language', RUN + fenced('ts', '1') + fenced('python', '1'), /line 1: .*missing in php/],
    [
      'with a sentence before another language',
      `${RUN}In TypeScript:\n\n${fenced('ts', '1')}`,
      /neither run nor saved/,
    ],
    ['that is not run', RUN + fenced('ruby', 'pass'), /neither run nor saved/],
    ['without a language', RUN + fenced('', 'x'), /neither run nor saved/],
    ['that answers nothing', fenced('json', '1') + RUN, /without commands/],
    ['that answers a second time', RUN + fenced('json', '1') + fenced('json', '2'), /without commands/],
    ['that is no JSON', RUN + fenced('json', '{…}'), /no JSON/],
    ['with a comment', fenced('sh', '# so\necho 1'), /a comment/],
  ])('rejects a block %s', (_, markdown, problem) => {
    expect(readGuide('example', markdown).problems).toEqual([expect.stringMatching(problem)]);
  });

  it('rejects a guide in which nothing is run', () => {
    expect(readGuide('example', '# Title').problems).toEqual(['nothing in it is run']);
  });
});
