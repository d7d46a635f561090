import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '../../platform/config/settings';
import type { Policy } from './hosted-ui';
import { servePrecompressed } from './precompressed-static';

/** Built by `npm run docs` beside the compiled service; the second folder is for tests, which run the sources. */
const SITE_FOLDERS = [join(__dirname, '../../../site'), join(__dirname, '../../../dist/site')];
/** The build writes it last. */
const POLICY_FILE = 'policy.json';
/** Files outside of `/guides`: for language models, and for pages that are open while another version is installed. */
const AT_ROOT = ['llms.txt', 'llms-full.txt', 'hashmap.json'];

interface SiteFile {
  /** Its path in the folder of the site. */
  readonly path: string;
  /** Whether its name changes with its content. */
  readonly isHashed: boolean;
}

/** A built site. */
interface Site {
  readonly builtAt: number;
  readonly files: ReadonlyMap<string, SiteFile>;
  readonly notFoundPage: string;
  readonly setPolicy: RequestHandler;
  readonly send: RequestHandler;
}

/**
 * Serves the documentation site at `/guides`: pages that browsers validate at every visit, and files that they keep, because
 * their names change with their content. The root leads to it. In development the site may be built while the service runs.
 * @param folders where to look for the site; for tests
 */
export function serveDocsSite(app: NestExpressApplication, policy: Policy, folders = SITE_FOLDERS): void {
  const { production } = app.get(Settings);
  let site = readSite(folders, policy);
  if (production && !site) {
    new Logger('DocsSite').warn(
      'The documentation site is not built: /guides answers 404. Build it with "npm run docs".',
    );
  }
  const currentSite = () => (production ? site : (site = readSite(folders, policy, site)));

  app.use((request: Request, response: Response, next: NextFunction) => {
    const { path } = request;
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    if (path === '/') return response.redirect(currentSite() ? '/guides/' : '/docs');
    if (path === '/guides') return response.redirect(308, '/guides/');
    const formerAddress = /^\/docs\/guides(?:\/([\w-]*))?$/.exec(path);
    if (formerAddress) {
      const [, name = ''] = formerAddress;
      return response.redirect(308, `/guides/${name === 'README' ? '' : name}`);
    }
    if (!path.startsWith('/guides/') && !AT_ROOT.includes(path.slice(1))) return next();
    const current = currentSite();
    if (!current) return next();
    sendFile(current, request, response, next);
  });
}

function sendFile(
  { files, notFoundPage, setPolicy, send }: Site,
  request: Request,
  response: Response,
  next: NextFunction,
) {
  const file = files.get(request.path);
  setPolicy(request, response, () => {
    response.setHeader('Cache-Control', file?.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (!file) return response.status(404).type('html').send(notFoundPage);
    request.url = `/${file.path}`;
    send(request, response, next);
  });
}

/** Reads what is built, unless it is known already; null if nothing is. */
function readSite(folders: readonly string[], policy: Policy, known: Site | null = null): Site | null {
  for (const folder of folders) {
    const built = statSync(join(folder, POLICY_FILE), { throwIfNoEntry: false });
    if (!built) continue;
    if (known?.builtAt === built.mtimeMs) return known;
    return {
      builtAt: built.mtimeMs,
      files: filesByAddress(folder),
      notFoundPage: readFileSync(join(folder, '404.html'), 'utf8'),
      setPolicy: policy(pagePolicy(folder)),
      send: servePrecompressed(folder, { index: false, redirect: false, cacheControl: false }),
    };
  }
  return null;
}

/** The addresses of all files: those of pages have no ending. */
function filesByAddress(folder: string): Map<string, SiteFile> {
  const below = readdirSync(join(folder, 'guides'), { recursive: true, encoding: 'utf8' });
  const paths = below.filter((path) => /\.\w+$/.test(path) && !/\.(br|gz)$/.test(path)).map((path) => `guides/${path}`);
  return new Map(
    [...paths, ...AT_ROOT].map((path) => [
      `/${path.replace(/(index)?\.html$/, '')}`,
      { path, isHashed: path.startsWith('guides/assets/') },
    ]),
  );
}

/** Scripts are the site's own files and the few inline ones of its pages, by their hashes; nothing comes from other origins. */
function pagePolicy(folder: string): Record<string, string[]> {
  const { scripts } = JSON.parse(readFileSync(join(folder, POLICY_FILE), 'utf8')) as { scripts: string[] };
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  };
}
