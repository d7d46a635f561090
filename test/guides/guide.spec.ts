import { readGuide } from './guide';

const fenced = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const RUN = fenced('sh', 'echo 1');

describe('readGuide', () => {
  it('finds the blocks to run, to save, to compare and to skip', () => {
    const markdown = [
      fenced('js x.mjs', '1'),
      RUN,
      'Prose.\n',
      fenced('json', '1'),
      '> Not checked: it needs a mainframe.\n',
      fenced('cobol', 'STOP RUN.'),
    ].join('\n');
    const { steps, exceptions, problems } = readGuide('example', markdown);
    expect(problems).toEqual([]);
    expect(steps).toEqual([
      { kind: 'save', line: 1, file: 'x.mjs', text: '1' },
      { kind: 'run', line: 5, commands: 'echo 1', answer: { line: 11, language: 'json', text: '1' } },
    ]);
    expect(exceptions).toEqual([{ line: 17, language: 'cobol', reason: 'it needs a mainframe.' }]);
  });

  it.each([
    ['that is not run', RUN + fenced('python', 'pass'), /neither run nor saved/],
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
