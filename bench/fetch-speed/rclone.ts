import { Tool, type ToolRun } from '../harness/processes/tool';

const TRANSFERS = 4;

/** `rclone copy` from a remote that is configured by options only, so that the user's configuration is not used. */
export class Rclone {
  private readonly tool = Tool.find('rclone', 'rclone');

  copy(remote: string, options: readonly string[], folder: string): Promise<ToolRun> {
    const common = ['--config', '/dev/null', '--transfers', String(TRANSFERS), '--log-level', 'ERROR'];
    return this.tool.run(['copy', remote, folder, ...common, ...options]);
  }
}
