import { defineResource } from '../../platform/http/access/resource';
import { Transaction } from './transaction.entity';

export const TRANSACTION = defineResource({
  parameter: { name: 'transaction_uuid', description: 'The transaction.' },
  notFound: 'TRANSACTION_NOT_FOUND',
  notYours: 'NOT_YOUR_TRANSACTION',
  belongsTo: 'connection',
  find: (em, uuid) => em.findOne(Transaction, uuid),
  ownerOf: (transaction: Transaction) => transaction,
  deletedWith: ({ connectionUuid }) => [connectionUuid],
});
