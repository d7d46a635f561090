// The script that the service serves at /connect/v1.js: it defines the element and the functions of `window.Docfetch`.
import { completeDocfetch } from './complete.js';
import { defineDocfetchConnect } from './element.js';
import { openDocfetch } from './open.js';

Object.assign(window, { Docfetch: { openDocfetch, completeDocfetch } });
defineDocfetchConnect();
