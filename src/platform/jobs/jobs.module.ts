import { Global, Module } from '@nestjs/common';
import { Jobs } from './jobs';

/** The job engine, which the whole process shares. */
@Global()
@Module({ providers: [Jobs], exports: [Jobs] })
export class JobsModule {}
