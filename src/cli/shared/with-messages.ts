import { NestFactory } from '@nestjs/core';
import { I18nService } from 'nestjs-i18n';
import { runInEnglish } from '../../platform/i18n/run-in-english';
import { translations } from '../../platform/i18n/translations';

/** Runs work that uses `translate`, with the English messages, which the commands load only for it. */
export async function withMessages<T>(work: () => T | Promise<T>): Promise<T> {
  const context = await NestFactory.createApplicationContext(translations(), { logger: false, abortOnError: false });
  try {
    return await runInEnglish(context.get(I18nService), async () => work());
  } finally {
    await context.close();
  }
}
