import type { OperationExamples } from './named-example';

const expected_updated_at = '2026-11-20T08:30:00.000Z';

/** Examples of the operations of the console for the support team. */
export const CONSOLE_SUPPORT_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  createEnvironment: {
    request: {
      test: { summary: 'A test environment', value: { client_name: 'Acme', name: 'Sandbox', kind: 'TEST' } },
      live: {
        summary: 'A live environment with return origins',
        value: {
          client_name: 'Acme',
          name: 'Production',
          kind: 'LIVE',
          return_origins: ['https://app.example.com'],
          fetch_interval_minutes: 720,
        },
      },
    },
  },
  updateEnvironment: {
    request: {
      origins: {
        summary: 'Other origins',
        value: { expected_updated_at, return_origins: ['https://app.example.com'], embedding_origins: [] },
      },
      theme: {
        summary: 'Another color, no logo',
        value: { expected_updated_at, theme_primary_color: '#0055aa', theme_logo_url: null },
      },
    },
  },
  setProvisioning: {
    request: {
      push: {
        summary: 'Push with a bearer token',
        value: {
          expected_updated_at,
          strategy: 'PUSH',
          url: 'https://api.example.com/documents',
          auth: 'BEARER',
          secret: 'c2VjcmV0LXRva2Vu',
        },
      },
      polling: { summary: 'Polling', value: { expected_updated_at, strategy: 'POLLING', auth: 'NONE' } },
    },
  },
  rotateSigningSecret: {
    request: {
      planned: { summary: 'Three days for the change', value: { expected_updated_at, grace_hours: 72 } },
      leak: { summary: 'At once, after a leak', value: { expected_updated_at, grace_hours: 0 } },
    },
  },
  previewTheme: {
    request: { color: { summary: 'Another color', value: { theme_primary_color: '#0055aa' } } },
  },
  issueApiKey: {
    request: {
      unlimited: { summary: 'Without an expiry', value: {} },
      limited: { summary: 'For one year', value: { expires_at: '2027-11-20T00:00:00Z' } },
    },
  },
};
