import { translate } from '../../platform/errors/translate';
import { type DeliveryError, REJECTED_BY_CLIENT } from '../record/transaction.entity';

/**
 * Describes why a document was not delivered, in the language of the request (decisions 1); the client's own message is
 * not translated.
 */
export function translateDeliveryError({ code, status, message }: DeliveryError): string {
  if (code === REJECTED_BY_CLIENT && message !== null) return message;
  return translate(`deliveries.${code}`, { status: status ?? '' });
}
