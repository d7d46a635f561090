import { describeReceiversWithService } from './receivers-with-service';

describeReceiversWithService([
  ['push-receiver.mjs', '/'],
  ['push-receiver-express.mjs', '/docfetch'],
]);
