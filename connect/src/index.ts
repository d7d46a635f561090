export { completeDocfetch } from './complete.js';
export { defineDocfetchConnect } from './element.js';
export { openDocfetch } from './open.js';
export type {
  DocfetchErrorCode,
  DocfetchEvent,
  DocfetchHandle,
  DocfetchMode,
  DocfetchOptions,
  DocfetchResultHandlers,
} from './options.js';
export type { DocfetchResult } from './session/result.js';
