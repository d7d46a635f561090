import type { DevelopmentAccess } from './development-environment';

/** The lines that `npm start` prints in development after the service is ready. */
export function welcome(baseUrl: string, access: DevelopmentAccess | null, consoleUrl: string | null): string[] {
  const lines = ['', field('Documentation', `${baseUrl}/guides/`), field('API', `${baseUrl}/docs`)];
  if (consoleUrl !== null) lines.push(field('Console', `${consoleUrl}  (works once)`));
  if (!access) {
    lines.push(field('New environment', 'npm run cli -- environment create --help'), '');
    return lines;
  }
  const { created, environmentUuid, uiUrl } = access;
  lines.push(
    created
      ? field('API key', `${created.apiKey}  (not shown again)`)
      : field('Another API key', `npm run cli -- key issue --environment ${environmentUuid}`),
    field('Hosted UI', uiUrl),
    '',
    'The link to the hosted UI is valid for 30 minutes. Connect the "Sandbox portal", with any user and password.',
  );
  if (created) {
    lines.push(
      '',
      'Its documents are pushed to this receiver, which you start in another terminal:',
      `  SECRET='${created.signingSecret}' node docs/examples/push-receiver.mjs`,
    );
  }
  return [...lines, ''];
}

function field(name: string, value: string): string {
  return `  ${name.padEnd(19)}${value}`;
}
