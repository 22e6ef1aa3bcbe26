import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function channelFix(cli: Cli): Command {
  return new Command('fix')
    .description('Make the table of abilities agree with the channels, after other tools wrote to it')
    .addHelpText('after', '\nExamples:\n  tollgate channel fix')
    .action(async () => {
      const { toolkit, actor } = await cli.open()
      const answer = await toolkit.channels.repair(actor)
      cli.report(cli.say`Looked at ${answer.channels} channels, repaired ${answer.repaired}.`, answer)
    })
}
