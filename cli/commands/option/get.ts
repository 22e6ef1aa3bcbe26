import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function optionGet(cli: Cli): Command {
  return new Command('get')
    .description('Print the value of one option')
    .argument('<key>', 'name of the option, such as RetryTimes')
    .addHelpText('after', '\nExample:\n  tollgate option get RetryTimes')
    .action(async (key: string) => {
      const { toolkit, actor } = await cli.open()
      const value = await toolkit.options.read(actor, key)
      if (cli.json) cli.writeJson({ key, value })
      else cli.write(value)
    })
}
