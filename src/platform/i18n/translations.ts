import type { DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { I18nModule } from 'nestjs-i18n';
import { join } from 'node:path';
import { currentLang } from './lang';

/**
 * nestjs-i18n with the messages of `i18n/`, without its middleware and its global interceptor: `RequestScope` is the language
 * context of a request. Because of a global interceptor Nest wraps each handler in observables, which takes 20 µs of processor
 * time per request (`bench http-api`).
 */
export function translations(): DynamicModule {
  const { providers = [], ...module } = I18nModule.forRoot({
    fallbackLanguage: 'en',
    loaderOptions: { path: join(__dirname, '../../../i18n'), watch: false },
    resolvers: [{ resolve: currentLang }], // nestjs-i18n asks for one; only its middleware and its interceptor would use it
    disableMiddleware: true,
    logging: false,
  });
  return { ...module, providers: providers.filter((provider) => !isInterceptor(provider)) };
}

const isInterceptor = (provider: NonNullable<DynamicModule['providers']>[number]) =>
  'provide' in provider && provider.provide === APP_INTERCEPTOR;
