import { createHmac } from 'node:crypto';

/** The headers of a signed message (Standard Webhooks), as the service sends them. */
export function signatureHeaders(secret: string, id: string, at: Date, body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const mac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  const signature = mac.update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
