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
/** Maven's own version of the plugin differs from system to system. */
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const ATTEMPTS = 4;
const SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';

/** Runs OpenAPI Generator, of which nothing but this version is accepted. Needs `java` (17 or newer), and `mvn` the first time. */
export function runGenerator(args) {
  // It runs for seconds: compiling its code thoroughly costs more than it gains.
  run('java', ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', verifiedJar(), 'generate', ...args]);
}

/** The path of the jar, which is downloaded first if it is not there. */
export function verifiedJar() {
  const repository = process.env.MAVEN_REPOSITORY ?? join(homedir(), '.m2', 'repository');
  const jar = join(repository, ...GROUP.split('.'), ARTIFACT, VERSION, `${ARTIFACT}-${VERSION}.jar`);
  if (!existsSync(jar)) download(repository);
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex');
  if (found !== SHA256) throw new Error(`${jar} has the SHA-256 ${found}, expected ${SHA256}. Delete it.`);
  return jar;
}

/** Repeats a download that fails, with growing pauses: a moment without network is no fault of the code. */
function download(repository) {
  const artifact = `-Dartifact=${GROUP}:${ARTIFACT}:${VERSION}`;
  // -U: Maven would otherwise remember for a day that it has not found the artifact.
  const args = ['-B', '-q', '-U', `-Dmaven.repo.local=${repository}`, `${PLUGIN}:get`, artifact, '-Dtransitive=false'];
  for (let attempt = 1; ; attempt++) {
    try {
      return run('mvn', args);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      process.stderr.write(`${error.message.slice(-500)}\nAttempt ${attempt} failed, the next one follows.\n`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000 * 2 ** (attempt - 1));
    }
  }
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
