import { Action } from '../../../ui/src/components/action';
import { ModalDialog } from '../../../ui/src/components/modal-dialog';
import { ProblemNotice } from '../../../ui/src/components/notice';
import { fieldMessagesOf } from '../../../ui/src/api/problem';
import { type Mutation } from '../../../ui/src/api/use-mutation';
import { useMessages } from '../../../ui/src/messages/use-messages';

/** Asks before something is changed. */
export function Confirm({
  title,
  children,
  submit,
  danger = false,
  ready = true,
  open,
  onClose,
  onConfirm,
  mutation,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
  readonly submit: string;
  readonly danger?: boolean;
  /** Whether it can be confirmed already. */
  readonly ready?: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly mutation: Mutation;
}) {
  const { messages } = useMessages();
  const close = () => {
    mutation.clear();
    onClose();
  };
  return (
    <ModalDialog title={title} open={open} onClose={close} alert busy={mutation.busy}>
      {children}
      {mutation.problem ? <ProblemNotice problem={mutation.problem} more={fieldMessagesOf(mutation.problem)} /> : null}
      <p className="actions end">
        <Action variant="quiet" onPress={close} disabled={mutation.busy}>
          {messages.cancel}
        </Action>
        <Action variant={danger ? 'danger' : 'primary'} busy={mutation.busy} inactive={!ready} onPress={onConfirm}>
          {submit}
        </Action>
      </p>
    </ModalDialog>
  );
}
