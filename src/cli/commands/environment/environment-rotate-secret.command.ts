import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { GRACE_HOURS } from '../../../identities/environments/setting-limits';
import { Application } from '../../use-cases/application';
import { whole } from '../../shared/parse';
import { cliActor, Print, uuid } from '../../shared/print';

@SubCommand({
  name: 'rotate-secret',
  arguments: '<environment>',
  description: 'Replace the signing secret; the new one is shown this once.',
})
export class RotateSecretCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: { grace?: number; json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { rotateSigningSecret } = await this.application.useCases();
    const graceHours = options.grace ?? GRACE_HOURS.default;
    const rotated = await rotateSigningSecret.rotate(cliActor(), environmentUuid, graceHours);
    const former_retires_at = rotated.formerRetiresAt.toISOString();
    this.print.result(options.json, { signing_secret: rotated.signingSecret, former_retires_at }, [
      `Signing secret  ${rotated.signingSecret}`,
      `The former secret also signs until ${former_retires_at}.`,
      'The secret is not shown again.',
    ]);
  }

  @Option({
    flags: '--grace <hours>',
    description: `Hours for which the former secret also signs (0 to ${GRACE_HOURS.max}, default ${GRACE_HOURS.default}); 0 after a leak.`,
  })
  parseGrace(value: string): number {
    return whole('--grace', value, 0, GRACE_HOURS.max);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
