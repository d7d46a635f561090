import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from './error-codes';

/** The extension that holds the codes of `@ApiErrors` until the responses are written. */
export const API_ERRORS_EXTENSION = 'x-api-errors';

/**
 * Documents the error codes of an operation: `@ApiErrors('CONNECTION_NOT_ACTIVE')`. The codes that follow from its credentials,
 * parameters and body are added without it.
 */
export const ApiErrors = (...codes: ErrorCode[]): MethodDecorator => ApiExtension(API_ERRORS_EXTENSION, codes);
