import { Action } from '../../../ui/src/components/action';
import { ModalDialog } from '../../../ui/src/components/modal-dialog';
import { Notice } from '../../../ui/src/components/notice';
import { useConsoleMessages } from '../messages/use-console-messages';
import { Copyable } from './copyable';

export interface ShownSecret {
  readonly label: string;
  readonly value: string;
  readonly help?: string;
}

/** Secrets that no further request returns. It closes by its button only, so that none is lost by a stray click. */
export function SecretDialog({
  title,
  secrets,
  children,
  onClose,
}: {
  readonly title: string;
  readonly secrets: readonly ShownSecret[] | null;
  readonly children?: React.ReactNode;
  readonly onClose: () => void;
}) {
  const { secret: messages } = useConsoleMessages();
  return (
    <ModalDialog title={title} open={secrets !== null} onClose={() => undefined} alert busy>
      <Notice tone="warning">
        <p>{(secrets?.length ?? 0) > 1 ? messages.onceMany : messages.once}</p>
      </Notice>
      {secrets?.map(({ label, value, help }) => (
        <div key={label} className="secret">
          <p className="label">{label}</p>
          <Copyable text={value} label={label} />
          {help ? <p className="help">{help}</p> : null}
        </div>
      ))}
      {children}
      <p className="actions end">
        <Action variant="primary" onPress={onClose}>
          {messages.stored}
        </Action>
      </p>
    </ModalDialog>
  );
}
