import { createPopupSecret, type Docfetch } from '@docfetch/sdk';
import { useEffect, useRef } from 'react';
import type { Lang } from '../messages/date-format';
import { onMessage, type PopupMessage, sendMessage } from './popup-messages';

const WINDOW = 'popup,width=560,height=760';

interface Popup {
  /** Must be called within the click that opens it; returns false if the browser opens none. */
  readonly open: () => boolean;
  readonly close: () => void;
}

/**
 * Opens the provider in a popup that needs no confirmation page: our own page in the popup asks this page for a secret, which the
 * service creates for this session and authorization.
 */
export function usePopup(
  { client, lang, url }: { readonly client: Docfetch; readonly lang: Lang; readonly url: string | null },
  onResult: (result: PopupMessage & { docfetch: 'result' }) => void,
): Popup {
  const popup = useRef<Window | null>(null);
  const sendSecret = async (target: Window) => {
    try {
      const { data } = await createPopupSecret({ client, body: { authorization_url: url! } });
      sendMessage(target, { docfetch: 'secret', secret: data.secret });
    } catch {
      target.location.replace(url!); // with the confirmation page
    }
  };
  const handle = useRef<(message: PopupMessage) => void>(() => undefined);
  handle.current = (message) => {
    if (message.docfetch === 'ready') void sendSecret(popup.current!);
    if (message.docfetch !== 'result') return;
    popup.current?.close();
    onResult(message);
  };
  useEffect(
    () =>
      onMessage(
        () => popup.current,
        (message) => handle.current(message),
      ),
    [],
  );
  return {
    open: () => {
      const opened = open(`${location.pathname}?popup=${lang}`, '_blank', WINDOW);
      if (!opened) return false;
      popup.current?.close();
      popup.current = opened;
      return true;
    },
    close: () => popup.current?.close(),
  };
}
