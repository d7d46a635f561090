import type { EntityManager } from '@mikro-orm/postgresql';
import { I18nContext, type I18nService } from 'nestjs-i18n';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_ICU } from '../i18n/run-in-english';
import type { Lang } from '../i18n/lang';
import type { Span } from './span';

/**
 * What belongs to the request that is being answered: its language for `translate`, its fields for log lines, and its unit of work.
 * One AsyncLocalStorage, that of nestjs-i18n, holds all of it. The three contexts that the libraries open for every request, with an
 * entity manager that few requests use, take 15 µs of processor time more (`bench http-api`).
 */
export class RequestScope extends I18nContext {
  /**
   * The environment that the request works for, once it is known. Its transactions are refused while that is fenced
   * (`guardTransactions`).
   */
  environmentUuid: string | undefined;
  /** Other environments that it changes, as the support team does (`lockServed`). */
  readonly otherEnvironments = new Set<string>();
  /** Further fields of its log lines (`addRequestFields`). */
  readonly logFields: Record<string, string> = {};
  /** Undefined while it is not traced. */
  span: Span | undefined;
  private unitOfWork: EntityManager | undefined;

  constructor(
    lang: Lang,
    i18n: I18nService,
    private readonly em: EntityManager,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {
    super(lang, i18n, NO_ICU);
  }

  /** The scope of the current request; undefined outside of one. */
  static get(): RequestScope | undefined {
    const context = I18nContext.current();
    return context instanceof RequestScope ? context : undefined;
  }

  /** The entity manager of this request, for the ORM's option `context`. It is made for the first caller. */
  get entityManager(): EntityManager {
    this.unitOfWork ??= this.em.fork({ disableContextResolution: true });
    return this.unitOfWork;
  }
}
