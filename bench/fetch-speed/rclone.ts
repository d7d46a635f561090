import { Tool, type ToolRun } from '../harness/processes/tool';

const TRANSFERS = 4;

/** `rclone copy` from a remote that is wholly described by options, so that no configuration of the user's is touched. */
export class Rclone {
  private readonly tool = Tool.find('rclone', 'rclone');

  copy(remote: string, options: readonly string[], folder: string): Promise<ToolRun> {
    const common = ['--config', '/dev/null', '--transfers', String(TRANSFERS), '--log-level', 'ERROR'];
    return this.tool.run(['copy', remote, folder, ...common, ...options]);
  }
}
