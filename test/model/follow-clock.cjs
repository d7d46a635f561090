'use strict';

const { Buffer } = require('node:buffer');
const { openSync, readSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { argv, env } = require('node:process');
const { isMainThread } = require('node:worker_threads');

/**
 * Loaded with `--require` before a service process of this test: its clock follows the file `MODEL_CLOCK`, which holds the
 * offset in milliseconds as a double. The service itself has no such setting.
 */
function followFile() {
  const file = openSync(env.MODEL_CLOCK, 'r');
  const offset = Buffer.alloc(8);
  const { Clock } = require(join(dirname(argv[1]), 'platform/clock/clock.js'));
  Clock.prototype.now = () => {
    readSync(file, offset, 0, 8, 0);
    return new Date(Date.now() + offset.readDoubleLE());
  };
}

// The threads of the process are started with the same options.
if (isMainThread) followFile();
