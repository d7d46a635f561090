import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module';
import { FetchesModule } from '../fetches/fetches.module';
import { ProvisioningModule } from '../provisioning/provisioning.module';
import { DescribeService } from './service/describe-service';
import { ServiceController } from './service/service.controller';

/** What the console shows of several modules together. Changes belong to the module that owns the rule. */
@Module({
  imports: [ConnectionsModule, FetchesModule, ProvisioningModule],
  controllers: [ServiceController],
  providers: [DescribeService],
})
export class ConsoleModule {}
