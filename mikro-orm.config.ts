import { Settings } from './src/platform/config/settings';
import { ormOptions } from './src/platform/database/orm-options';
import { ENTITIES } from './src/bootstrap/database/entities';
import { MIGRATIONS } from './src/bootstrap/database/migrations';

/** For the MikroORM CLI (`npx mikro-orm migration:pending --config dist/mikro-orm.config.js`). Needs DATABASE_URL. */
const settings = Settings.fromEnvironment();
if (!settings.databaseUrl) throw new Error('The MikroORM CLI needs DATABASE_URL.');

export default ormOptions({
  databaseUrl: settings.databaseDirectUrl ?? settings.databaseUrl,
  pool: 2,
  entities: ENTITIES,
  migrations: MIGRATIONS,
});
