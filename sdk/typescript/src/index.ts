export * from './generated/sdk.gen.js';
export type * from './generated/types.gen.js';
export { createDocfetch, type Docfetch, type DocfetchOptions } from './docfetch.js';
export { downloadDocument, pullDocument, type Download, type PullOptions } from './documents.js';
export { DocfetchConnectionError, DocfetchError, type FieldError } from './errors.js';
export { paginate, pollTransactions, type PolledPage, type PollOptions } from './paging.js';
export {
  verifyPush,
  verifyReturnUrl,
  verifyWebhook,
  VerificationError,
  type HeaderBag,
  type ReturnParameters,
  type Secrets,
  type VerificationFailureReason,
  type VerifyOptions,
  type WebhookMessage,
} from './verify.js';
