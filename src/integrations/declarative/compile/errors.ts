import { pauseAfter, retryAfter } from '../../../platform/network/retry-after';
import {
  AuthorizationRevoked,
  CursorInvalid,
  DocumentRefused,
  DocumentUnavailable,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  type SourceError,
  Transient,
  UnexpectedResponse,
} from '../../core/source-errors';
import type { ErrorResponse } from '../../shared/rest/rest-request';
import type { Condition } from '../language/expressions/conditions';
import { secondsOf } from '../language/durations';
import { type Evaluate, type Scope, textOf } from '../language/expressions/evaluate';
import { Names } from '../language/expressions/names';
import { instantOf } from '../language/expressions/instants';
import type { ErrorRule, ErrorsManifest, Meaning } from '../language/manifest';
import type { Compiler } from './compiler';

/** What a request was for: a list or the account, one document, or a file at an address without credentials. */
export type Subject = 'list' | 'document' | 'file';
export type Classify = (response: ErrorResponse, subject: Subject) => SourceError;

/** The pause after 429 when nobody says how long. */
const PAUSE_SECONDS = 60;
/** Larger numbers are moments, smaller ones durations: 2001 in seconds since 1970. */
const SMALLEST_MOMENT = 1_000_000_000;

interface CompiledRule extends ErrorRule {
  readonly statuses: readonly number[];
  readonly condition: Condition | undefined;
  readonly waitAt: Evaluate | undefined;
}

/** Compiles the rules for error answers. The first that applies decides; without one the status does. Messages contain no text of the provider. */
export function compileErrors(compiler: Compiler, provider: string, given: ErrorsManifest = {}): Classify {
  const names = Names.of();
  const code = compiler.optional(['errors', 'code'], given.code, names);
  const rules = (given.rules ?? []).map((rule, at): CompiledRule => {
    const place = ['errors', 'rules', at];
    return {
      ...rule,
      statuses: [rule.status].flat(),
      condition: compiler.condition([...place, 'when'], rule.when, names),
      waitAt: compiler.optional([...place, 'wait_at'], rule.wait_at, names),
    };
  });
  return (response, subject) => {
    const scope: Scope = { record: response.body, variables: {}, zone: 'UTC' };
    const what = `${provider} answers ${response.status}${codeOf(code?.(scope))}.`;
    if (subject === 'file') return errorOf(fileMeaning(response.status), what, response, undefined, scope);
    const rule = rules.find(
      ({ statuses, of, condition }) =>
        statuses.includes(response.status) && (of === undefined || of === subject) && (condition?.(scope) ?? true),
    );
    return errorOf(rule?.is ?? usualMeaning(response.status, subject), what, response, rule, scope);
  };
}

function usualMeaning(status: number, subject: Subject): Meaning {
  if (subject === 'document' && (status === 404 || status === 410)) return 'gone';
  if (status === 401) return 'credentials';
  if (status === 403) return 'permission';
  if (status === 402) return 'user_action';
  if (status === 429) return 'rate_limited';
  if (status === 202) return 'not_ready';
  return status >= 500 || status === 408 ? 'transient' : 'unexpected';
}

/** An address of a file needs no credentials, so a rejection concerns the file only. */
function fileMeaning(status: number): Meaning {
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'transient' : 'unavailable';
}

function errorOf(
  meaning: Meaning,
  what: string,
  response: ErrorResponse,
  rule: CompiledRule | undefined,
  scope: Scope,
): SourceError {
  switch (meaning) {
    case 'credentials':
      return new InvalidCredentials(what);
    case 'consent':
      return new AuthorizationRevoked(what);
    case 'permission':
    case 'user_action':
      return new PermissionMissing(what);
    case 'rate_limited':
      return new RateLimited(what, pauseOf(response, rule, scope), { scope: rule?.scope ?? 'connection' });
    case 'transient':
      return new Transient(what);
    case 'not_ready':
    case 'unavailable':
      return new DocumentUnavailable(what, false);
    case 'gone':
      return new DocumentUnavailable(what, true);
    case 'refused':
      return new DocumentRefused(what);
    case 'cursor_invalid':
      return new CursorInvalid(what);
    case 'unexpected':
      return new UnexpectedResponse(what);
  }
}

/** Whole seconds, at least one. */
function pauseOf(response: ErrorResponse, rule: CompiledRule | undefined, scope: Scope): number {
  const now = new Date();
  const { headers } = response;
  const otherwise = rule?.wait === undefined ? PAUSE_SECONDS : secondsOf(rule.wait);
  if (retryAfter(headers['retry-after'], now) !== null) return pauseAfter(headers['retry-after'], now, otherwise);
  const header = rule?.wait_header === undefined ? undefined : headers[rule.wait_header.toLowerCase()];
  const stated = instantOf(header ?? rule?.waitAt?.(scope), 'UTC');
  if (stated === undefined) return otherwise;
  return Math.max(1, Math.ceil(stated >= SMALLEST_MOMENT ? stated - now.getTime() / 1000 : stated));
}

const codeOf = (code: unknown): string => (/^[\w.-]{1,64}$/.test(textOf(code ?? '')) ? ` (${textOf(code)})` : '');
