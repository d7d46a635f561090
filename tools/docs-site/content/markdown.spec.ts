interface Options {
  readonly file: string;
  readonly exists: (path: string) => boolean;
}

const MODULE = './markdown.mjs';
let toPage: (markdown: string, options: Options) => string;
beforeAll(async () => ({ toPage } = (await import(MODULE)) as { toPage: typeof toPage }));

const FILES = [
  'docs/guides/quick-start.md',
  'docs/operate/settings.md',
  'docs/adr/0001.md',
  'docs/examples',
  'docs/pictures/a.png',
];
const page = (markdown: string) =>
  toPage(markdown, { file: 'docs/guides/here.md', exists: (path) => FILES.includes(path) });
const fenced = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\``;

describe('A page of the documentation site', () => {
  it.each([
    ['[it](quick-start.md)', '[it](/guides/quick-start)'],
    ['[it](../operate/settings.md#ports)', '[it](/guides/settings#ports)'],
    ['[`it`](../examples)', '[`it`](/guides/examples)'],
    ['![it](../pictures/a.png)', '![it](/guides/pictures/a.png)'],
    ['[settings.md](../operate/settings.md#ports)', '[settings](/guides/settings#ports)'],
    ['[it](https://example.com/x.md) and [that](#below)', '[it](https://example.com/x.md) and [that](#below)'],
    ['`/docs/errors`', '[`/docs/errors`](/docs/errors){:target="_self"}'],
    ['`/docsets` and `GET /docs`', '`/docsets` and `GET /docs`'],
  ])('has for %s the link %s', (written, link) => {
    expect(page(written)).toBe(link);
  });

  it('has the text of a link to a file that is no page', () => {
    expect(page('See [ADR 1](../adr/0001.md).')).toBe('See ADR 1.');
  });

  it('has no comments', () => {
    const written = `Start it:\n\n<!-- Not checked: it runs already. -->\n\n${fenced('sh', 'npm start')}\n`;
    expect(page(written)).toBe(`Start it:\n\n${fenced('sh', 'npm start')}\n`);
  });

  it('cannot be built with a link to a file that does not exist', () => {
    expect(() => page('[it](nowhere.md)')).toThrow('docs/guides/here.md: a link to nowhere.md, which does not exist');
  });

  it('has tabs for the same step in several languages', () => {
    const [sh, ts, python] = [fenced('sh', 'one'), fenced('ts', 'two'), fenced('python', 'three')];
    expect(page([sh, ts, python, fenced('json', '1')].join('\n\n'))).toBe(
      [
        '',
        '::: code-group',
        fenced('sh [curl]', 'one'),
        fenced('ts [TypeScript]', 'two'),
        fenced('python [Python]', 'three'),
        ':::',
        '',
        fenced('json', '1'),
        '',
      ].join('\n'),
    );
  });

  it('has tabs for commands that differ by the language of the reader', () => {
    const blocks = [fenced('sh [Node]', 'one'), fenced('sh [Python]', 'two')];
    expect(page([...blocks, fenced('sh', 'three')].join('\n\n'))).toBe(
      ['', '::: code-group', ...blocks, ':::', '', fenced('sh', 'three'), ''].join('\n'),
    );
  });

  it('has no tabs for steps that follow each other, or with a sentence in between', () => {
    expect(page(`${fenced('sh', 'one')}\n\n${fenced('sh', 'two')}`)).not.toContain(':::');
    expect(page(`${fenced('sh', 'one')}\n\nThen:\n\n${fenced('ts', 'two')}`)).not.toContain(':::');
  });

  it('shows the name of a file that the reader saves', () => {
    expect(page(fenced('js verify.mjs', '1'))).toContain('::: code-group\n```js [verify.mjs]');
  });

  it('leaves code as it is', () => {
    expect(page(fenced('sh', 'echo "[it](nowhere.md)" `/docs`'))).toContain('echo "[it](nowhere.md)" `/docs`');
  });
});
