import type { Problem } from '../../api/problem';
import { Action } from '../../components/action';
import { useMessages } from '../../messages/use-messages';
import type { FormState } from '../use-form';

const SECURITY = 'security';
const STARTTLS = 'STARTTLS';
/** The server answers on this port without the selected encryption, or demands one. */
const CODES = ['TLS_NOT_SUPPORTED', 'TLS_REQUIRED'];

type ServerFieldError = Problem['fieldErrors'][number];

const isSecurityError = ({ field, code }: ServerFieldError) => field === `fields.${SECURITY}` && CODES.includes(code);

/** The input that probably fixes a rejected encryption; null if the server offers no other. */
export function encryptionOffer(form: FormState, problem: Problem | null): { readonly security: string } | null {
  const field = form.fields.find(({ id }) => id === SECURITY);
  const isPossible = field?.options?.some(({ value }) => value === STARTTLS) && form.values[SECURITY] !== STARTTLS;
  // The error disappears from the field when the user changes it.
  const isShown = problem?.fieldErrors.some(isSecurityError) && form.errorOf(SECURITY) !== null;
  return isPossible && isShown ? { [SECURITY]: STARTTLS } : null;
}

/** Shortens the message of an error that is followed by an offer. */
export function describeEncryption(
  errors: readonly ServerFieldError[],
  form: FormState,
  notEncrypted: string,
): ServerFieldError[] {
  const isImplicit = form.values[SECURITY] === 'TLS';
  return errors.map((error) =>
    isImplicit && isSecurityError(error) && error.code === 'TLS_NOT_SUPPORTED'
      ? { ...error, message: notEncrypted }
      : error,
  );
}

/** Offers the change below the field. Accepting it submits the form again. */
export function EncryptionOffer({ onAccept }: { readonly onAccept: () => void }) {
  const { messages } = useMessages();
  return (
    <p className="offer">
      <Action onPress={onAccept}>{messages.fields.useStartTls}</Action>
    </p>
  );
}
