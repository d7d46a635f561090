import { addressOf, anchorOf, renderGuide } from './render-guide';

describe('renderGuide', () => {
  it('uses the first heading as the title', () => {
    expect(renderGuide('# Push & pull\n\nText.')).toEqual({
      title: 'Push &amp; pull',
      content: '<h1 id="push--pull">Push &amp; pull</h1>\n<p>Text.</p>\n',
    });
  });

  it('renders commands, responses and files, and escapes them', () => {
    expect(renderGuide('```sh\ncat <x >"y"\n```').content).toBe(
      '<pre><code>cat &lt;x &gt;&quot;y&quot;\n</code></pre>\n',
    );
    expect(renderGuide('```json\n1\n```').content).toBe('<pre class="answer"><code>1\n</code></pre>\n');
    expect(renderGuide('```js verify.mjs\n1\n```').content).toBe(
      '<figure><figcaption>verify.mjs</figcaption><pre><code>1\n</code></pre>\n</figure>\n',
    );
  });

  it('links the path of a page', () => {
    expect(renderGuide('See `/docs/errors`.').content).toContain(
      '<a href="/docs/errors"><code>/docs/errors</code></a>',
    );
    expect(renderGuide('See `/docsets`.').content).toBe('<p>See <code>/docsets</code>.</p>\n');
  });

  it.each([
    ['quick-start.md', '/docs/guides/quick-start'],
    ['quick-start.md#a-customer', '/docs/guides/quick-start#a-customer'],
    ['../examples/push-receiver.mjs', '/docs/examples/push-receiver.mjs'],
    ['https://example.com/x.md', 'https://example.com/x.md'],
    ['#below', '#below'],
  ])('converts the link %s to %s', (href, address) => {
    expect(addressOf(href)).toBe(address);
  });

  it('generates the same anchors as GitHub', () => {
    expect(anchorOf('When it’s down: what `200` means')).toBe('when-its-down-what-200-means');
  });
});
