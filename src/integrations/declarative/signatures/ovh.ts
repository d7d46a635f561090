import { hash } from 'node:crypto';
import type { Signature } from './signature';

/**
 * OVHcloud: `$1$` and the SHA-1 of secret, consumer key, method, address, body and time, joined by `+`
 * (https://docs.ovh.com/gb/en/customer/first-steps-with-ovh-api/, "Signing requests" and "Managing timestamps"). SHA-1 is what the
 * provider requires.
 */
export const ovh: Signature = {
  inputs: ['application_key', 'application_secret', 'consumer_key'],
  clock: '/auth/time',
  sign({ method, url, body }, inputs, now) {
    const { application_key, application_secret, consumer_key } = inputs;
    const time = String(Math.floor(now.getTime() / 1000));
    const text = [application_secret, consumer_key, method, url.href, body, time].join('+');
    return {
      'x-ovh-application': application_key!,
      'x-ovh-consumer': consumer_key!,
      'x-ovh-timestamp': time,
      'x-ovh-signature': `$1$${hash('sha1', text)}`,
    };
  },
};
