import type { Page } from 'playwright-core';

/**
 * Words that are broken into two lines, and names of columns that are wider than their place in the cards of narrow screens.
 * Numbers and names of the API break where they must.
 */
export async function findBrokenWords(page: Page, name: string): Promise<string[]> {
  return (await page.evaluate(brokenWords)).map((word) => `${name}: ${word}`);
}

function brokenWords(): string[] {
  // Browsers hyphenate only with a dictionary of the language, which some of them do not have.
  const withoutHyphens = new CSSStyleSheet();
  withoutHyphens.replaceSync('* { hyphens: manual !important; }');
  document.adoptedStyleSheets.push(withoutHyphens);
  const found = new Set<string>();
  const texts = document.createTreeWalker(document.querySelector('.console')!, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement!.closest('.visually-hidden, code, pre')) continue;
    for (const { 0: word, index } of (text as Text).data.matchAll(/(?<![\w@.:/-])\p{L}{2,}(?![\w@.:/-])/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.add(word);
    }
  }
  const canvas = document.createElement('canvas').getContext('2d')!;
  for (const cell of document.querySelectorAll<HTMLElement>('td[data-label]')) {
    const { content, font, width } = getComputedStyle(cell, '::before');
    if (content === 'none') continue;
    canvas.font = font;
    const widest = Math.max(...cell.dataset.label!.split(/[\s-]/).map((word) => canvas.measureText(word).width));
    if (widest > Number.parseFloat(width)) found.add(cell.dataset.label!);
  }
  document.adoptedStyleSheets.pop();
  return [...found];
}
