import { ApiExtension } from '@nestjs/swagger';

/** Marks the schema of a body until `describeRequests` has read it. */
export const NEEDS_MEMBER = 'x-needs-member';

/** A body whose properties are all optional, and which needs at least one of them: a missing body is invalid too. */
export const NeedsMember = (): ClassDecorator => ApiExtension(NEEDS_MEMBER, true);
