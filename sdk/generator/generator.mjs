// cspell:ignore Dartifact Dmaven Dtransitive -- Maven's options
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const GROUP = 'org.openapitools';
const ARTIFACT = 'openapi-generator-cli';
export const VERSION = '7.25.0';
const SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';

/** Runs OpenAPI Generator, of which nothing but this version is accepted. Needs `java` (17 or newer), and `mvn` the first time. */
export function runGenerator(args) {
  run('java', ['-jar', verifiedJar(), 'generate', ...args]);
}

function verifiedJar() {
  const repository = process.env.MAVEN_REPOSITORY ?? join(homedir(), '.m2', 'repository');
  const jar = join(repository, ...GROUP.split('.'), ARTIFACT, VERSION, `${ARTIFACT}-${VERSION}.jar`);
  if (!existsSync(jar)) {
    const artifact = `-Dartifact=${GROUP}:${ARTIFACT}:${VERSION}`;
    run('mvn', ['-B', '-q', `-Dmaven.repo.local=${repository}`, 'dependency:get', artifact, '-Dtransitive=false']);
  }
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex');
  if (found !== SHA256) throw new Error(`${jar} has the SHA-256 ${found}, expected ${SHA256}. Delete it.`);
  return jar;
}

/** Runs a program whose output matters only when it fails. */
export function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    ...options,
  });
  if (error) throw new Error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 4).join(' ')} failed:\n${stdout}\n${stderr}`);
}
