import { setTimeout as pause } from 'node:timers/promises';
import { secondsSince } from '../parts/cluster';
import type { DrillContext } from '../parts/context';
import { newKey, type Installation } from '../parts/installation';
import { withInstallation } from '../parts/with-installation';

/** Rotates ENCRYPTION_KEYS and TOKEN_KEYS in two steps while documents arrive. */
export async function rotateKeys(context: DrillContext): Promise<void> {
  const { report } = context;
  await withInstallation(context, async (installation, server) => {
    await installation.begin(300);
    await pause(context.seconds(20));
    const began = new Date();
    const { ENCRYPTION_KEYS: encryption, TOKEN_KEYS: token } = installation.settings;
    const [newEncryption, newToken] = [newKey('k2'), newKey('t2')];
    await restartWith(installation, `${encryption},${newEncryption}`, `${token},${newToken}`);
    await restartWith(installation, `${newEncryption},${encryption}`, `${newToken},${token}`);
    const keys = () =>
      server.sql(
        `select string_agg(line, ', ') from (select master_key_id || ': ' || count(*) as line from data_key group by master_key_id order by 1) as lines`,
      );
    report.fact(`data keys before the rotation: ${await keys()}`);
    report.step('docfetch encryption rotate');
    const started = performance.now();
    report.fact(JSON.stringify(await installation.command(['encryption', 'rotate'])));
    report.fact(`it took ${secondsSince(started)} s; data keys: ${await keys()}`);
    await restartWith(installation, newEncryption, newToken);
    await pause(context.seconds(20));
    await installation.settle();
    installation.logs(began);
  });
}

async function restartWith(installation: Installation, encryption: string, token: string): Promise<void> {
  const ids = (keys: string) => keys.replace(/:[^,]+/g, '');
  installation.report.step(
    `ENCRYPTION_KEYS=${ids(encryption)} TOKEN_KEYS=${ids(token)}, all processes restarted one after another`,
  );
  Object.assign(installation.settings, { ENCRYPTION_KEYS: encryption, TOKEN_KEYS: token });
  for (const [name, service] of installation.services) {
    await service.stop();
    await installation.startProcesses([name]);
  }
}
