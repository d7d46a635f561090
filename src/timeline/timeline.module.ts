import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { ListTimeline } from './list-timeline';
import { TimelineController } from './timeline.controller';

/** Shows what happened to a connection, newest first: its own changes, its fetches and the deliveries of its documents. */
@Module({
  imports: [ConnectionsModule],
  controllers: [TimelineController],
  providers: [ListTimeline],
})
export class TimelineModule {}
