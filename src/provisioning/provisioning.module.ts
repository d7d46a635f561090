import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module';
import { DrainEndpoint } from './drain-endpoint';
import { DueEndpoints } from './due-endpoints';
import { ListTimeline } from './list-timeline';
import { Push } from './push';
import { PushLimits } from './push-limits';
import { SendDocument } from './send-document';
import { SettleAttempt } from './settle-attempt';
import { TimelineController } from './timeline.controller';

/**
 * Owns the way to the client: push, its attempts and retries, and the breaker that holds failing endpoints back.
 * Refuses to know how a document was fetched.
 */
@Module({
  imports: [DocumentsModule],
  controllers: [TimelineController],
  providers: [ListTimeline, DueEndpoints, DrainEndpoint, SendDocument, Push, PushLimits, SettleAttempt],
})
export class ProvisioningModule {}
