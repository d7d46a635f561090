import { AddressNotAllowed } from '../../platform/network/network';
import { networkErrorCode } from './network-error-code';

const coded = (code: string) => Object.assign(new Error(code), { code });

describe('networkErrorCode', () => {
  it.each<[unknown, string]>([
    [new AddressNotAllowed('10.0.0.1'), 'ADDRESS_NOT_ALLOWED'],
    [new Error('fetch failed', { cause: new AddressNotAllowed('10.0.0.1') }), 'ADDRESS_NOT_ALLOWED'],
    [new AggregateError([coded('ECONNREFUSED'), new AddressNotAllowed('::1')]), 'ADDRESS_NOT_ALLOWED'],
    [new DOMException('late', 'TimeoutError'), 'TIMEOUT'],
    [coded('UND_ERR_HEADERS_TIMEOUT'), 'TIMEOUT'],
    [coded('UND_ERR_BODY_TIMEOUT'), 'TIMEOUT'],
    [coded('UND_ERR_CONNECT_TIMEOUT'), 'TIMEOUT'],
    [coded('ETIMEDOUT'), 'TIMEOUT'],
    [coded('ENOTFOUND'), 'NAME_NOT_FOUND'],
    [coded('EAI_AGAIN'), 'NAME_NOT_FOUND'],
    [coded('CERT_HAS_EXPIRED'), 'TLS_FAILED'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'TLS_FAILED'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'TLS_FAILED'],
    [coded('SELF_SIGNED_CERT_IN_CHAIN'), 'TLS_FAILED'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'TLS_FAILED'],
    [coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'TLS_FAILED'],
    [coded('ECONNREFUSED'), 'CONNECTION_FAILED'],
    [coded('ECONNRESET'), 'CONNECTION_FAILED'],
    [coded('UND_ERR_SOCKET'), 'CONNECTION_FAILED'],
    [undefined, 'CONNECTION_FAILED'],
  ])('%s is %s', (error, code) => {
    expect(networkErrorCode(error)).toBe(code);
  });
});
