import { prepareProviders } from './load-providers';

/** Run by the build: writes `dist/providers.json`. */
prepareProviders();
