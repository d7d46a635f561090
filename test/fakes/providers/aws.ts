import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FakeAnswer, FakeCall, FakeDeclaration, SentRequest } from '../described/declaration';
import type { Entry } from '../described/fake-account';
import { wrongSignature } from '../s3/verify-signature';

const LONGEST_INTERVAL_SECONDS = 31 * 86_400;

/** The secret of an access key, which the fake does not need to store. */
export const secretOf = (accessKey: string): string =>
  createHash('sha256').update(`secret of ${accessKey}`).digest('base64').slice(0, 40);
const accountId = (number: number): string => String(111_122_220_000 + number);
const answer = (json: object, status = 200): FakeAnswer => ({ status, json, type: 'application/x-amz-json-1.0' });
const error = (type: string): FakeAnswer => answer({ __type: type, message: type }, 400);
const accessKeyOf = (headers: Readonly<Record<string, unknown>>): string | undefined =>
  /Credential=([^/]+)\//.exec(String(headers['authorization']))?.[1];

/** Why a request is not accepted; undefined when its signature is right. */
function refusalOf({ method, url, headers, body }: SentRequest): FakeAnswer | undefined {
  if (headers['content-type'] !== 'application/x-amz-json-1.0') return error('SerializationException');
  const accessKey = accessKeyOf(headers) ?? '';
  const fault = wrongSignature(
    { method, url: url.pathname + url.search, headers: headers as IncomingHttpHeaders },
    { accessKey, secretKey: secretOf(accessKey), region: 'us-east-1', service: 'invoicing' },
    createHash('sha256').update(body).digest('hex'),
  );
  if (fault === 'RequestTimeTooSkewed') return error('RequestExpired');
  if (fault) return error('com.amazon.coral.service#InvalidSignatureException');
  const isWhole = /SignedHeaders=[\w;-]*\bx-amz-target\b/.test(String(headers['authorization']));
  return isWhole ? undefined : error('com.amazon.coral.service#InvalidSignatureException');
}

interface ListBody {
  readonly Selector: { readonly ResourceType: string; readonly Value: string };
  readonly Filter?: { readonly TimeInterval?: { readonly StartDate: number; readonly EndDate: number } };
  readonly MaxResults?: number;
  readonly NextToken?: string;
}

const secondsOf = ({ record }: Entry): number => record['IssuedDate'] as number;

function list({ account, body, largest }: FakeCall): FakeAnswer {
  const { Selector, Filter, MaxResults = 100, NextToken = '0' } = body as unknown as ListBody;
  if (Selector.ResourceType !== 'ACCOUNT_ID' || Selector.Value !== accountId(account.number))
    return error('com.amazonaws.invoicing#AccessDeniedException');
  const { StartDate = 0, EndDate = Infinity } = Filter?.TimeInterval ?? {};
  const isTooLong = Filter?.TimeInterval && EndDate - StartDate > LONGEST_INTERVAL_SECONDS;
  if (isTooLong || MaxResults < 1 || MaxResults > 100) return error('ValidationException');
  const found = account
    .of('invoices')
    .filter((entry) => secondsOf(entry) >= StartDate && secondsOf(entry) < EndDate)
    .sort((a, b) => secondsOf(b) - secondsOf(a));
  const start = Number(NextToken);
  const end = start + Math.min(MaxResults, largest);
  return answer({
    InvoiceSummaries: found.slice(start, end).map(({ record }) => record),
    ...(end < found.length && { NextToken: String(end) }),
  });
}

function pdfOf({ account, body, fileUrl }: FakeCall): FakeAnswer {
  const entry = account.find('invoices', String(body['InvoiceId']));
  if (!entry) return error('com.amazonaws.invoicing#ResourceNotFoundException');
  const DocumentUrlExpirationDate = Math.floor(Date.now() / 1000) + 300;
  const document = { InvoiceId: entry.id, DocumentUrl: fileUrl(entry), DocumentUrlExpirationDate };
  return answer({ InvoicePDF: { ...document, SupplementalDocuments: [] } });
}

/** The invoices of an AWS account, the newest first; signatures are verified. */
export const fake: FakeDeclaration = {
  description: 'aws-invoicing.openapi.json',
  base: '',
  pathOf: (headers) => `/#${String(headers['x-amz-target']).replace('Invoicing.', '')}`,
  key: {
    create: () => `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    fields: (key, { number }) => ({
      account_id: accountId(number),
      access_key_id: key,
      secret_access_key: secretOf(key),
    }),
    of: (headers, _, sent) => (refusalOf(sent) ? undefined : accessKeyOf(headers)),
    refused: (sent) => refusalOf(sent) ?? error('com.amazon.coral.service#UnrecognizedClientException'),
  },
  step2: () => ({ kinds: ['invoice', 'credit_note', 'receipt', 'document'] }),
  document(n, day, { number }) {
    const amount = { TotalAmount: '11.90', TotalAmountBeforeTax: '10.00', CurrencyCode: 'EUR' };
    const id = String(2_000_000_000 + n);
    const issued = Date.parse(`${day}T08:00:00Z`) / 1000;
    const record = {
      AccountId: accountId(number),
      InvoiceId: id,
      IssuedDate: issued,
      DueDate: issued + 14 * 86_400,
      Entity: { InvoicingEntity: 'Amazon Web Services EMEA SARL', BillingEntity: 'AWS' },
      BillingPeriod: { Month: Number(day.slice(5, 7)), Year: Number(day.slice(0, 4)) },
      InvoiceType: n % 4 === 3 ? 'CREDIT_MEMO' : 'INVOICE',
      BaseCurrencyAmount: { TotalAmount: '12.50', TotalAmountBeforeTax: '10.50', CurrencyCode: 'USD' },
      TaxCurrencyAmount: amount,
      PaymentCurrencyAmount: amount,
    };
    return { list: 'invoices', id, record };
  },
  routes: {
    'POST /#ListInvoiceSummaries': list,
    'POST /#GetInvoicePDF': pdfOf,
  },
};
