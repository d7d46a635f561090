import type { Integration, Session } from '../core/integration';
import { STARTDATE_FIELD } from '../core/field';
import type { Json } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { Compiler } from './compile/compiler';
import { type CompiledProvider, compileProvider, localizedOf } from './compile/provider';
import type { ProviderManifest } from './language/manifest';
import { ManifestErrors } from './language/manifest-errors';
import { readManifest } from './language/read-manifest';
import { checkAccount } from './run/check-account';
import { listDocuments } from './run/list-documents';
import { openDocument } from './run/download/open-document';
import { optionsOf, resolveOptions, step2Fields } from './run/options';

/** A provider's file as an integration. */
export interface DeclaredIntegration {
  readonly integration: Integration;
  /** What is wrong with the file, each with its line. An integration with errors is not available. */
  readonly manifestErrors: readonly string[];
  /** The manifest, and what the runtime needs of it; null with errors. */
  readonly compiled: { readonly manifest: ProviderManifest; readonly provider: CompiledProvider } | null;
}

/**
 * Compiles the text of a provider's file. Never throws: with errors the integration exists, so that its connections are still shown,
 * but is not available, and every call of the source fails.
 * @param file its path, whose last part is in the errors
 * @param isOfBuild whether it is one of the build's files, which alone can name code (`signatures/`)
 */
export function declareIntegration(file: string, text: string, { isOfBuild = false } = {}): DeclaredIntegration {
  const { manifest, manifestErrors } = readManifest(file, text);
  return declare(file, manifest, new Compiler(manifestErrors, isOfBuild), manifestErrors);
}

/** As `declareIntegration`, of a file of the build that was read and checked before. */
export function declarePrepared(file: string, manifest: ProviderManifest): DeclaredIntegration {
  const manifestErrors = new ManifestErrors(file);
  return declare(file, manifest, new Compiler(manifestErrors, true), manifestErrors);
}

function declare(
  file: string,
  manifest: ProviderManifest | null,
  compiler: Compiler,
  manifestErrors: ManifestErrors,
): DeclaredIntegration {
  const provider = manifest && compileProvider(manifest, compiler);
  if (!manifest || !provider || !manifestErrors.isEmpty) {
    const id = file
      .split(/[/\\]/)
      .at(-1)!
      .replace(/\.yaml$/, '');
    return { integration: unavailable(id, manifestErrors.list), manifestErrors: manifestErrors.list, compiled: null };
  }
  return { integration: integrationOf(manifest, provider), manifestErrors: [], compiled: { manifest, provider } };
}

function integrationOf(manifest: ProviderManifest, provider: CompiledProvider): Integration {
  const { limits } = manifest;
  const hasStep2 = provider.choices.length > 0 || provider.kinds.length > 1;
  return {
    id: provider.id,
    name: provider.name,
    category: manifest.category,
    maturity: manifest.maturity ?? 'BETA',
    ...(manifest.logo !== undefined && { logo: manifest.logo }),
    ...(manifest.aliases && { aliases: manifest.aliases }),
    ...(manifest.help_url !== undefined && { helpUrl: localizedOf(manifest.help_url) }),
    authType: provider.oauth ? 'OAUTH2' : 'CREDENTIALS',
    documentTypes: [...new Set(provider.streams.flatMap(({ types }) => types))],
    providesExternalId: true,
    testOnly: false,
    supportsStartdate: true,
    step1: [...provider.step1, STARTDATE_FIELD],
    ...(provider.oauth && { oauth: provider.oauth }),
    apiBaseUrl: provider.base,
    rateLimits: {
      concurrency: limits.concurrency,
      requestsPerSecond: Math.min(limits.per_second ?? Infinity, (limits.per_minute ?? Infinity) / 60),
      ...(limits.per_second_per_host !== undefined && { requestsPerSecondPerHost: limits.per_second_per_host }),
    },
    check: (session: Session) => checkAccount(provider, session),
    ...(hasStep2 && { step2: (session: Session) => step2Fields(provider, session) }),
    ...(hasStep2 && provider.choices.length === 0 && { worksWithoutStep2: true }),
    ...(provider.choices.length > 0 && {
      options: (session: Session, fieldId: string, parentId?: string) =>
        optionsOf(provider, session, fieldId, parentId),
      resolve: (session: Session, fieldId: string, values: readonly string[]) =>
        resolveOptions(provider, session, fieldId, values),
    }),
    list: (session: Session, cursor: Json, startdate: string | null) =>
      listDocuments(provider, session, cursor, startdate),
    download: (session, ref) => openDocument(provider, session, ref),
  };
}

/** The integration of a file with errors. */
function unavailable(id: string, manifestErrors: readonly string[]): Integration {
  const fail = (): Promise<never> =>
    Promise.reject(new UnexpectedResponse(`The file of the provider ${id} has errors: ${manifestErrors[0] ?? ''}`));
  return {
    id,
    name: { en: id, de: id },
    category: 'PORTAL',
    authType: 'CREDENTIALS',
    documentTypes: ['document'],
    providesExternalId: true,
    testOnly: false,
    supportsStartdate: true,
    step1: [STARTDATE_FIELD],
    manifestErrors,
    rateLimits: { concurrency: 1, requestsPerSecond: 1 },
    check: fail,
    // eslint-disable-next-line require-yield -- it fails before there is anything to yield
    async *list() {
      await fail();
    },
    download: fail,
  };
}
