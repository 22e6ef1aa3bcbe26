import { Command } from 'commander'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { EXIT } from '../../errors.ts'

export function channelTest(cli: Cli): Command {
  return new Command('test')
    .description('Send a small request through a channel; exit code 1 when it fails')
    .argument('<id>', 'number of the channel', positiveInt)
    .option('--model <name>', "model to ask for (default: the channel's test model)")
    .option('--key <digest>', 'which of several keys to use (default: the first that is not set aside)')
    .addHelpText('after', '\nExample:\n  tollgate channel test 1 --model gpt-4o-mini')
    .action(async (id: number, { model, key }: { model?: string; key?: string }) => {
      const { toolkit, actor } = await cli.open()
      const result = await toolkit.channelChecks.test(actor, id, { model, key })
      if (!result.success) cli.exitCode = EXIT.failed
      if (cli.json) return cli.writeJson(result)
      const seconds = `${result.time.toFixed(2)} s`
      if (result.success) cli.write(`ok      ${result.model} answered in ${seconds}`)
      else cli.write(`failed  ${result.model} after ${seconds}: ${result.message}`)
    })
}
