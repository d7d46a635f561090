import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../../platform/storage/sha256';
import type { Signature } from './signature';

/**
 * Amazon Web Services: Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html) by the AWS SDK's own library. The host
 * and every header of the request are signed, except those that proxies may change.
 */
export const awsV4: Signature = {
  inputs: ['access_key_id', 'secret_access_key', 'region', 'service'],
  async sign({ method, url, headers, body }, inputs, now) {
    const { access_key_id, secret_access_key, region, service } = inputs;
    const signer = new SignatureV4({
      service: service!,
      region: region!,
      credentials: { accessKeyId: access_key_id!, secretAccessKey: secret_access_key! },
      sha256: Sha256,
      applyChecksum: false,
    });
    const { protocol, hostname, host, pathname, searchParams } = url;
    const signed = await signer.sign(
      {
        method,
        protocol,
        hostname,
        path: pathname,
        query: queryOf(searchParams),
        headers: { ...headers, host },
        body,
      },
      { signingDate: now },
    );
    const { authorization, 'x-amz-date': date } = signed.headers;
    return { authorization: authorization!, 'x-amz-date': date! };
  },
};

function queryOf(given: URLSearchParams): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of given) (query[name] ??= []).push(value);
  return query;
}
