import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../platform/config/settings';
import { forbidden } from '../../platform/errors/errors';
import { crossOriginOf } from '../cross-origin/cross-origin';

/** Refuses a sign-in to pages of other origins, which could sign a user in as somebody else: 403 `ORIGIN_NOT_ALLOWED`. */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (crossOriginOf(request, this.settings.publicUrl) !== null) throw forbidden('ORIGIN_NOT_ALLOWED');
    return true;
  }
}
