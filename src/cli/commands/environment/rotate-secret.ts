import type { Command } from 'commander';
import { GRACE_HOURS } from '../../../identities/environments/setting-limits';
import { type AsJson, type Cli, cliActor } from '../../shared/cli';
import { AS_JSON, leaf } from '../../shared/commands';
import { uuid, whole } from '../../shared/parse';

interface RotateOptions extends AsJson {
  /** Hours. */
  readonly grace?: number;
}

export function addRotateSecretCommand(environment: Command, cli: Cli): void {
  leaf(environment, 'rotate-secret', 'Replace the signing secret; the new one is shown this once.')
    .argument('<environment>', '', uuid('The environment'))
    .option(
      '--grace <hours>',
      `Hours for which the former secret also signs (0 to ${GRACE_HOURS.max}, default ${GRACE_HOURS.default}); 0 after a leak.`,
      whole('--grace', 0, GRACE_HOURS.max),
    )
    .option(...AS_JSON)
    .action((environmentUuid: string, options: RotateOptions) => rotate(cli, environmentUuid, options));
}

async function rotate({ application, print }: Cli, environmentUuid: string, options: RotateOptions) {
  const { grace = GRACE_HOURS.default, json } = options;
  const { rotateSigningSecret } = await application.useCases();
  const rotated = await rotateSigningSecret.rotate(cliActor(), environmentUuid, grace);
  const former_retires_at = rotated.formerRetiresAt.toISOString();
  print.result(json, { signing_secret: rotated.signingSecret, former_retires_at }, [
    `Signing secret  ${rotated.signingSecret}`,
    `The former secret also signs until ${former_retires_at}.`,
    'The secret is not shown again.',
  ]);
}
