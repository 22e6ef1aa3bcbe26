import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { appended } from '../../input/arguments.ts'

export function profileRemove(cli: Cli): Command {
  return new Command('remove')
    .description('Forget servers and their access tokens, as logout does')
    .argument('<name...>', 'names of profiles', appended)
    .addHelpText('after', '\nExamples:\n  tollgate profile remove work')
    .action(async (given: string[]) => {
      const names = [...new Set(given)]
      const { forget } = await import('./forget.ts')
      await forget(cli, names)
      cli.report(cli.say`Forgot ${names.join(', ')}.`, { removed: names })
    })
}
