import type { Reason } from '../../../integrations/core/reason';
import { reasonView } from './reason.view';

const NOW = new Date('2026-11-20T08:00:00Z');

const actionOf = (integrationId: string, failureReason: Reason, settings = {}) =>
  reasonView({ integrationId, settings, setupCompletedAt: NOW, failingSince: NOW, failureReason, createdAt: NOW })!
    .action;

describe('the action of a reason (decisions 4)', () => {
  it.each<[Reason, string]>([
    ['LOGIN_REJECTED', 'AUTHORIZE'],
    ['CONSENT_REVOKED', 'AUTHORIZE'],
    ['PERMISSION_MISSING', 'AUTHORIZE'],
    ['HOST_NOT_FOUND', 'WAIT'],
    ['TLS_REQUIRED', 'WAIT'],
    ['FOLDER_NOT_FOUND', 'COMPLETE_SETUP'],
    ['PROVIDER_DOWN', 'WAIT'],
  ])('with OAuth: %s → %s', (reason, action) => {
    expect(actionOf('sandbox_oauth', reason)).toBe(action);
  });

  it.each<[Reason, string]>([
    ['LOGIN_REJECTED', 'UPDATE_CREDENTIALS'],
    ['CONSENT_REVOKED', 'UPDATE_CREDENTIALS'],
    ['SCOPE_MISSING', 'UPDATE_CREDENTIALS'],
    ['HOST_NOT_FOUND', 'UPDATE_CREDENTIALS'],
    ['FOLDER_NOT_FOUND', 'COMPLETE_SETUP'],
    ['LOGIN_REJECTED_APP_PASSWORD', 'UPDATE_CREDENTIALS'],
    ['TLS_NOT_SUPPORTED_STARTTLS', 'UPDATE_CREDENTIALS'],
    ['TLS_NOT_SUPPORTED_OUTDATED', 'WAIT'],
    ['RATE_LIMITED_CONNECTIONS', 'WAIT'],
  ])('without OAuth: %s → %s', (reason, action) => {
    expect(actionOf('imap', reason)).toBe(action);
  });

  it.each([
    ['imap', { host: 'imap.example.com', security: 'TLS' }, 'UPDATE_CREDENTIALS'],
    ['imap', { host: 'imap.example.com', security: 'NONE' }, 'WAIT'],
    ['gmx', {}, 'WAIT'],
    ['sandbox', {}, 'WAIT'],
  ])('lets the user accept a certificate only of a typed server: %s %j → %s', (integration, settings, action) => {
    expect(actionOf(integration, 'CERTIFICATE_INVALID', settings)).toBe(action);
    expect(actionOf(integration, 'CERTIFICATE_INVALID_CHANGED', settings)).toBe(action);
    expect(actionOf(integration, 'CERTIFICATE_INVALID_WEAK', settings)).toBe('WAIT');
  });

  it.each<[Reason, string]>([
    ['CERTIFICATE_INVALID_EXPIRED', 'CERTIFICATE_INVALID'],
    ['LOGIN_REJECTED_ACCESS_DISABLED', 'LOGIN_REJECTED'],
    ['PERMISSION_MISSING', 'SCOPE_MISSING'],
  ])('reports %s as %s', (failureReason, code) => {
    const connection = {
      integrationId: 'imap',
      settings: { host: 'mail.example.com', security: 'TLS' },
      setupCompletedAt: NOW,
      failingSince: NOW,
      createdAt: NOW,
    };
    expect(reasonView({ ...connection, failureReason })!.code).toBe(code);
  });

  it('asks the user to allow access again only where that is possible', () => {
    const messageOf = (integrationId: string, failureReason: Reason) =>
      reasonView({
        integrationId,
        settings: {},
        setupCompletedAt: NOW,
        failingSince: NOW,
        failureReason,
        createdAt: NOW,
      })!.message;
    expect(messageOf('sandbox_oauth', 'SCOPE_MISSING')).not.toBe(messageOf('sandbox_oauth', 'PERMISSION_MISSING'));
    expect(messageOf('sandbox', 'SCOPE_MISSING')).toBe(messageOf('sandbox', 'PERMISSION_MISSING'));
  });
});
