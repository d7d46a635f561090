import { mailbox as de } from '../../../ui/src/messages/mailbox/de';
import { mailbox as en } from '../../../ui/src/messages/mailbox/en';
import type { UiContext, Visit, VisitOptions } from './ui-context';

/** Opens the form of a mailbox on any server, whose address is not asked for first. */
export async function visitServerForm(
  ui: UiContext,
  lang: Visit['lang'],
  options: Pick<VisitOptions, 'width'> = {},
): Promise<Visit> {
  const visit = await ui.visit(lang, { ...options, token: { integration_id: 'imap' } });
  await visit.page.getByRole('button', { name: (lang === 'de' ? de : en).manually, exact: true }).click();
  await visit.page.getByText(visit.messages.steps.progress(1, 2)).waitFor();
  return visit;
}
