import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { settingsPage } from './settings-page';

/** `npm run settings-page`: writes `docs/operate/settings.md`. A test compares the page with the definitions. */
writeFileSync(resolve('docs/operate/settings.md'), settingsPage());
