#!/usr/bin/env node
import './bootstrap/check-node';
import { runCommand } from './cli/run-command';

runCommand(process.argv.slice(2), process).then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
