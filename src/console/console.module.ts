import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { FetchesModule } from '../fetches/fetches.module';
import { ProvisioningModule } from '../provisioning/provisioning.module';
import { DescribeOverview } from './overview/describe-overview';
import { OverviewController } from './overview/overview.controller';
import { DescribeService } from './service/describe-service';
import { ServiceController } from './service/service.controller';

/** What the console shows of several modules together. Changes belong to the module that owns the rule. */
@Module({
  imports: [ConnectionsModule, FetchesModule, ProvisioningModule],
  controllers: [OverviewController, ServiceController],
  providers: [DescribeOverview, DescribeService],
})
export class ConsoleModule {}
