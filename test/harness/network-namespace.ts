import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A network of its own for a process, as if it ran on another machine: one line (veth) connects it with the network of the test,
 * where packets can be dropped. Needs Linux, root, iproute2 and iptables.
 */
export class NetworkNamespace {
  private constructor(
    private readonly name: string,
    /** The address of the test's machine, as seen from here. */
    readonly machine: string,
    /** The address of a process in here. */
    readonly address: string,
    /** The two addresses. */
    readonly subnet: string,
  ) {}

  static async create(): Promise<NetworkNamespace> {
    const id = randomBytes(4).toString('hex');
    const first = `10.${randomInt(200, 250)}.${randomInt(256)}`;
    const last = 4 * randomInt(64);
    const [machine, address] = [`${first}.${last + 1}`, `${first}.${last + 2}`];
    const namespace = new NetworkNamespace(`docfetch-${id}`, machine, address, `${first}.${last}/30`);
    const [outer, inner] = [`df-${id}-o`, `df-${id}-i`];
    await ip('netns', 'add', namespace.name);
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', namespace.name);
    await ip('address', 'add', `${machine}/30`, 'dev', outer);
    await ip('link', 'set', outer, 'up');
    await ip('-n', namespace.name, 'address', 'add', `${address}/30`, 'dev', inner);
    for (const device of [inner, 'lo']) await ip('-n', namespace.name, 'link', 'set', device, 'up');
    return namespace;
  }

  /** Executes the command that follows in this network, in the same process. */
  get command(): readonly string[] {
    return ['ip', 'netns', 'exec', this.name];
  }

  /** From now on, no packet passes to or from a port of the test's machine, also of open connections: without any answer. */
  async drop(port: number): Promise<void> {
    await this.filter('-A', 'OUTPUT', '-p', 'tcp', '--dport', String(port), '-j', 'DROP');
    await this.filter('-A', 'INPUT', '-p', 'tcp', '--sport', String(port), '-j', 'DROP');
  }

  /** All packets pass again. */
  async restore(): Promise<void> {
    await this.filter('-F');
  }

  /** Its processes must have ended. */
  async remove(): Promise<void> {
    await ip('netns', 'delete', this.name);
  }

  private async filter(...options: string[]): Promise<void> {
    const [program, ...more] = [...this.command, 'iptables', '-w', ...options];
    await run(program!, more);
  }
}

async function ip(...options: string[]): Promise<void> {
  await run('ip', options);
}
