import { translate } from '../../platform/errors/translate';
import { type DeliveryError, REJECTED_BY_CLIENT } from '../record/transaction.entity';

/** Why a document was not delivered, in the language of the request (decisions 1); what the client wrote stays as it is. */
export function translateDeliveryError({ code, status, message }: DeliveryError): string {
  if (code === REJECTED_BY_CLIENT && message !== null) return message;
  return translate(`deliveries.${code}`, { status: status ?? '' });
}
