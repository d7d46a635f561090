import { DocfetchError, redeliverTransaction } from '@docfetch/sdk';
import { useRef, useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { ModalDialog } from '../../../../ui/src/components/modal-dialog';
import { Notice, ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { formatNumber } from '../../messages/dates';
import { useConsoleMessages } from '../../messages/use-console-messages';
import { useConsole } from '../../session/console-session';
import { useTransactionMessages } from './messages/use-transaction-messages';

interface Progress {
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly isOver: boolean;
}

/** Redelivers the chosen documents one after the other, and shows how far it is. */
export function RedeliverSelected({
  selected,
  onDone,
}: {
  readonly selected: ReadonlySet<string>;
  readonly onDone: () => void;
}) {
  const { redeliver } = useTransactionMessages();
  const { close } = useConsoleMessages();
  const { messages, lang } = useMessages();
  const { client } = useConsole();
  const [open, setOpen] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const { mutate, busy, problem, clear } = useMutation();
  const stopped = useRef(false);
  const number = (count: number) => formatNumber(count, lang);

  const run = async () => {
    stopped.current = false;
    let now: Progress = { total: selected.size, done: 0, skipped: 0, isOver: false };
    setProgress(now);
    for (const transaction_uuid of selected) {
      if (stopped.current) break;
      const isSent = await redeliverTransaction({ client, path: { transaction_uuid } }).then(() => true, skipRejected);
      now = { ...now, done: now.done + (isSent ? 1 : 0), skipped: now.skipped + (isSent ? 0 : 1) };
      setProgress(now);
    }
    setProgress({ ...now, isOver: true });
  };
  const start = async () => {
    // What was interrupted, for example by the end of the session, can be repeated: nothing is sent twice by that.
    if (!(await mutate(run))) setProgress(null);
  };
  const end = () => {
    stopped.current = true;
    clear();
    setOpen(false);
    if (progress) onDone();
    setProgress(null);
  };

  return (
    <>
      <Action variant="primary" onPress={() => setOpen(true)}>
        {redeliver.selected(selected.size)}
      </Action>
      <ModalDialog title={redeliver.title} open={open} onClose={end} alert>
        <div role="status" className="stack">
          {progress?.isOver ? (
            <Notice tone={progress.done > 0 ? 'good' : 'warning'}>
              {progress.done > 0 ? (
                <p>{progress.done === 1 ? redeliver.doneOne : redeliver.done(number(progress.done))}</p>
              ) : null}
              {progress.skipped > 0 ? <p>{redeliver.skipped(number(progress.skipped))}</p> : null}
            </Notice>
          ) : progress ? (
            <>
              <p>{redeliver.progress(number(progress.done + progress.skipped), number(progress.total))}</p>
              <p className="help">{redeliver.stay}</p>
            </>
          ) : (
            <>
              <p>{selected.size === 1 ? redeliver.one : redeliver.count(number(selected.size))}</p>
              <p className="help">{redeliver.note}</p>
            </>
          )}
        </div>
        {problem ? <ProblemNotice problem={problem} /> : null}
        <p className="actions end">
          {progress?.isOver ? (
            <Action variant="primary" onPress={end}>
              {close}
            </Action>
          ) : (
            <>
              <Action variant="quiet" onPress={end}>
                {progress ? redeliver.stop : messages.cancel}
              </Action>
              <Action variant="primary" busy={busy} onPress={() => void start()}>
                {redeliver.submit}
              </Action>
            </>
          )}
        </p>
      </ModalDialog>
    </>
  );
}

/** A document whose content is gone, or that is waiting already, does not stop the others. */
function skipRejected(error: unknown): false {
  if (error instanceof DocfetchError && [404, 409, 422].includes(error.status)) return false;
  throw error;
}
