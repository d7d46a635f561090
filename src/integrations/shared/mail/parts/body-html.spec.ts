import { bodyDocument, type BodyImage, contentId, shownImages } from './body-html';

const PNG: BodyImage = { mimeType: 'image/png', content: Buffer.from('pixels') };
const html = (text: string, images: Record<string, BodyImage> = {}) =>
  bodyDocument({
    kind: 'html',
    text,
    subject: 'Rechnung <7> & mehr',
    images: new Map(Object.entries(images)),
  }).toString();
const inBody = (text: string, images?: Record<string, BodyImage>) =>
  /<body>\n([\s\S]*)\n<\/body>/.exec(html(text, images))![1];

describe('bodyDocument', () => {
  it('keeps the layout of an invoice', () => {
    const table =
      '<table cellpadding="4"><tr><td style="text-align:right;color:#333" colspan="2">1.190,00 €</td></tr></table>';
    expect(inBody(table)).toBe(table);
    expect(inBody('<p>Grüße</p>')).toBe('<p>Grüße</p>');
  });

  it('embeds the mail’s images, and replaces others by their alternative text', () => {
    expect(inBody('<img src="CID:Logo%40x" alt="Logo">', { 'logo@x': PNG })).toBe(
      `<img alt="Logo" src="data:image/png;base64,${Buffer.from('pixels').toString('base64')}" />`,
    );
    expect(inBody('<img src="cid:fort" alt="Logo"><img src="https://t.example/p.gif?you" width="1">')).toBe(
      '<span>Logo</span><span></span>',
    );
    const svg = { mimeType: 'image/svg+xml', content: Buffer.from('<svg onload="x()"/>') };
    expect(inBody('<img src="cid:a">', { a: svg })).toBe('<span></span>');
  });

  it.each([
    '<script>alert(1)</script>',
    '<p onclick="alert(1)">a</p>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href=" java\nscript:alert(1)">a</a>',
    '<iframe src="https://x.example/alert"></iframe>',
    '<style>@import url(https://x.example/alert.css)</style>',
    '<link rel=stylesheet href="https://x.example/alert.css">',
    '<div style="background-image:url(https://x.example/alert.png)">a</div>',
    '<div style="background-color:u\\72l(https://x.example/alert.png)">a</div>',
    '<div style="width: expression(alert(1))">a</div>',
    '<table background="https://x.example/alert.png"><tr><td>a</td></tr></table>',
    '<video poster="https://x.example/alert.png" src="https://x.example/alert"></video>',
    '<img src="x" srcset="https://x.example/alert.png 2x">',
    '<img src="//x.example/alert.png">',
    '<img src="data:image/svg+xml;base64,YWxlcnQ=">',
    '<svg><image href="https://x.example/alert.png"/></svg>',
    '<form action="https://x.example/alert"><input name=a></form>',
    '<base href="https://x.example/alert/">',
    '<meta http-equiv="refresh" content="0;url=https://x.example/alert">',
    '<object data="https://x.example/alert"></object>',
    '<!--[if mso]><img src="https://x.example/alert.png"><![endif]-->',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  ])('removes %s', (hostile) => expect(inBody(hostile)).not.toMatch(/alert|x\.example|YWxlcnQ/));

  it('is a complete document with a restrictive policy and the subject as title', () => {
    const whole = html('<html><head><title>x</title></head><body><p>a</p></body></html>');
    expect(whole).toMatch(/^<!DOCTYPE html>/);
    expect(whole).toContain('<title>Rechnung &lt;7&gt; &amp; mehr</title>');
    expect(whole).toContain("default-src 'none'");
    expect(whole.match(/<body>/g)).toHaveLength(1);
    expect(inBody('<html><head><title>x</title></head><body><p>a</p></body></html>')).toBe('<p>a</p>');
  });

  it('keeps plain text unchanged', () => {
    const text = 'Betrag: 5 < 6\n  "ok" <script>alert(1)</script>';
    expect(bodyDocument({ kind: 'text', text, subject: '', images: new Map() }).toString()).toContain(
      '5 &lt; 6\n  &quot;ok&quot; &lt;script&gt;',
    );
  });

  it('finds the images that a text refers to', () => {
    expect([...shownImages(`<img src="cid:A@b"> <IMG SRC='cid:c%2Bd'> <img src=cid:e> <img src="https://f">`)]).toEqual(
      ['a@b', 'c+d', 'e'],
    );
    expect(contentId('<A@b>')).toBe('a@b');
  });
});
