import type { Page } from 'playwright-core';

/** Presses of one view: lists repeat the controls of their first rows. */
const MAX_PRESSES = 25;

/** A control that has the focus. */
interface Focused {
  /** Its place among the controls of the view; null for others. */
  readonly place: number | null;
  readonly text: string;
  readonly isMarked: boolean;
}

declare global {
  interface Window {
    /** The controls after the heading, in their order. */
    controlsOfView?: readonly Element[];
  }
}

/**
 * Walks through a view with the tab key, beginning at its heading. Returns one line for each control that it leaves out, and for each
 * whose focus cannot be seen.
 */
export async function findKeyboardProblems(page: Page, view: string): Promise<string[]> {
  const count = await page.evaluate(rememberControls);
  const problems: string[] = [];
  let next = 0;
  for (let presses = 0; presses < MAX_PRESSES && next < count; presses++) {
    await page.keyboard.press('Tab');
    const { place, text, isMarked } = await page.evaluate(describeFocus);
    // Some controls have several parts: dates, frames, and what browsers let users scroll.
    if (place === null || place === next - 1) continue;
    if (place !== next) {
      problems.push(`${view}: the tab key leads from control ${next} to ${place} (${text})`);
      break;
    }
    if (!isMarked) problems.push(`${view}: the focus of ${text} is not visible`);
    next++;
  }
  if (count > 0 && next === 0) problems.push(`${view}: no control is reached`);
  return problems;
}

/** Returns their number. */
function rememberControls(): number {
  const heading = document.querySelector('h1')!;
  heading.focus();
  const inMain = document.querySelectorAll<HTMLElement>(
    'main :is(a[href], button, input, select, textarea, summary, iframe, [tabindex])',
  );
  window.controlsOfView = [...inMain].filter(
    (control) =>
      control.tabIndex >= 0 &&
      !control.matches(':disabled') &&
      control.checkVisibility() &&
      heading.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return window.controlsOfView.length;
}

function describeFocus(): Focused {
  const focused = document.activeElement!;
  const place = window.controlsOfView!.indexOf(focused);
  const hasOutline = (element: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  // The box of an input has the outline instead of the input. A frame shows the focus inside of it.
  const box = focused.closest('.box');
  const isMarked = focused.tagName === 'IFRAME' || hasOutline(focused) || (box !== null && hasOutline(box));
  const text = focused.getAttribute('aria-label') ?? focused.textContent?.trim().slice(0, 40) ?? '';
  return { place: place === -1 ? null : place, text: `${focused.tagName.toLowerCase()} “${text}”`, isMarked };
}
