import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { Check } from '../../../ui/src/components/icons';
import { Copy } from './icons';
import { useConsoleMessages } from '../messages/use-console-messages';

const SHOWN_MS = 2_500;

/** A uuid or another code, with a button that copies it. `label` names it for screen readers. */
export function Copyable({ text, label, short = false }: { text: string; label: string; short?: boolean }) {
  const { copy } = useConsoleMessages();
  const [state, setState] = useState<'done' | 'failed' | null>(null);
  useEffect(() => {
    if (!state) return;
    const timer = setTimeout(() => setState(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const press = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('done');
    } catch {
      setState('failed');
    }
  };
  return (
    <span className="copyable">
      <code title={text}>{short ? `${text.slice(0, 4)}…${text.slice(-6)}` : text}</code>
      <Button className="icon-button" aria-label={copy.action(label)} onPress={() => void press()}>
        {state === 'done' ? <Check /> : <Copy />}
      </Button>
      <span role="status" className={state ? 'copied' : 'visually-hidden'}>
        {state ? copy[state] : ''}
      </span>
    </span>
  );
}
