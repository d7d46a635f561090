import { type Query, useQuery } from '../../../ui/src/api/use-query';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { useConsole } from '../session/console-session';

/** Loads data for a view, and again after a change of the language or a new sign-in. */
export function useData<T>(load: () => Promise<T>, key: string): Query<T> {
  const { lang } = useMessages();
  const { epoch, environmentUuid } = useConsole();
  return useQuery(load, `${key} ${lang} ${environmentUuid} ${epoch}`);
}
