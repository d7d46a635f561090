import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface ModalDialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** Uses the role `alertdialog`, for the confirmation of an irreversible action: screen readers announce all of it. */
  readonly alert?: boolean;
  readonly busy?: boolean;
  readonly children: React.ReactNode;
}

/** A modal dialog, which traps the focus until it is closed and then restores it. */
export function ModalDialog({ title, open, onClose, alert = false, busy = false, children }: ModalDialogProps) {
  return (
    <ModalOverlay
      className="backdrop"
      isOpen={open}
      onOpenChange={(next) => !next && onClose()}
      isDismissable={!alert && !busy}
      isKeyboardDismissDisabled={busy}
    >
      <Modal className="modal">
        <Dialog role={alert ? 'alertdialog' : 'dialog'} className="modal-body">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
